import type { Message } from '@parley/protocol/messages'
import type { Read } from '@parley/protocol/reads'
import type { Thread, ThreadParticipant } from '@parley/protocol/threads'
import type { Kysely } from 'kysely'
import type { MemberRow, Tables, ThreadParticipantRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { accessWith } from '../channels/channel-access.ts'
import { ownChannel } from '../channels/channel-states.ts'
import { channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { ownMemberships } from '../members/members-of-channels.ts'
import { restrictedFor } from '../messages/message-recipients.ts'
import { messagesOfThreads } from '../messages/messages-of-threads.ts'
import { mutedChannels } from '../mutes/muted-channels.ts'
import { unreadOf } from '../reads/counting.ts'
import { hides } from '../users/privacy.ts'
import { type UserSummaries, userSummariesOf } from '../users/user-summaries.ts'
import { newestParticipants, type ThreadRead, type ThreadView, threadReads } from './thread-store.ts'

export interface ThreadLimits {
  replies: number
  participants: number
}

/**
 * Threads as one caller reads them. The number of queries does not grow with the threads.
 *
 * @param viewer undefined for an event, which has nothing of a single user
 * @param db the transaction, when the rows were written in it
 */
export async function composeThreads(
  server: Server,
  app: string,
  viewer: Caller | undefined,
  threads: readonly ThreadView[],
  limits: ThreadLimits,
  db: Kysely<Tables> = server.database.read,
): Promise<Thread[]> {
  if (threads.length === 0) return []
  const { dialect } = server.database
  const ids = threads.map((thread) => thread.id)
  const viewerId = viewer?.user?.id
  const participants = await newestParticipants(db, dialect, app, ids, limits.participants)
  const own = viewerId === undefined ? [] : ids.map((thread_id) => ({ thread_id, user_id: viewerId }))
  const reads = await threadReads(db, dialect, app, [...participants, ...own])
  const channels = await server.channels.getAll(
    app,
    threads.map((thread) => thread.cid),
  )
  const memberships =
    viewerId === undefined
      ? new Map<string, MemberRow>()
      : await ownMemberships(server, app, viewerId, [...channels.keys()])
  const seesAll = ({ cid }: ThreadView) => {
    const channel = channels.get(cid)
    if (!viewer || !channel) return false
    return restrictedFor(accessWith(server, channel, viewer.server, viewer.user, memberships.get(cid))) === null
  }
  const reader = { id: viewerId, unrestricted: threads.filter(seesAll).map(({ cid }) => cid) }
  const messages = await messagesOfThreads(server, app, ids, limits.replies, reader, db)
  const mutes = viewerId === undefined ? undefined : await mutedChannels(server, app, viewerId)
  const userSummaries = await userSummariesOf(server, app, [
    ...[...channels.values()].flatMap(usersOfChannel),
    ...threads.map((thread) => thread.created_by),
    ...[...participants, ...reads].map((row) => row.user_id),
  ])

  const participantsOf = Map.groupBy(participants, (row) => row.thread_id)
  const readsOf = Map.groupBy(reads, (row) => row.thread_id)
  return threads.flatMap((thread) => {
    const channel = channels.get(thread.cid)
    const shown = messages.get(thread.id)
    if (!channel || !shown) return []
    return [
      threadWire(thread, shown, {
        channel: viewer
          ? ownChannel(
              server,
              channel,
              viewer,
              { member: memberships.get(thread.cid), mute: mutes?.get(thread.cid) },
              userSummaries,
            )
          : channelWire(server, channel, userSummaries),
        participants: (participantsOf.get(thread.id) ?? []).map((row) =>
          participantWire(row, thread.cid, userSummaries, hidesReading(server, row, viewerId)),
        ),
        read: (readsOf.get(thread.id) ?? []).flatMap((row) => readEntry(server, row, userSummaries, viewerId)),
        userSummaries,
      }),
    ]
  })
}

interface Surroundings {
  channel: Thread['channel']
  participants: ThreadParticipant[]
  read: Read[]
  userSummaries: UserSummaries
}

function threadWire(
  thread: ThreadView,
  { parent, replies }: { parent: Message; replies: Message[] },
  { channel, participants, read, userSummaries }: Surroundings,
): Thread {
  return {
    ...JSON.parse(thread.data),
    channel_cid: thread.cid,
    channel,
    parent_message_id: thread.id,
    parent_message: parent,
    created_by_user_id: thread.created_by,
    created_by: userSummaries.of(thread.created_by),
    title: thread.title ?? parent.text,
    reply_count: thread.reply_count,
    participant_count: thread.participant_count,
    active_participant_count: thread.active_participant_count,
    thread_participants: participants,
    latest_replies: replies,
    read,
    last_message_at: isoOf(thread.last_message_at),
    created_at: isoOf(thread.created_at),
    updated_at: isoOf(thread.updated_at),
    ...(parent.draft && { draft: parent.draft }),
    ...(thread.parent_deleted_at !== null && { deleted_at: isoOf(thread.parent_deleted_at) }),
  }
}

/** @param hides  the participant hides read receipts: others see the time of joining as the last read time */
function participantWire(
  row: ThreadParticipantRow,
  cid: string,
  userSummaries: UserSummaries,
  hides: boolean,
): ThreadParticipant {
  return {
    channel_cid: cid,
    thread_id: row.thread_id,
    user_id: row.user_id,
    user: userSummaries.of(row.user_id),
    created_at: isoOf(row.created_at),
    last_read_at: isoOf(hides ? row.created_at : row.last_read),
    ...(row.last_message_at !== null && { last_thread_message_at: isoOf(row.last_message_at) }),
    ...(row.left_at !== null && { left_thread_at: isoOf(row.left_at) }),
  }
}

/** A user who hides read receipts appears only in their own list of reads. */
function readEntry(
  server: Server,
  row: ThreadRead,
  userSummaries: UserSummaries,
  viewerId: string | undefined,
): Read[] {
  if (hidesReading(server, row, viewerId)) return []
  return [
    {
      user: userSummaries.of(row.user_id),
      last_read: isoOf(row.last_read),
      ...(row.last_read_message_id !== null && { last_read_message_id: row.last_read_message_id }),
      unread_messages: unreadOf(server.apps.of(row.app), row),
    },
  ]
}

function hidesReading(
  server: Server,
  { app, user_id }: { app: string; user_id: string },
  viewerId: string | undefined,
) {
  return user_id !== viewerId && hides(server.users.known(app, user_id), 'read_receipts')
}
