import { feature } from '../../feature.ts'
import { deleteDraftsIn, deleteDraftWhenSent } from './delete-drafts.ts'
import { draftEndpoints } from './draft-endpoints.ts'
import { draftsOfChannels, draftsOfMessages } from './own-drafts.ts'

export const drafts = feature('drafts', {
  endpoints: draftEndpoints,
  channels: { own: { table: 'drafts', read: draftsOfChannels }, erase: deleteDraftsIn },
  messages: { own: draftsOfMessages, sent: deleteDraftWhenSent },
})
