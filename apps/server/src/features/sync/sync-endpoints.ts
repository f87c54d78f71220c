import { SyncRequest } from '@parley/protocol/channels'
import { splitCid } from '@parley/protocol/cid'
import { SYNC_CHANNELS_MAX, SYNC_DAYS, SYNC_EVENTS_MAX } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { namedUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { readableAmong } from '../../chat/channels/channel-access.ts'
import { mayWatch } from '../../chat/members/blocked.ts'
import { restrictedFor } from '../../chat/messages/message-recipients.ts'
import { inputError } from '../../platform/chat-error.ts'
import { lastLoss } from '../../platform/database/commit-marks.ts'
import { isTrue } from '../../platform/http/query-flag.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'
import { condenseEvents, type SyncEvent } from './condense-events.ts'
import { withCurrentContent } from './current-content.ts'
import { eventsSince } from './event-store.ts'
import { withoutLostPolls } from './without-lost-polls.ts'

const DAY = 86_400_000_000

/** The events of channels since a time, so that a client that was offline catches up [CON-18, CON-25]. */
const sync = endpoint(
  {
    name: 'Sync',
    method: 'POST',
    path: '/sync',
    body: SyncRequest,
    query: Type.Object({ with_inaccessible_cids: Type.Optional(Type.String()), watch: Type.Optional(Type.String()) }),
    answer: answer({
      events: Type.Array(Type.Record(Type.String(), Type.Unknown())),
      inaccessible_cids: Type.Optional(Type.Array(Type.String())),
    }),
    status: 201,
  },
  async ({ caller, body, query }, server) => {
    const user = namedUser(caller)
    if (body.channel_cids.length > SYNC_CHANNELS_MAX)
      throw inputError('channel_cids', `channel_cids must contain at maximum ${SYNC_CHANNELS_MAX} items`)
    const since = microsOf(body.last_sync_at)
    if (since === undefined) throw inputError('last_sync_at', 'last_sync_at is not a time')
    const now = server.clock.micros()
    if (since < now - SYNC_DAYS * DAY)
      throw inputError(
        'last_sync_at',
        `Too old last_sync_at time, please have last_sync_at argument no later than ${SYNC_DAYS} days ago`,
      )
    // The log does not contain the effects of lost commits, so the client reloads everything [CON-27].
    if (since <= (await lastLoss(server.database.read)))
      throw inputError(
        'last_sync_at',
        'The events since last_sync_at are not known any more, please query the channels again',
      )

    const open = await readableAmong(server, caller, body.channel_cids)
    const closed = [...new Set(body.channel_cids)].filter((cid) => !open.has(cid))
    // Runs before the log is read: events in between reach the socket.
    if (isTrue('watch', query.watch)) {
      const watched = [...open].filter(([, { member }]) => mayWatch(member)).map(([cid]) => cid)
      await server.live.of(caller).watch(watched)
    }
    const rows = await eventsSince(
      server.database.read,
      server.database.dialect,
      caller.app.id,
      [...open.keys()],
      user.id,
      since,
    )
    if (rows.length > SYNC_EVENTS_MAX)
      throw inputError('last_sync_at', 'Too many events to sync, please use a more recent last_sync_at parameter')
    const hiddenTo = (cid: string) => open.get(cid)?.member?.hide_before ?? 0
    const told = rows.filter(({ cid, at, type, user_id }) => {
      const { channel, member } = open.get(cid)!
      // A channel that was created again hides events of its former existence. For a new member with a hidden history
      // there are none: a returning member must drop the old state.
      if (at < channel.created_at) return false
      if (at <= hiddenTo(cid) && at < member!.created_at) return type === 'notification.removed_from_channel'
      // Of a channel hidden by a block, only the user's own events are sent.
      return !member?.blocked || user_id === user.id
    })
    const unrestricted = [...open].flatMap(([cid, access]) => (restrictedFor(access) === null ? cid : []))
    const goneTo = (cid: string) => Math.max(hiddenTo(cid), (open.get(cid)?.channel.truncated_at ?? 0) - 1)
    // Events of a message that is hidden, or gone with the history [CHN-38], are left out, but the channel change it
    // described is kept.
    const logged = told.map(({ body }) => JSON.parse(body) as SyncEvent)
    const current = await withCurrentContent(server, caller.app.id, logged, { id: user.id, open })
    const seen = condenseEvents(current).flatMap((event) => {
      const { message, message_id: _, ...rest } = event
      const about = message ?? event.thread?.parent_message
      // The recipient's role may have changed since.
      if (about && isNotFor(about, user.id) && !unrestricted.includes(event.cid ?? '')) return []
      if (!about || microsOf(about.created_at)! > goneTo(event.cid ?? '')) return [event]
      return event.type?.startsWith('channel.') ? [rest] : []
    })
    const events = await withoutLostPolls(server, caller.app.id, seen, goneTo, { id: user.id, unrestricted })
    if (isTrue('with_inaccessible_cids', query.with_inaccessible_cids)) return { events, inaccessible_cids: closed }
    const lost = closed.map((cid) => {
      const { type, id } = splitCid(cid)
      return {
        type: 'notification.removed_from_channel',
        cid,
        channel_type: type,
        channel_id: id,
        created_at: isoOf(now),
        user: { id: user.id },
      }
    })
    return { events: [...events, ...lost] }
  },
)

/** Whether a message is restricted to some users, and this user is not one of them. */
function isNotFor({ restricted_visibility: names, user }: Message, userId: string): boolean {
  return names.length > 0 && user.id !== userId && !names.includes(userId)
}

export const syncEndpoints: Endpoint[] = [sync]
