import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Rows assumed in every table: so many that a full scan is the last plan SQLite chooses. */
const ROWS = 1_000_000
/** Rows that are alike in every column of an index, where there may be several. */
const ALIKE = 10

interface IndexColumn {
  tbl: string
  idx: string
  only: 0 | 1
  name: string | null
}

/**
 * Gives SQLite statistics of its tables. Without them it assumes ten rows per app, since `app` comes first in every
 * index, and scans all of them to find one. Counted figures would lead to the same plans in a small database, and to
 * others elsewhere: these are the same everywhere, so that the cost of a statement can be tested.
 */
export async function setPlannerStatistics(db: Kysely<Tables>): Promise<void> {
  const { rows: columns } = await sql<IndexColumn>`select t.name as tbl, i.name as idx, i."unique" as only, c.name
    from pragma_table_list t join pragma_index_list(t.name) i join pragma_index_info(i.name) c
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' order by tbl, idx, c.seqno`.execute(db)
  const figures = [...Map.groupBy(columns, ({ idx }) => idx).values()].map((index) => [
    index[0]!.tbl,
    index[0]!.idx,
    figuresOf(index),
  ])
  const wanted = JSON.stringify(figures)
  const known = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  // Creates the table that holds the figures.
  if (known.rows.length === 0) await sql`analyze schema_version`.execute(db)
  const { rows: before } = await sql<{ all: string }>`select json_group_array(json_array(tbl, idx, stat)) as "all"
    from (select * from sqlite_stat1 order by tbl, idx)`.execute(db)
  if (before[0]?.all === wanted) return

  await db.transaction().execute(async (tx) => {
    await sql`delete from sqlite_stat1`.execute(tx)
    await sql`insert into sqlite_stat1 (tbl, idx, stat)
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${wanted})`.execute(tx)
  })
  await sql`analyze sqlite_schema`.execute(db)
}

/**
 * How many rows there are, and how many are alike in the first column, in the first two, and so on. An index whose
 * first columns are not asked for is left alone: leaping from value to value through all of them is a way through the
 * whole table.
 */
function figuresOf(columns: readonly IndexColumn[]): string {
  const last = columns[0]!.only ? 1 : ALIKE
  // One app may hold all rows, so `app` selects nothing; each column after it is assumed equally selective.
  const selective = columns.filter(({ name }) => name !== 'app').length
  let known = 0
  const alike = columns.map(({ name }) => {
    if (name !== 'app') known += 1
    return Math.max(1, Math.round(ROWS ** (1 - known / selective) * last ** (known / selective)))
  })
  return [ROWS, ...alike, 'noskipscan'].join(' ')
}
