import { feature } from '../../feature.ts'
import { draftEndpoints } from './draft-endpoints.ts'

export const drafts = feature('drafts', {
  endpoints: draftEndpoints,
})
