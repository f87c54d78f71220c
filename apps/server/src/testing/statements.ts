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

/** Every now and then a server looks by itself for what there is to do, and takes it; each transaction leaves a mark. */
const isWatch = /savepoint|commit_marks|(from|update) "?(due|tasks)\b|from "bans" where "expires"/
