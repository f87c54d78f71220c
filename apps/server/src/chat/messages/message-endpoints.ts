import { Channel } from '@parley/protocol/channels'
import { Sort } from '@parley/protocol/filters'
import { REPLIES_PAGE } from '@parley/protocol/limits'
import {
  customOfMessage,
  DeleteMessageQuery,
  EditMessageRequest,
  EphemeralEditRequest,
  Message,
  MessageAnswer,
  MessageHistoryAnswer,
  MessagePage,
  MessagesAnswer,
  PendingMetadata,
  PinnedMessagesPayload,
  QueryMessageHistoryRequest,
  SendMessageAnswer,
  SendMessageRequest,
  TranslateMessageRequest,
  UndeleteMessageRequest,
} from '@parley/protocol/messages'
import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { parseJson } from '../../platform/http/json.ts'
import { isTrue } from '../../platform/http/query-flag.ts'
import { spelledSort } from '../../platform/http/spelled-sort.ts'
import { actingUser, namedUser } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { checkMayChange } from '../bans/banned.ts'
import { accessChannel } from '../channels/channel-access.ts'
import { ownChannel } from '../channels/channel-states.ts'
import { usersOfChannel } from '../channels/channel-wire.ts'
import { mutedChannels } from '../mutes/muted-channels.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { composeMessages } from './compose-messages.ts'
import { deleteForMe } from './delete-for-me.ts'
import { deleteMessage } from './delete-message.ts'
import { type Edit, editMessage, isPinning, showEdit } from './edit-message.ts'
import { accessMessage, horizonOf, isWithin, sightOf } from './message-access.ts'
import { queryMessageHistory } from './message-history.ts'
import { messagesByIds } from './message-store.ts'
import { pageOf } from './pages.ts'
import { accessPending, commitMessage, composePending, dropPending } from './pending-messages.ts'
import { pinnedMessages } from './pinned-messages.ts'
import { sendMessage } from './send-message.ts'
import { translateMessage } from './translate-message.ts'
import { goneForGood, undeleteMessage } from './undelete-message.ts'

/** The most messages one call returns by id [messaging.md 5.5]. */
const IDS_MAX = 100

const send = endpoint(
  {
    name: 'SendMessage',
    method: 'POST',
    path: '/channels/:type/:id/message',
    body: SendMessageRequest,
    answer: SendMessageAnswer,
    status: 201,
    makesUser: true,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    const said = caller.server ? (body.pending ?? body.is_pending_message) : undefined
    const pending = said ?? access.config.mark_messages_pending
    const metadata = caller.server ? body.pending_message_metadata : undefined
    const message = await sendMessage(server, access, actingUser(caller), body.message, {
      fromServer: caller.server,
      keepHidden: body.keep_channel_hidden === true,
      skipPreview: body.skip_enrich_url === true,
      skipPush: body.skip_push === true,
      forceModeration: body.force_moderation === true,
      ...(pending && { pending: { metadata } }),
    })
    return { message, ...(pending && metadata && { pending_message_metadata: metadata }) }
  },
)

const get = endpoint(
  {
    name: 'GetMessage',
    method: 'GET',
    path: '/messages/:id',
    query: Type.Object({ show_deleted_message: Type.Optional(Type.String()) }),
    answer: answer({
      message: Type.Object({ ...Message.properties, channel: Channel }, customOfMessage),
      pending_message_metadata: Type.Optional(PendingMetadata),
    }),
  },
  async ({ caller, params, query }, server) => {
    const app = caller.app.id
    const showDeleted = caller.server && isTrue('show_deleted_message', query.show_deleted_message)
    const waiting = await accessPending(server, caller, params.id!)
    const { access, message } = waiting
      ? { ...waiting, message: undefined }
      : await accessMessage(server, caller, params.id!, 'read-channel')
    const userSummaries = await userSummariesOf(server, app, usersOfChannel(access.channel))
    const mute = caller.user && (await mutedChannels(server, app, caller.user.id)).get(access.channel.cid)
    const channel = ownChannel(server, access.channel, caller, { member: access.member, mute }, userSummaries)
    if (waiting) {
      const [pending] = await composePending(server, app, [waiting.pending])
      const { metadata } = pending!
      return { message: { ...pending!.message, channel }, ...(metadata && { pending_message_metadata: metadata }) }
    }
    const [wire] = await composeMessages(server, app, [message!], caller.user?.id, server.database.read, {
      showDeleted,
      showShadowed: caller.server,
    })
    return { message: { ...wire!, channel } }
  },
)

const getMany = endpoint(
  {
    name: 'GetManyMessages',
    method: 'GET',
    path: '/channels/:type/:id/messages',
    query: Type.Object({ ids: Type.String({ minLength: 1 }) }),
    answer: MessagesAnswer,
  },
  async ({ caller, params, query }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    const ids = query.ids.split(',').filter(Boolean)
    if (ids.length > IDS_MAX) throw inputError('ids', `ids must contain at maximum ${IDS_MAX} items`)
    const rows = await messagesByIds(server.database.read, server.database.dialect, caller.app.id, ids)
    const sight = sightOf(access)
    const seen = rows.filter((row) => row.cid === access.channel.cid && isWithin(row, sight))
    const eyes = { showShadowed: caller.server }
    return {
      messages: await composeMessages(server, caller.app.id, seen, caller.user?.id, server.database.read, eyes),
    }
  },
)

const replies = endpoint(
  {
    name: 'GetReplies',
    method: 'GET',
    path: '/messages/:id/replies',
    query: Type.Object({
      ...Object.fromEntries(Object.keys(MessagePage.properties).map((name) => [name, Type.Optional(Type.String())])),
      sort: Type.Optional(Type.String()),
    }),
    answer: MessagesAnswer,
  },
  async ({ caller, params, query }, server) => {
    const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel')
    const { sort, limit, ...positions } = query as Record<string, string>
    const page = { ...positions, limit: limitOf(limit) }
    const run = { app: caller.app.id, cid: message.cid, parentId: message.id }
    const rows = await pageOf(server, run, page, horizonOf(access))
    if (isNewestFirst(sort)) rows.reverse()
    const eyes = { showShadowed: caller.server }
    return {
      messages: await composeMessages(server, caller.app.id, rows, caller.user?.id, server.database.read, eyes),
    }
  },
)

/** @throws ChatError InputError (4) — replies can be sorted by `created_at` only */
function isNewestFirst(text: string | undefined): boolean {
  if (text === undefined) return false
  const sort = spelledSort(parseJson(text, 'sort'))
  if (!Value.Check(Sort, sort) || sort.some(({ field }) => field !== 'created_at'))
    throw inputError('sort', 'sort must be [{"field": "created_at", "direction": 1 or -1}]')
  return sort[0]?.direction === -1
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return REPLIES_PAGE
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 300)
    throw inputError('limit', 'limit must be a whole number from 1 to 300')
  return limit
}

/** One handler for both methods: the body decides whether it replaces or patches [MSG-32]. */
const edit = (name: string, method: 'POST' | 'PUT'): Endpoint =>
  endpoint(
    {
      name,
      method,
      path: '/messages/:id',
      body: EditMessageRequest,
      answer: MessageAnswer,
      status: method === 'POST' ? 201 : 200,
    },
    async ({ caller, params, body }, server) => {
      const change: Edit = body.message
        ? { replace: body.message }
        : { patch: { ...(body.set && { set: body.set }), ...(body.unset && { unset: body.unset }) } }
      if (!body.message && !body.set && !body.unset) throw inputError('message', 'message, set or unset must be given')
      if (await accessPending(server, caller, params.id!))
        throw new ChatError('InputError', `message ${params.id} is pending and can't be changed`)
      const permission = isPinning(change) ? 'read-channel' : 'update-message'
      const { message, access } = await accessMessage(server, caller, params.id!, permission)
      const skipPreview = body.skip_enrich_url === true
      return {
        message: await editMessage(server, access, message, change, caller.user, {
          fromServer: caller.server,
          skipPreview,
        }),
      }
    },
  )

const ephemeral = endpoint(
  {
    name: 'EphemeralUpdateMessage',
    method: 'PATCH',
    path: '/messages/:id/ephemeral',
    body: EphemeralEditRequest,
    answer: MessageAnswer,
  },
  async ({ caller, params, body }, server) => {
    const { message, access } = await accessMessage(server, caller, params.id!, 'update-message')
    const patch = { ...(body.set && { set: body.set }), ...(body.unset && { unset: body.unset }) }
    return { message: await showEdit(server, access, message, patch, caller.user, { fromServer: caller.server }) }
  },
)

const remove = endpoint(
  { name: 'DeleteMessage', method: 'DELETE', path: '/messages/:id', query: DeleteMessageQuery, answer: MessageAnswer },
  async ({ caller, params, query }, server) => {
    const deleter =
      query.deleted_by === undefined ? caller.user : await server.users.get(caller.app.id, query.deleted_by)
    if (query.deleted_by !== undefined && !caller.server && deleter?.id !== caller.user?.id)
      throw new ChatError('NotAllowedError', 'deleted_by is for server-side calls')
    const waiting = await accessPending(server, caller, params.id!)
    const hard = isTrue('hard', query.hard)
    if (waiting && !hard) throw inputError('hard', `message ${params.id} is pending and can only be deleted hard`)
    if (waiting) return { message: await dropPending(server, waiting.pending, deleter) }
    if (isTrue('delete_for_me', query.delete_for_me)) {
      const user = deleter ?? actingUser(caller)
      const { message, access } = await accessMessage(server, { ...caller, user }, params.id!, 'read-channel')
      return { message: await deleteForMe(server, access, message.id, user) }
    }
    const { message, access } = await accessMessage(server, caller, params.id!, 'delete-message')
    // Even a banned author may delete their own messages.
    const unseen = message.user_id === caller.user?.id ? {} : await checkMayChange(server, caller, access)
    return { message: await deleteMessage(server, access, message.id, { hard }, deleter, unseen) }
  },
)

const pins = endpoint(
  {
    name: 'GetPinnedMessages',
    method: 'GET',
    path: '/channels/:type/:id/pinned_messages',
    payload: PinnedMessagesPayload,
    answer: MessagesAnswer,
  },
  async ({ caller, params, query }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    return { messages: await pinnedMessages(server, access, query) }
  },
)

const undelete = endpoint(
  {
    name: 'UndeleteMessage',
    method: 'POST',
    path: '/messages/:id/undelete',
    body: UndeleteMessageRequest,
    answer: MessageAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel').catch((error) => {
      throw error instanceof ChatError && error.kind === 'DoesNotExistError' ? goneForGood(params.id!) : error
    })
    const named = body.undeleted_by
    const by = named === undefined ? caller.user : await server.users.get(caller.app.id, named)
    if (named !== undefined && !by) throw inputError('undeleted_by', `could not find user ${named}`)
    return { message: await undeleteMessage(server, access, message.id, by) }
  },
)

const commit = endpoint(
  {
    name: 'CommitMessage',
    method: 'POST',
    path: '/messages/:id/commit',
    answer: MessageAnswer,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, params }, server) => ({ message: await commitMessage(server, caller, params.id!) }),
)

const translate = endpoint(
  {
    name: 'TranslateMessage',
    method: 'POST',
    path: '/messages/:id/translate',
    body: TranslateMessageRequest,
    answer: MessageAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    // All other readers get the translation, too.
    const reader = caller.server ? caller.user : namedUser(caller)
    const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel')
    return { message: await translateMessage(server, access, message, body.language, reader) }
  },
)

const history = endpoint(
  {
    name: 'QueryMessageHistory',
    method: 'POST',
    path: '/messages/history',
    body: QueryMessageHistoryRequest,
    answer: MessageHistoryAnswer,
    status: 201,
    serverOnly: true,
  },
  ({ caller, body }, server) => queryMessageHistory(server, caller.app.id, body),
)

export const messageEndpoints: Endpoint[] = [
  history,
  send,
  get,
  getMany,
  replies,
  edit('UpdateMessage', 'POST'),
  edit('UpdateMessagePartial', 'PUT'),
  ephemeral,
  remove,
  undelete,
  commit,
  pins,
  translate,
]
