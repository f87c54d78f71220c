import { DefaultQueryExecutor } from 'kysely'
import { vi } from 'vitest'

/** What the servers of this process ask of their databases until something is done. */
export async function statementsUntil(done: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')
  try {
    await done()
    return spy.mock.calls.map(([query]) => query.sql).filter((text) => !isWatch.test(text))
  } finally {
    spy.mockRestore()
  }
}

/** How many rows the servers of this process are given by their databases until something is done. */
export async function rowsUntil(done: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')
  try {
    await done()
    const results = await Promise.all(spy.mock.results.map(({ value }) => value))
    return results.reduce((sum, { rows }, i) => sum + (isWatch.test(spy.mock.calls[i]![0].sql) ? 0 : rows.length), 0)
  } finally {
    spy.mockRestore()
  }
}

/**
 * What a server asks by itself every now and then: what there is to do, which it takes, whether it still counts as a node,
 * what time it is for the database, and how much it was used; each transaction leaves a mark.
 */
const isWatch =
  /savepoint|commit_marks|server_nodes|usage_(days|users)|(from|update) "?(due|tasks)\b|from "bans" where "expires"|clock_timestamp\(\)\) \* 1000/
