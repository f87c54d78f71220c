/** The process that runs queries beside the server, one at a time; see `query-process.ts`. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { QueryAnswered, QueryAsked } from './query-process.ts'
import { spaced } from './words.ts'

const STATEMENTS_KEPT = 100

// Only this query waits while another program locks the file.
const database = new DatabaseSync(process.argv[2]!, { timeout: 5_000 })
database.exec('pragma busy_timeout = 1000; pragma query_only = on; pragma temp_store = memory')
database.function('words', { deterministic: true }, (text) => (typeof text === 'string' ? spaced(text) : null))

const statements = new Map<string, StatementSync>()

process.on('message', (query: QueryAsked) => process.send!(answer(query)))
process.on('disconnect', () => process.exit(0))
// Ctrl+C in a terminal reaches this process too; the server ends it when its calls are answered.
process.on('SIGINT', () => {})
process.send!('ready')

function answer({ sql, parameters }: QueryAsked): QueryAnswered {
  try {
    const statement = prepared(sql)
    return {
      columns: statement.columns().map(({ name }) => name),
      rows: statement.all(...(parameters as never[])) as unknown as unknown[][],
    }
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { error: message, ...(code !== undefined && { code }) }
  }
}

function prepared(sql: string): StatementSync {
  let statement = statements.get(sql)
  if (!statement) {
    statement = database.prepare(sql.replaceAll('limit ?', 'limit ? + 0'))
    statement.setReturnArrays(true)
    if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value!)
    statements.set(sql, statement)
  }
  return statement
}
