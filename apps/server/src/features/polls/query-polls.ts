import { POLLS_PAGE } from '@parley/protocol/limits'
import type { Poll, PollVote, QueryPollsRequest, QueryPollVotesRequest } from '@parley/protocol/polls'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import { type Access, notAllowed } from '../../chat/channels/channel-access.ts'
import { meantFor } from '../../chat/messages/message-recipients.ts'
import { demandInApp } from '../../chat/permissions/demand-in-app.ts'
import { closedTo } from '../../chat/reads/may-read.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  type Entity,
  flagColumn,
  numberColumn,
  operators,
  textColumn,
  tieBreak,
  timeColumn,
} from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
import type { PollRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { PollAccess } from './poll-access.ts'
import { findPolls, findVotes } from './poll-store.ts'
import { voteWire } from './poll-wire.ts'
import { composePolls } from './polls-shown.ts'
import { checkPollsOn } from './send-poll.ts'

const newestFirst = [{ field: 'created_at', direction: -1 as const }]

/** The fields by which polls can be filtered and sorted [messaging.md 7.2]. */
const pollEntity: Entity = {
  filterName: 'filter',
  custom: 'p.data',
  tieBreak: [tieBreak('p.id')],
  fields: {
    id: textColumn('p.id'),
    poll_id: textColumn('p.id'),
    name: textColumn('p.name'),
    created_by_id: textColumn('p.created_by'),
    voting_visibility: { ...textColumn('p.voting_visibility'), operators: ['$eq'] },
    allow_user_suggested_options: flagColumn('p.allow_user_suggested_options'),
    allow_answers: flagColumn('p.allow_answers'),
    is_closed: flagColumn('p.is_closed'),
    max_votes_allowed: numberColumn('p.max_votes_allowed'),
    created_at: timeColumn('p.created_at'),
    updated_at: timeColumn('p.updated_at'),
  },
}

/**
 * The fields by which votes can be filtered and sorted; in an anonymous poll the voter field is known only for the
 * viewer's own votes, in filters and in sorts [POL-30].
 */
function voteEntity({ voting_visibility }: PollRow, viewerId: string | undefined): Entity {
  const voter =
    voting_visibility === 'public'
      ? sql.ref('v.user_id')
      : sql`(case when v.user_id = ${viewerId ?? ''} then v.user_id end)`
  return {
    filterName: 'filter',
    custom: undefined,
    tieBreak: [tieBreak('v.id')],
    fields: {
      id: textColumn('v.id'),
      user_id: { kind: 'text', sql: voter, operators: operators.equality },
      option_id: { kind: 'text', sql: sql`nullif(v.option_id, '')`, operators: [...operators.equality, '$exists'] },
      is_answer: flagColumn(sql`(case when v.option_id = '' then 1 else 0 end)`),
      created_at: timeColumn('v.created_at'),
    },
  }
}

/**
 * Polls that a filter matches, newest first unless sorted otherwise [POL-20]: the caller's own, and those on messages
 * the caller sees in channels they are a member of.
 *
 * @throws ChatError NotAllowedError (17)
 */
export async function queryPolls(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryPollsRequest>,
): Promise<{ polls: Poll[]; next?: string; prev?: string }> {
  demandInApp(caller, 'query-polls')
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const { read } = server.database
  const app = caller.app.id
  const closed = caller.server ? [] : await closedTo(read, caller.app, caller.user!.id)
  const listing = { name: ['polls', app], entity: pollEntity, limit: POLLS_PAGE, sort: newestFirst }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) => {
    if (caller.server) return findPolls(db, app, query)
    const where = sql<boolean>`${query.where} and ${seenBy(dialect, caller.user!.id, closed)}`
    return findPolls(db, app, { ...query, where })
  })
  return { polls: await composePolls(server, app, shown, caller.user?.id), ...around }
}

/**
 * Whether a user sees the poll of the row `p`.
 *
 * @param closed  channels that they are a member of but may not read
 */
function seenBy(dialect: Dialect, userId: string, closed: readonly string[]): RawBuilder<boolean> {
  const open = closed.length === 0 ? sql`` : sql`and not (g.cid ${dialect.among(closed, 'text')})`
  return sql<boolean>`(p.created_by = ${userId} or exists (select 1 from messages g
    join channels c on c.app = g.app and c.cid = g.cid and c.deleted_at is null
    join members b on b.app = g.app and b.cid = g.cid and b.user_id = ${userId} and b.status <> 'rejected'
    where g.app = p.app and g.poll_id = p.id and g.deleted_at is null and (g.shadowed = 0 or g.user_id = ${userId})
    and ${meantFor(userId, 'g')} ${open}
    and g.created_at >= coalesce(c.truncated_at, 0) and g.created_at > coalesce(b.hide_before, 0)))`
}

/**
 * The votes of a poll that a filter matches, newest first unless sorted otherwise [POL-27]; includes answers.
 *
 * @throws ChatError NotAllowedError (17) — the caller sees the poll in no channel where votes may be queried
 * @throws ChatError ChannelFeatureNotSupportedError (19)
 */
export async function queryVotes(
  server: Server,
  caller: Caller,
  { poll, places }: PollAccess,
  request: Static<typeof QueryPollVotesRequest>,
): Promise<{ votes: PollVote[]; next?: string; prev?: string }> {
  if (!caller.server) checkQuerying(poll, places)
  const reader = readerOf(server, caller)
  const entity = voteEntity(poll, caller.user?.id)
  const listing = { name: ['votes', poll.app, poll.id], entity, limit: POLLS_PAGE, sort: newestFirst }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) => {
    if (caller.server) return findVotes(db, poll, query)
    const where = sql<boolean>`${query.where} and (v.shadowed = 0 or v.user_id = ${caller.user!.id})`
    return findVotes(db, poll, { ...query, where })
  })
  const userSummaries = await userSummariesOf(
    server,
    poll.app,
    shown.map((vote) => vote.user_id),
  )
  return { votes: shown.map((vote) => voteWire(poll, vote, userSummaries, caller.user?.id)), ...around }
}

function checkQuerying(poll: PollRow, places: readonly Access[]) {
  const place = places.find(({ config }) => config.polls) ?? places[0]
  if (!place) throw new ChatError('NotAllowedError', `poll ${poll.id} hangs on no message you can read`)
  checkPollsOn(place)
  if (!places.some(({ config, can }) => config.polls && can('query-votes'))) throw notAllowed(place, 'query-votes')
}
