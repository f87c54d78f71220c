import type { EventRow } from '../database/tables.ts'

/** An anonymous vote stands in the log twice: for all without a name, and right after it for its voter with it. */
export function voterOf(row: EventRow, next: EventRow | undefined): string | undefined {
  if (!row.type.startsWith('poll.vote_') || next?.type !== row.type) return undefined
  if (next.cid !== row.cid || next.seq !== row.seq + 1 || next.user_id === null) return undefined
  const [nameless, named] = [row, next].map(({ body }) => JSON.parse(body).poll_vote)
  return nameless.id === named.id && nameless.user_id === undefined ? next.user_id : undefined
}

/** What a user is told of the log: the own votes once. */
export function withoutNamelessVotes(rows: readonly EventRow[], userId: string): EventRow[] {
  const own = new Map(rows.filter((row) => row.user_id === userId).map((row) => [`${row.cid}|${row.seq}`, row]))
  return rows.filter((row) => voterOf(row, own.get(`${row.cid}|${row.seq + 1}`)) === undefined)
}
