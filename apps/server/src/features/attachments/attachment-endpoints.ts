import { FileQuery, LinkPreviewAnswer, LinkQuery, UploadAnswer, UploadForm } from '@parley/protocol/attachments'
import { Done } from '@parley/protocol/wire'
import { actingUser, type Caller, namedUser } from '../../chat/api/caller.ts'
import { type Call, type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { checkMayChange, checkNotBanned, checkWriter } from '../../chat/bans/banned.ts'
import { type Access, accessChannel, demand, notAllowed } from '../../chat/channels/channel-access.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { parseJson } from '../../platform/http/json.ts'
import type { Server } from '../../server.ts'
import { accessFile, deleteFile } from './delete-file.ts'
import { keepUpload } from './keep-upload.ts'
import type { FileKind } from './upload-rules.ts'

const called = { file: 'File', image: 'Image' } as const

/** Uploads to a channel [ATT-1, ATT-2]. */
const upload = (kind: FileKind) =>
  endpoint(
    {
      name: `Upload${called[kind]}`,
      method: 'POST',
      path: `/channels/:type/:id/${kind}`,
      form: UploadForm,
      answer: UploadAnswer,
      status: 201,
    },
    async (call, server) => {
      checkGuest(server, call.caller)
      const access = await accessUploads(server, call)
      return keepUpload(server, {
        app: call.caller.app,
        kind,
        cid: access.channel.cid,
        incoming: call.incoming!,
        uploader: uploaderOf(server, call.caller),
      })
    },
  )

/** Avatars of users and channels: they belong to no channel [messaging.md 4.14]. */
const uploadAlone = (kind: FileKind) =>
  endpoint(
    {
      name: `Upload${called[kind]}Alone`,
      method: 'POST',
      path: `/uploads/${kind}`,
      form: UploadForm,
      answer: UploadAnswer,
      status: 201,
    },
    async ({ caller, incoming }, server) => {
      if (caller.user?.role === 'anonymous')
        throw new ChatError('NotAllowedError', 'somebody without a name may not upload files')
      checkGuest(server, caller)
      checkNotBanned(caller.user)
      return keepUpload(server, {
        app: caller.app,
        kind,
        cid: null,
        incoming: incoming!,
        uploader: uploaderOf(server, caller),
      })
    },
  )

/** [ATT-3, ATT-4] */
const remove = (kind: FileKind) =>
  endpoint(
    {
      name: `Delete${called[kind]}`,
      method: 'DELETE',
      path: `/channels/:type/:id/${kind}`,
      query: FileQuery,
      answer: Done,
    },
    async ({ caller, params, query }, server) => {
      const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
      const { app, cid } = access.channel
      const file = await accessFile(server, { app, cid, kind }, query.url)
      const own = file.user_id === caller.user?.id
      if (!access.can('delete-attachment') && !(own && access.can('delete-attachment-owner')))
        throw notAllowed(access, 'delete-attachment')
      // A banned user may still delete their own uploads.
      const unseen = !own && (await checkMayChange(server, caller, access)).alone !== undefined
      if (!unseen) await deleteFile(server, file)
      return {}
    },
  )

const removeAlone = (kind: FileKind) =>
  endpoint(
    {
      name: `Delete${called[kind]}Alone`,
      method: 'DELETE',
      path: `/uploads/${kind}`,
      query: FileQuery,
      answer: Done,
    },
    async ({ caller, query }, server) => {
      const file = await accessFile(server, { app: caller.app.id, cid: null, kind }, query.url)
      if (!caller.server && file.user_id !== caller.user?.id)
        throw new ChatError('NotAllowedError', 'only who uploaded a file may delete it')
      await deleteFile(server, file)
      return {}
    },
  )

/** The preview of a link, for a user composing a message [ATT-5]. */
const preview = endpoint(
  { name: 'GetOG', method: 'GET', path: '/og', query: LinkQuery, answer: LinkPreviewAnswer },
  async ({ caller, query }, server) => {
    if (!caller.server) namedUser(caller)
    const { url = '' } = query
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw inputError('url', 'url must be an http or https address')
    const found = server.settings.linkPreviews ? await server.previews.of(url) : undefined
    if (!found) throw new ChatError('DoesNotExistError', `there is no preview of ${url}`)
    return found
  },
)

/** @throws ChatError NotAllowedError (17) [ATT-10], ChannelFeatureNotSupportedError (19) */
async function accessUploads(server: Server, { caller, params }: Call<unknown, unknown>): Promise<Access> {
  const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
  if (!access.config.uploads)
    throw new ChatError(
      'ChannelFeatureNotSupportedError',
      `uploads are turned off in channels of type ${access.channel.type}`,
    )
  demand(access, 'upload-attachment')
  if (access.user) await checkWriter(server, access.user, access)
  return access
}

/** The owner of the file: the caller, or server side the user named in the form [messaging.md 4.14]. */
/** @throws ChatError NotAllowedError (17) — guests, who are anonymous, must not fill the disk [SET-6] */
function checkGuest({ settings }: Server, { server: isServer, user }: Caller) {
  if (!isServer && user?.role === 'guest' && !settings.guestUploads)
    throw new ChatError('NotAllowedError', 'guests may not upload files on this server')
}

function uploaderOf(server: Server, caller: Caller) {
  return async (fields: Readonly<Record<string, string>>): Promise<UserRow> => {
    if (!caller.server || fields.user === undefined) return actingUser(caller)
    const { id } = (parseJson(fields.user, 'user') ?? {}) as { id?: unknown }
    const user = typeof id === 'string' ? await server.users.get(caller.app.id, id) : undefined
    if (!user) throw inputError('user', `could not find user ${String(id)}`)
    return user
  }
}

export const attachmentEndpoints: Endpoint[] = [
  upload('file'),
  upload('image'),
  remove('file'),
  remove('image'),
  uploadAlone('file'),
  uploadAlone('image'),
  removeAlone('file'),
  removeAlone('image'),
  preview,
]
