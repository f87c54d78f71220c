import { CreateDraftRequest, DraftAnswer, DraftQuery, DraftsAnswer, QueryDraftsRequest } from '@parley/protocol/drafts'
import { Done } from '@parley/protocol/wire'
import { type Caller, namedUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { type Access, accessChannel } from '../../chat/channels/channel-access.ts'
import { accessMessage, missing } from '../../chat/messages/message-access.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import { deleteDraft, noDraft } from './delete-drafts.ts'
import { draftsAt } from './draft-store.ts'
import { placeOf } from './own-drafts.ts'
import { queryDrafts } from './query-drafts.ts'
import { saveDraft } from './save-draft.ts'
import { wholeDrafts } from './whole-drafts.ts'

const path = '/channels/:type/:id/draft'

const save = endpoint(
  { name: 'CreateDraft', method: 'POST', path, body: CreateDraftRequest, answer: DraftAnswer, status: 201 },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    const parentId = await parentOf(server, caller, access, body.message.parent_id)
    return { draft: await saveDraft(server, access, namedUser(caller), body.message, parentId) }
  },
)

const get = endpoint(
  { name: 'GetDraft', method: 'GET', path, query: DraftQuery, answer: DraftAnswer },
  async ({ caller, params, query }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    const user = namedUser(caller)
    const { app, cid } = access.channel
    const { read, dialect } = server.database
    const rows = await draftsAt(read, dialect, app, user.id, [placeOf(cid, query.parent_id)])
    const [draft] = await wholeDrafts(server, user, rows, access)
    if (!draft) throw noDraft(cid)
    return { draft }
  },
)

const remove = endpoint(
  { name: 'DeleteDraft', method: 'DELETE', path, query: DraftQuery, answer: Done },
  async ({ caller, params, query }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    await deleteDraft(server, access, namedUser(caller), query.parent_id || null)
    return {}
  },
)

const query = endpoint(
  {
    name: 'QueryDrafts',
    method: 'POST',
    path: '/drafts/query',
    body: QueryDraftsRequest,
    answer: DraftsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => queryDrafts(server, namedUser(caller), body, { isServer: caller.server }),
)

/**
 * @throws ChatError DoesNotExistError (16) — no such message in this channel
 * @throws ChatError MultipleNestingLevelError (21) — it is a reply itself
 */
async function parentOf(server: Server, caller: Caller, { channel }: Access, id: string | null | undefined) {
  if (!id) return null
  const { message } = await accessMessage(server, caller, id, 'read-channel')
  if (message.cid !== channel.cid) throw missing(id)
  if (message.parent_id !== null)
    throw new ChatError('MultipleNestingLevelError', `message ${id} is a reply itself; reply to its parent`)
  return id
}

export const draftEndpoints: Endpoint[] = [save, get, remove, query]
