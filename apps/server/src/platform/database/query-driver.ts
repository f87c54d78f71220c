/** Kysely over queries that run beside the event loop, in their caller's turn. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Asker, QueryAdmission } from './query-admission.ts'

/** Runs one statement and gives its rows. */
export type RunQuery = (sql: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** @param asker  whose turn each statement takes */
export function admissionDialect(
  name: 'sqlite' | 'postgres',
  admission: QueryAdmission,
  asker: Asker,
  run: RunQuery,
): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      return { rows: (await admission.run(asker, () => run(sql, parameters))) as Row[] }
    },
    // biome-ignore lint/correctness/useYield: rows come together; no caller streams them
    async *streamQuery() {
      throw new Error('Queries beside the event loop are not streamed.')
    },
  }
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return name === 'sqlite'
    ? {
        createDriver: () => driver,
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      }
    : {
        createDriver: () => driver,
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      }
}

async function noTransaction(): Promise<never> {
  throw new Error('Queries beside the event loop only read, one statement at a time.')
}
