import type { Thread } from '@parley/protocol/threads'
import type { PartialUpdate } from '@parley/protocol/wire'
import { inputError } from '../../platform/chat-error.ts'
import { checkPaths, patched } from '../../platform/custom-data.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { checkWriter, isShadowed } from '../bans/banned.ts'
import { type Access, notAllowed, stillThere } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { checkRepliesOn } from '../messages/check-message.ts'
import { missing } from '../messages/message-access.ts'
import { recipientsNow } from '../messages/message-recipients.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { composeThreads } from './compose-threads.ts'
import { type ThreadView, threadById, updateThreadRow } from './thread-store.ts'

/** The title has the length limit of custom data. */
const TITLE_CHARS = 255
const AS_PUBLISHED = { replies: 0, participants: 100 }
const AS_ANSWERED = { replies: 2, participants: 100 }

/** Fields that the server keeps [THR-21…27]. */
const kept: ReadonlySet<string> = new Set(
  `id type user user_id created_at updated_at deleted_at reply_count participants thread_participants channel
   channel_cid parent_message parent_message_id created_by created_by_user_id participant_count read latest_replies
   active_participant_count last_message_at draft cid`.split(/\s+/),
)

/**
 * Sets the title and the custom fields of a thread [THR-32].
 *
 * @throws ChatError InputError (4) — a field the server keeps is named
 * @throws ChatError ChannelFeatureNotSupportedError (19) — the channel has no replies
 * @throws ChatError NotAllowedError (17) — neither the parent's author, nor the first replier, nor a moderator; or a
 *   banned user
 */
export async function updateThread(
  server: Server,
  caller: Caller,
  { thread, parent, access }: { thread: ThreadView; parent: MessageRow; access: Access },
  { set = {}, unset = [] }: PartialUpdate,
): Promise<Thread> {
  checkRepliesOn(access)
  if (!mayUpdate(caller, access, thread, parent)) throw notAllowed(access, 'update-thread')
  checkPaths({ set, unset })
  for (const path of [...Object.keys(set), ...unset]) {
    const field = path.split('.')[0]!
    if (kept.has(field)) throw inputError(field, `${field} is managed by the server and can't be set on a thread`)
  }
  const { title, ...fields } = set
  if (title !== undefined && (typeof title !== 'string' || title.length > TITLE_CHARS))
    throw inputError('title', `title must be text of at most ${TITLE_CHARS} characters`)

  const { app, cid } = access.channel
  const { id } = thread
  const writer = !caller.server && caller.user && (await checkWriter(server, caller.user, access))
  const isAlone = writer && isShadowed(writer, access)
  return server.commit.write(app, [cid], async (batch) => {
    const channel = stillThere(batch, access.channel)
    const at = batch.nextTime(channel)
    const stored = await threadById(batch.db, app, id)
    if (!stored) throw missing(id)
    const paths = unset.filter((path) => path !== 'title')
    const changed: ThreadView = {
      ...stored,
      title: typeof title === 'string' ? title : unset.includes('title') ? null : stored.title,
      data: JSON.stringify(patched(JSON.parse(stored.data), { set: fields, unset: paths })),
      updated_at: at,
    }
    // A shadow-banned writer does not notice: the event goes to them alone, and nothing is stored.
    if (!isAlone) await updateThreadRow(batch.db, app, id, changed)
    const [heard] = await composeThreads(server, app, undefined, [changed], AS_PUBLISHED, batch.db)
    const user = caller.user && (await userSummariesOf(server, app, [caller.user.id])).of(caller.user.id)
    batch.publish(channel, 'thread.updated', {
      at,
      watchers: channelEvent(channel, 'thread.updated', at, { thread: heard, ...(user && { user }) }),
      ...(await recipientsNow(server, batch.db)(parent)),
      ...(isAlone && { only: [writer.id] }),
    })
    const [answered] = await composeThreads(server, app, caller, [changed], AS_ANSWERED, batch.db)
    return answered!
  })
}

/** The channel's creator owns the channel, but not the threads of other users. */
function mayUpdate({ server, user }: Caller, access: Access, thread: ThreadView, parent: MessageRow) {
  if (server || user?.id === parent.user_id || user?.id === thread.created_by) return true
  return access.can('update-thread')
}
