import type { CompiledQuery, QueryResult } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/**
 * From now on a write of this database fails when it continues, or ends, before one of its changes is done: the change
 * was not awaited, and its failure would go unnoticed. Reads may run at the same time.
 */
export function demandOneAtATime({ write }: Pick<Database, 'write'>) {
  const begin = write.transaction.bind(write)
  write.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = (run) =>
      execute(async (db) => {
        const change = watched(db.getExecutor())
        const result = await run(db)
        if (change.underWay !== undefined) throw new Error(`A write ended before this: ${change.underWay}`)
        return result
      })
    return transaction
  }
}

interface Executor {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

/** Gives the statement that changes something at this moment. */
function watched(executor: Executor): { underWay: string | undefined } {
  const change: { underWay: string | undefined } = { underWay: undefined }
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = async (query) => {
    if (change.underWay !== undefined) throw new Error(`A write went on before this was done: ${change.underWay}`)
    if (!/^\s*(insert|update|delete)\b/i.test(query.sql)) return execute(query)
    change.underWay = query.sql
    try {
      return await execute(query)
    } finally {
      change.underWay = undefined
    }
  }
  return change
}
