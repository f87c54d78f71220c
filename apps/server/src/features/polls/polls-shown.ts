import { LATEST_VOTES } from '@parley/protocol/limits'
import type { Poll } from '@parley/protocol/polls'
import type { Kysely } from 'kysely'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { PollRow, Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { latestAnswers, latestVotes, pollsByIds, votesOfUser } from './poll-store.ts'
import { countsOf, pollWire } from './poll-wire.ts'

/** The existing polls among these ids, as one viewer reads them. Four queries at most, however many polls. */
export async function pollsShown(
  server: Server,
  app: string,
  ids: readonly string[],
  viewerId: string | undefined,
  db: Kysely<Tables> = server.database.read,
): Promise<Map<string, Poll>> {
  const rows = await pollsByIds(db, server.database.dialect, app, [...new Set(ids)])
  const polls = await composePolls(server, app, rows, viewerId, db)
  return new Map(polls.map((poll) => [poll.id, poll]))
}

/**
 * Polls as one viewer reads them, with their newest votes and answers.
 *
 * @param viewerId whose `own_votes` are filled in; undefined for an event, where they stay empty
 * @param db the transaction, when the rows were written in it
 */
export async function composePolls(
  server: Server,
  app: string,
  rows: readonly PollRow[],
  viewerId: string | undefined,
  db: Kysely<Tables> = server.database.read,
): Promise<Poll[]> {
  if (rows.length === 0) return []
  const { dialect } = server.database
  const chosen = rows.flatMap((row) => Object.keys(countsOf(row)))
  const answered = rows.filter((row) => row.answers_count > 0).map((row) => row.id)
  const votes = await latestVotes(db, dialect, app, chosen, LATEST_VOTES)
  const answers = await latestAnswers(db, dialect, app, answered, LATEST_VOTES)
  const ids = rows.map((row) => row.id)
  const own = viewerId === undefined ? [] : await votesOfUser(db, dialect, app, viewerId, ids)
  const userSummaries = await userSummariesOf(server, app, [
    ...rows.map((row) => row.created_by),
    ...[...votes, ...answers, ...own].map((vote) => vote.user_id),
  ])

  const latestOf = Map.groupBy(votes, (vote) => vote.option_id)
  const answersOf = Map.groupBy(answers, (vote) => vote.poll_id)
  const ownOf = Map.groupBy(own, (vote) => vote.poll_id)
  return rows.map((row) =>
    pollWire(
      row,
      {
        latest: (optionId) => latestOf.get(optionId) ?? [],
        answers: answersOf.get(row.id) ?? [],
        own: ownOf.get(row.id) ?? [],
      },
      userSummaries,
    ),
  )
}
