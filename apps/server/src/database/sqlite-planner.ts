import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** What SQLite is told of every table: so many rows that a way through all of them is the last it takes. */
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
 * Tells SQLite how full its tables get. Left alone it takes it that ten rows lie in an app, since `app` comes first in
 * every index, and walks through all of them to find one. Figures counted in the database would do the same as long as
 * it is small, and make other plans for everybody: these are the same everywhere, so what a statement costs can be
 * tested.
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
  const told = JSON.stringify(figures)
  const known = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  // Makes the table where the figures stand.
  if (known.rows.length === 0) await sql`analyze schema_version`.execute(db)
  const { rows: before } = await sql<{ all: string }>`select json_group_array(json_array(tbl, idx, stat)) as "all"
    from (select * from sqlite_stat1 order by tbl, idx)`.execute(db)
  if (before[0]?.all === told) return

  await db.transaction().execute(async (tx) => {
    await sql`delete from sqlite_stat1`.execute(tx)
    await sql`insert into sqlite_stat1 (tbl, idx, stat)
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${told})`.execute(tx)
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
  // One app may hold everything, so its name says nothing; each column after it says as much as the next.
  const telling = columns.filter(({ name }) => name !== 'app').length
  let known = 0
  const alike = columns.map(({ name }) => {
    if (name !== 'app') known += 1
    return Math.max(1, Math.round(ROWS ** (1 - known / telling) * last ** (known / telling)))
  })
  return [ROWS, ...alike, 'noskipscan'].join(' ')
}
