import type { Poll } from '@parley/protocol/polls'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { isOpen, recipientsNow } from '../../chat/messages/message-recipients.ts'
import { messagesByPoll } from '../../chat/messages/messages-with-poll.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { Batch, ChannelEvent } from '../../platform/database/batch.ts'
import type { MessageRow, PollRow, PollVoteRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { missingPoll } from './poll-access.ts'
import { lockedPoll, updatePollRow } from './poll-store.ts'
import { forEveryone, voteWire, withoutName } from './poll-wire.ts'
import { composePolls } from './polls-shown.ts'

/** The changed poll, and the events to publish about it, in order. */
export interface PollChange {
  poll: PollRow
  told: { type: string; vote?: PollVoteRow }[]
}

/**
 * Returns the change; undefined when nothing changed.
 *
 * @param at later than every earlier change of the poll
 * @param messages where the poll is shown, newest first: see `messagesByPoll`
 */
export type ActOnPoll = (
  batch: Batch,
  poll: PollRow,
  at: Micros,
  messages: readonly MessageRow[],
) => Promise<PollChange | undefined>

/**
 * Changes a poll while it is locked, and publishes the events to the watchers of every channel where a message shows it
 * [messaging.md 7.4]. Every event has the poll after the change; of two copies of a poll the one with the later
 * `updated_at` is newer, votes included.
 *
 * @param messageId the message that was voted on; events in its channel name it, any other the newest with the poll.
 *   A restricted message is only named where no other shows the poll
 * @returns the poll as the viewer reads it
 * @throws ChatError DoesNotExistError (16) — it was deleted in the meantime
 */
export async function changePoll(
  server: Server,
  { app, id }: Pick<PollRow, 'app' | 'id'>,
  viewerId: string | undefined,
  act: ActOnPoll,
  messageId?: string,
): Promise<Poll> {
  const write = async (batch: Batch, stored: PollRow, messages: readonly MessageRow[]) => {
    const at = Math.max(batch.now(), stored.updated_at + 1)
    const change = await act(batch, stored, at, messages)
    const row = change ? { ...change.poll, updated_at: at } : stored
    if (change) await updatePollRow(batch.db, row)
    const [poll] = await composePolls(server, app, [row], viewerId, batch.db)
    if (change) await publish(server, batch, messages, change, poll!, messageId)
    return poll!
  }
  return withPoll(server, app, id, write, messageId)
}

/**
 * Runs a write that locks the poll and the channels of its messages. Starts again when the poll was sent to another
 * channel in between.
 */
export async function withPoll<Result>(
  server: Server,
  app: string,
  id: string,
  act: (batch: Batch, poll: PollRow, messages: readonly MessageRow[]) => Promise<Result>,
  messageId?: string,
): Promise<Result> {
  for (;;) {
    const known = await messagesByPoll(server.database.read, app, id, undefined)
    const cids = new Set(known.map((message) => message.cid))
    const done = await server.commit.write(app, [...cids], async (batch) => {
      const poll = await lockedPoll(batch.db, batch.dialect, app, id)
      if (!poll) throw missingPoll(id)
      const messages = await messagesByPoll(batch.db, app, id, messageId)
      if (messages.some(({ cid }) => !cids.has(cid))) return undefined
      return { result: await act(batch, poll, messages) }
    })
    if (done) return done.result
  }
}

async function publish(
  server: Server,
  batch: Batch,
  messages: readonly MessageRow[],
  { poll: row, told }: PollChange,
  poll: Poll,
  messageId: string | undefined,
) {
  const userSummaries = await userSummariesOf(
    server,
    row.app,
    told.flatMap(({ vote }) => vote?.user_id ?? []),
  )
  for (const { type, vote } of told) {
    const heard = { poll: forEveryone(poll) }
    if (!vote) await publishToWatchers(server, batch, messages, messageId, type, heard)
    else if (vote.shadowed) {
      const own = {
        userId: vote.user_id,
        about: { ...heard, poll_vote: voteWire(row, vote, userSummaries, vote.user_id) },
      }
      await publishToWatchers(server, batch, messages, messageId, type, undefined, own)
    } else if (row.voting_visibility === 'public')
      await publishToWatchers(server, batch, messages, messageId, type, {
        ...heard,
        poll_vote: voteWire(row, vote, userSummaries, undefined),
      })
    else {
      const poll_vote = voteWire(row, vote, userSummaries, vote.user_id)
      // Without it, the voter's other devices could not see that the vote is their own.
      const own = { userId: vote.user_id, about: { ...heard, poll_vote } }
      await publishToWatchers(
        server,
        batch,
        messages,
        messageId,
        type,
        { ...heard, poll_vote: withoutName(poll_vote) },
        own,
      )
    }
  }
}

/**
 * Publishes an event to the watchers of every channel where a message shows the poll.
 *
 * @param about undefined when only the user of `own` gets the event
 * @param own what this user gets instead, right after the others
 */
export async function publishToWatchers(
  server: Server,
  batch: Batch,
  messages: readonly MessageRow[],
  messageId: string | undefined,
  type: string,
  about: object | undefined,
  own?: { userId: string; about: object },
) {
  const recipients = recipientsNow(server, batch.db)
  for (const [cid, shown] of Map.groupBy(messages, (message) => message.cid)) {
    const channel = batch.channel(shown[0]!.app, cid)
    if (!channel || channel.deleted_at !== null) continue
    const seen = shown.filter((message) => channel.truncated_at === null || message.created_at >= channel.truncated_at)
    const openToAll = seen.filter(isOpen)
    const open = openToAll.find(({ id }) => id === messageId) ?? openToAll[0]
    // A user who sees one of these messages sees the poll.
    const newest = Math.max(...openToAll.map(({ created_at }) => created_at))
    // If every message is restricted, the recipients of each one get the event.
    for (const message of open ? [open] : seen) {
      const { only } = await recipients(message)
      const publish = (about: object, told: Partial<ChannelEvent>) => {
        const at = batch.nextTime(channel)
        batch.publish(channel, type, {
          at,
          watchers: channelEvent(channel, type, at, { message_id: message.id, ...about }),
          about: open ? newest : message.created_at,
          ...told,
        })
      }
      if (about) publish(about, { ...(only && { only }), ...(own && { except: own.userId }) })
      if (own && (!only || only.includes(own.userId))) publish(own.about, { only: [own.userId], outbound: false })
    }
  }
}
