import type { CompiledQuery, QueryResult } from 'kysely'
import type { Database } from '../database/database.ts'

/**
 * From now on a write of this database fails when one of its statements begins before the last one has ended, or the
 * write ends before it: somebody did not wait for it, and would never hear that it failed.
 */
export function demandOneAtATime({ write }: Pick<Database, 'write'>) {
  const begin = write.transaction.bind(write)
  write.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = (run) =>
      execute(async (db) => {
        const underWay = watched(db.getExecutor())
        const result = await run(db)
        if (underWay.sql !== undefined) throw new Error(`A write ended before this statement of it: ${underWay.sql}`)
        return result
      })
    return transaction
  }
}

interface Executor {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

function watched(executor: Executor): { sql: string | undefined } {
  const underWay: { sql: string | undefined } = { sql: undefined }
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = async (query) => {
    if (underWay.sql !== undefined)
      throw new Error(`This began before the statement ahead of it had ended: ${query.sql}; ahead: ${underWay.sql}`)
    underWay.sql = query.sql
    try {
      return await execute(query)
    } finally {
      underWay.sql = undefined
    }
  }
  return underWay
}
