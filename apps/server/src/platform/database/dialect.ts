/**
 * All that differs between SQLite and PostgreSQL, in one place.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { CompiledQuery, type Kysely, type RawBuilder, type SqliteDatabase, sql } from 'kysely'
import { namePieces, namesFoldedAgain, postgresNameWords, sqliteNameWords } from './name-words.ts'
import type { MessageRow, Place, Tables } from './tables.ts'
import { postgresFolding, SEPARATORS, spaced, type Wanted, wordsOf } from './words.ts'

export interface Dialect {
  name: 'sqlite' | 'postgres'
  /** The column types that replace `{json}`, `{micros}` and `{desc}` in a migration. */
  columnTypes: { json: string; micros: string; desc: string }
  /** The value at a path in a JSON column, as text, number or boolean of the database; null when absent. */
  jsonValue(column: string, path: readonly string[], as: JsonType): RawBuilder<unknown>
  /** A value as a parameter of the database. */
  value(value: string | number | boolean): unknown
  /** The words of a short text, in lower case without accents, with a space before, between and behind them. */
  words(expression: RawBuilder<unknown>): RawBuilder<string>
  /** What makes the index of messages' words. Part of a migration: it never changes. */
  wordIndex: readonly string[]
  /** What makes the index of names' words. Part of a migration: it never changes. */
  nameWords: readonly string[]
  /** Writes the words of names once more, as they are folded now. Part of a migration. */
  wordFolding: readonly string[]
  /** Writes the words of messages that are stored, in place of those written before. */
  indexWords(db: Kysely<Tables>, messages: readonly WordedMessage[]): Promise<void>
  /**
   * Messages `g` of the channels that have the words, as the inside of `from … where …`; where the newest are wanted,
   * they are in order before they are looked at, so that no more are looked at than are wanted.
   */
  messagesWithWords(
    app: string,
    cids: readonly string[],
    sought: WordQuery,
    isNewestFirst: boolean,
  ): RawBuilder<unknown>
  /** When the matching message was created; results are sorted by it. */
  matchCreatedAt: RawBuilder<number>
  /** Whether there is anything but null at a path. */
  jsonExists(column: string, path: readonly string[]): RawBuilder<boolean>
  /** Whether a JSON array holds one of the values. */
  jsonArrayHas(column: string, path: readonly string[], values: readonly unknown[]): RawBuilder<boolean>
  /** Whether the JSON at a path is one of the values: texts, numbers and booleans. */
  jsonIsAmong(column: string, path: readonly string[], values: readonly unknown[]): RawBuilder<boolean>
  /** Whether the JSON at a path equals the value, arrays and objects included. */
  jsonEquals(column: string, path: readonly string[], value: unknown): RawBuilder<boolean>
  /** The strings of a JSON list kept in a text column, as a table with the column `value`. */
  jsonTexts(column: string): RawBuilder<{ value: string }>
  /**
   * What comes after an expression that is one of a list, which is given as one parameter; where one table is asked.
   * Of joined ones PostgreSQL would think that few rows fit, and go through all of them for each.
   */
  among(values: readonly (string | number)[], type: 'text' | 'bigint'): RawBuilder<boolean>
  /** A list given as one parameter, as a table with the column `value`. */
  list(values: readonly (string | number)[], type: 'text' | 'bigint'): RawBuilder<{ value: string }>
  /** Two lists of equal length as a table with the columns `a` and `b`. */
  pairs(a: readonly string[], b: readonly string[]): RawBuilder<{ a: string; b: string }>
  /**
   * The rows of members at these places, as a table. Each is looked up in its index: of a plain join PostgreSQL thinks
   * that going through the whole table is shorter.
   */
  atPlaces(table: 'members' | 'reads' | 'deliveries', app: string, places: readonly Place[]): RawBuilder<unknown>
  /** The greatest of some numbers, none of which is null. */
  greatest(...numbers: RawBuilder<unknown>[]): RawBuilder<number>
  /** An order in which null comes last, written so that an index can serve it. */
  nullsLast(expression: RawBuilder<unknown>, direction: 1 | -1): RawBuilder<unknown>
  /** The same order read from its end, in which null comes first. */
  nullsFirst(expression: RawBuilder<unknown>, direction: 1 | -1): RawBuilder<unknown>
  /** The expression, so that no index is chosen for its order. PostgreSQL weighs that by itself. */
  unindexed(expression: RawBuilder<unknown>): RawBuilder<unknown>
  /** Whether a text has another one in it, letter for letter: in SQLite `like` takes capitals for small letters. */
  hasInside(text: RawBuilder<unknown>, sought: RawBuilder<unknown>): RawBuilder<boolean>
  /** Byte order, the same in both databases. */
  textOrder(expression: RawBuilder<unknown>): RawBuilder<unknown>
  /** Locks the selected rows until the transaction ends, where several writers exist. */
  forUpdate: RawBuilder<unknown>
  /** Keeps the selected rows from being deleted until the transaction ends; others may do the same, and change them. */
  forKeyShare: RawBuilder<unknown>
  /** Keeps two nodes that start together from migrating at once. */
  lockForMigration: RawBuilder<unknown> | undefined
  /** The newest `limit` rows of each key in one statement: `inner` is a query that names `k.value`. */
  perKey(
    table: 'messages' | 'members' | 'pending_messages' | 'reactions' | 'thread_participants' | 'poll_votes',
    keys: readonly string[],
    inner: RawBuilder<unknown>,
  ): RawBuilder<unknown>
  /** The same, where each key comes with a number: `inner` names `k.key` and `k.value`. */
  perKeyWith(table: 'messages', numbers: ReadonlyMap<string, number>, inner: RawBuilder<unknown>): RawBuilder<unknown>
  /** Adds rows in as few round trips as the database allows. */
  insertRows<Name extends keyof Tables>(db: Kysely<Tables>, table: Name, rows: readonly Tables[Name][]): Promise<void>
  /** Writes `columns` of existing rows, found by `keys`. */
  updateRows<Name extends keyof Tables>(
    db: Kysely<Tables>,
    table: Name,
    keys: readonly (keyof Tables[Name] & string)[],
    columns: readonly (keyof Tables[Name] & string)[],
    rows: readonly Partial<Tables[Name]>[],
  ): Promise<void>
  /**
   * Adds rows, or changes the named columns of those whose keys are there. Of two with the same keys the last counts.
   */
  putRows<Name extends keyof Tables>(
    db: Kysely<Tables>,
    table: Name,
    keys: readonly (keyof Tables[Name] & string)[],
    columns: readonly (keyof Tables[Name] & string)[],
    rows: readonly Tables[Name][],
  ): Promise<void>
}

export type JsonType = 'text' | 'number' | 'boolean'

/** The fields that the full-text index stores of a message. */
export type WordedMessage = Pick<MessageRow, 'app' | 'id' | 'cid' | 'created_at' | 'text'>

export interface WordQuery {
  /** All of them must be there. */
  words: readonly Wanted[]
  /** Lists of marks, of each of which one must be there. */
  marks: readonly (readonly string[])[]
}

/** Messages of one of these short times carry the same mark: 19 hours, and 12.7 days. */
export const DAY_BITS = 36
export const MONTH_BITS = 40
const bucketOf = (at: number, bits: number) => Math.floor(at / 2 ** bits)

/** Not words, since no word has a `#`: by them the index finds a channel's messages, or those of a time. */
export const marks = {
  channel: (cid: string) => `#${cid}`,
  day: (bucket: number) => `#d${bucket}`,
  month: (bucket: number) => `#m${bucket}`,
}

function wordsAndMarksOf({ cid, created_at, text }: WordedMessage): string[] {
  return [
    ...wordsOf(text),
    marks.channel(cid),
    marks.day(bucketOf(created_at, DAY_BITS)),
    marks.month(bucketOf(created_at, MONTH_BITS)),
  ]
}

/** Types of PostgreSQL columns whose rows come as arrays; every other column is text. */
const postgresTypes: Record<string, string> = {
  data: 'jsonb',
  ...Object.fromEntries(
    [
      'created_at updated_at last_active deactivated_at deleted_at revoke_before until last_message_at activity_at seq event_at',
      'truncated_at hide_before pinned_at archived_at invite_accepted_at invite_rejected_at last_read text_updated_at pin_expires ban_expires answer_micros at expires disabled_until left_at message_at delivered_at',
    ].flatMap((names) => names.split(' ').map((name) => [name, 'bigint'])),
  ),
  ...Object.fromEntries(
    [
      'invisible frozen disabled cooldown member_count message_count counted banned shadow_banned bypass_moderation hidden blocked hidden_by_some ordinal own_after silent',
      'show_in_channel reply_count deleted_reply_count shadowed score voip shadow lapsed auto_translation_enabled messages translations users_peak connections_peak wrote answers',
    ].flatMap((names) => names.split(' ').map((name) => [name, 'integer'])),
  ),
}
const postgresType = (column: string) => postgresTypes[column] ?? 'text'

const sqliteJsonTypes: Record<JsonType, string> = {
  text: "'text'",
  number: "'integer', 'real'",
  boolean: "'true', 'false'",
}
/** The places as two lists, each place once. */
function columnsOf(places: readonly Place[]): [cids: string[], userIds: string[]] {
  const each = [...new Map(places.map((place) => [`${place.cid}|${place.user_id}`, place])).values()]
  return [each.map(({ cid }) => cid), each.map(({ user_id }) => user_id)]
}

const jsonPath = (path: readonly string[]) => `$${path.map((key) => `.${JSON.stringify(key)}`).join('')}`

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  columnTypes: { json: 'text', micros: 'integer', desc: 'desc' },
  jsonValue: (
    column,
    path,
    as,
  ) => sql`(case when json_type(${sql.ref(column)}, ${jsonPath(path)}) in (${sql.raw(sqliteJsonTypes[as])})
    then json_extract(${sql.ref(column)}, ${jsonPath(path)}) end)`,
  value: (value) => (typeof value === 'boolean' ? Number(value) : value),
  words: (expression) => sql<string>`words(${expression})`,
  wordIndex: [
    `create virtual table message_words using fts5(words, content='', contentless_delete=1, detail=none,
      tokenize="ascii tokenchars '#-_:!'")`,
    `create trigger message_words_go after delete on messages begin
      delete from message_words where rowid = old.rowid; end`,
  ],
  nameWords: sqliteNameWords,
  wordFolding: namesFoldedAgain.sqlite,
  async indexWords(db, messages) {
    if (messages.length === 0) return
    // One statement for all: the index goes to disk at the end of each.
    const text = `insert or replace into message_words (rowid, words) select m.rowid, j.value ->> 2 from json_each(?) j
      cross join messages m on m.app = j.value ->> 0 and m.id = j.value ->> 1`
    const rows = messages.map((message) => [message.app, message.id, wordsAndMarksOf(message).join(' ')])
    await db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(rows)]))
  },
  messagesWithWords(app, cids, { words, marks }) {
    const all = [
      ...words.map(({ word, isBeginning }) => `"${word}"${isBeginning ? ' *' : ''}`),
      ...marks.map((some) => `(${some.map((mark) => `"${mark}"`).join(' OR ')})`),
    ]
    return sql`message_words w cross join messages g on g.rowid = w.rowid where message_words match ${all.join(' AND ')}
      and g.app = ${app} and g.cid ${sqliteDialect.among(cids, 'text')}`
  },
  matchCreatedAt: sql`g.created_at`,
  jsonExists: (column, path) =>
    sql<boolean>`coalesce(json_type(${sql.ref(column)}, ${jsonPath(path)}), 'null') <> 'null'`,
  jsonArrayHas: (
    column,
    path,
    values,
  ) => sql<boolean>`exists (select 1 from json_each(${sql.ref(column)}, ${jsonPath(path)}) e
    join json_each(${JSON.stringify(values)}) v on v.type = e.type and v.atom is e.atom
    where json_type(${sql.ref(column)}, ${jsonPath(path)}) = 'array')`,
  jsonIsAmong: (column, path, values) => sql<boolean>`exists (select 1 from json_each(${JSON.stringify(values)}) v
    where v.type = json_type(${sql.ref(column)}, ${jsonPath(path)}) and v.atom is json_extract(${sql.ref(column)}, ${jsonPath(path)}))`,
  jsonEquals: (column, path, value) =>
    sql<boolean>`(json_type(${sql.ref(column)}, ${jsonPath(path)}) = ${Array.isArray(value) ? 'array' : 'object'}
    and json_extract(${sql.ref(column)}, ${jsonPath(path)}) = json_extract(${JSON.stringify({ v: value })}, '$.v'))`,
  jsonTexts: (column) => sql`json_each(coalesce(${sql.ref(column)}, '[]'))`,
  among: (values) => sql<boolean>`in (select value from json_each(${JSON.stringify(values)}))`,
  list: (values) => sql`json_each(${JSON.stringify(values)})`,
  pairs: (a, b) => sql`(select value ->> 0 as a, value ->> 1 as b
    from json_each(${JSON.stringify(a.map((item, i) => [item, b[i]]))}))`,
  atPlaces: (table, app, places) => sql`(select t.* from ${sqliteDialect.pairs(...columnsOf(places))} k
    cross join ${sql.table(table)} t on t.app = ${app} and t.cid = k.a and t.user_id = k.b)`,
  greatest: (...numbers) => sql<number>`max(${sql.join(numbers)})`,
  unindexed: (expression) => sql`+${expression}`,
  // Null is the smallest value here, so it is last already when the order goes down.
  nullsLast: (expression, direction) =>
    direction === -1 ? sql`${expression} desc` : sql`${expression} asc nulls last`,
  nullsFirst: (expression, direction) =>
    direction === -1 ? sql`${expression} desc nulls first` : sql`${expression} asc`,
  hasInside: (text, sought) => sql<boolean>`instr(${text}, ${sought}) > 0`,
  textOrder: (expression) => expression,
  forUpdate: sql``,
  forKeyShare: sql``,
  lockForMigration: undefined,
  perKey: (table, keys, inner) => sql`select t.* from json_each(${JSON.stringify(keys)}) k
    join ${sql.table(table)} t on t.rowid in (select rowid from ${sql.table(table)} ${inner})`,
  perKeyWith: (table, numbers, inner) => sql`select t.* from json_each(${JSON.stringify(Object.fromEntries(numbers))}) k
    join ${sql.table(table)} t on t.rowid in (select rowid from ${sql.table(table)} ${inner})`,

  insertRows: (db, table, rows) => sqliteInsert(db, table, rows),
  putRows: (db, table, keys, columns, rows) => sqliteInsert(db, table, rows, onConflict(keys, columns)),

  async updateRows(db, table, keys, columns, rows) {
    const text = `update ${table} set ${columns.map((name) => `${name} = ?`).join()} where ${keys.map((name) => `${name} = ?`).join(' and ')}`
    await runForEach(db, text, [...columns, ...keys], rows)
  },
}

async function sqliteInsert(db: Kysely<Tables>, table: string, rows: readonly object[], otherwise = '') {
  const columns = Object.keys(rows[0] ?? {})
  const text = `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()}) ${otherwise}`
  await runForEach(db, text, columns, rows)
}

/** Runs a statement for each row, with these columns of it; asking once for all of them, since asking takes longer. */
async function runForEach(db: Kysely<Tables>, text: string, columns: readonly string[], rows: readonly object[]) {
  if (rows.length === 0) return
  const lists = rows.map((row) => columns.map((name) => (row as Record<string, unknown>)[name] ?? null))
  await db.executeQuery(CompiledQuery.raw(text, lists))
}

/** Adds all rows with one statement, a list for each column. */
async function postgresInsert(db: Kysely<Tables>, table: string, rows: readonly object[], otherwise = '') {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const values = columns.map((name, i) => `$${i + 1}::${postgresType(name)}[]`)
  const text = `insert into ${table} (${columns.join()}) select * from unnest(${values.join()}) ${otherwise}`
  const parameters = columns.map((name) => rows.map((row) => (row as Record<string, unknown>)[name] ?? null))
  await db.executeQuery(CompiledQuery.raw(text, parameters))
}

function onConflict(keys: readonly string[], columns: readonly string[]): string {
  return `on conflict (${keys.join()}) do update set ${columns.map((name) => `${name} = excluded.${name}`).join()}`
}

/** Neither words nor the names of channels hold a quote or a backslash. */
const lexeme = (word: string) => `'${word}'`

/** The JSON at a path. Names lead into objects only: unlike `#>`, this does not take `0` for a place in a list. */
function jsonbAt(column: string, path: readonly string[]): RawBuilder<unknown> {
  return path.reduce<RawBuilder<unknown>>((at, key) => sql`(${at} -> ${key}::text)`, sql.ref(column))
}

const postgresFold = `create or replace function folded(text text) returns text language sql immutable parallel safe
  as $$ select ${postgresFolding('text')} $$`

export const postgresDialect: Dialect = {
  name: 'postgres',
  columnTypes: { json: 'jsonb', micros: 'bigint', desc: 'desc nulls last' },
  jsonValue(column, path, as) {
    const value = jsonbAt(column, path)
    const text = sql`(${value} #>> '{}')`
    if (as === 'text') return sql`(case when jsonb_typeof(${value}) = 'string' then ${text} end)`
    return as === 'number'
      ? sql`(case when jsonb_typeof(${value}) = 'number' then ${text}::double precision end)`
      : sql`(case when jsonb_typeof(${value}) = 'boolean' then ${text}::boolean end)`
  },
  value: (value) => value,
  words: (expression) =>
    sql<string>`(' ' || trim(regexp_replace(folded(${expression}), ${`[${SEPARATORS}]+`}, ' ', 'g')) || ' ')`,
  wordIndex: [
    `create table message_words (app text not null, id text not null, cid text not null, created_at bigint not null,
      words tsvector not null, primary key (app, id))`,
    // What waits to be sorted in is read by every search.
    'create index message_words_by_word on message_words using gin (words) with (gin_pending_list_limit = 512)',
    `create function message_words_go() returns trigger language plpgsql as $$ begin
      delete from message_words w using gone g where w.app = g.app and w.id = g.id; return null; end $$`,
    `create trigger message_words_go after delete on messages referencing old table as gone
      for each statement execute function message_words_go()`,
  ],
  nameWords: postgresNameWords,
  wordFolding: [postgresFold, ...namesFoldedAgain.postgres],
  async indexWords(db, messages) {
    const text = `insert into message_words select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::tsvector[])
      on conflict (app, id) do update set words = excluded.words`
    const parameters = [
      messages.map(({ app }) => app),
      messages.map(({ id }) => id),
      messages.map(({ cid }) => cid),
      messages.map(({ created_at }) => created_at),
      messages.map((message) => wordsAndMarksOf(message).map(lexeme).join(' ')),
    ]
    if (messages.length > 0) await db.executeQuery(CompiledQuery.raw(text, parameters))
  },
  messagesWithWords(app, cids, { words, marks }, isNewestFirst) {
    const all = [
      ...words.map(({ word, isBeginning }) => `${lexeme(word)}${isBeginning ? ':*' : ''}`),
      ...marks.map((some) => `(${some.map(lexeme).join(' | ')})`),
    ]
    const order = isNewestFirst ? sql`order by w.created_at desc nulls last` : sql`offset 0`
    return sql`(select w.app, w.id, w.created_at from message_words w where w.words @@ ${all.join(' & ')}::tsquery
      and w.app = ${app} and w.cid = any(${[...cids]}) ${order}) w
      join messages g on g.app = w.app and g.id = w.id where 1 = 1`
  },
  matchCreatedAt: sql`w.created_at`,
  jsonExists: (column, path) => sql<boolean>`coalesce(jsonb_typeof(${jsonbAt(column, path)}), 'null') <> 'null'`,
  jsonArrayHas: (column, path, values) => sql<boolean>`exists (select 1 from jsonb_array_elements(
    case when jsonb_typeof(${jsonbAt(column, path)}) = 'array' then ${jsonbAt(column, path)} else '[]' end) e
    where e in (select value from jsonb_array_elements(${JSON.stringify(values)}::jsonb)))`,
  jsonIsAmong: (column, path, values) => sql<boolean>`coalesce(${jsonbAt(column, path)}
    in (select value from jsonb_array_elements(${JSON.stringify(values)}::jsonb)), false)`,
  jsonEquals: (column, path, value) => sql<boolean>`${jsonbAt(column, path)} = ${JSON.stringify(value)}::jsonb`,
  jsonTexts: (column) => sql`(select value from jsonb_array_elements_text(coalesce(${sql.ref(column)}, '[]')::jsonb))`,
  // Of a table it makes it would know no size; an array is looked up in an index, item by item.
  among: (values, type) => sql<boolean>`= any(${[...values]}::${sql.raw(type)}[])`,
  list: (values, type) => sql`unnest(${[...values]}::${sql.raw(type)}[]) as list(value)`,
  pairs: (a, b) => sql`unnest(${[...a]}::text[], ${[...b]}::text[]) as pair(a, b)`,
  atPlaces: (table, app, places) => sql`(select t.* from ${postgresDialect.pairs(...columnsOf(places))}
    cross join lateral (select * from ${sql.table(table)}
      where app = ${app} and cid = pair.a and user_id = pair.b offset 0) t)`,
  greatest: (...numbers) => sql<number>`greatest(${sql.join(numbers)})`,
  unindexed: (expression) => expression,
  nullsLast: (expression, direction) =>
    direction === -1 ? sql`${expression} desc nulls last` : sql`${expression} asc`,
  nullsFirst: (expression, direction) =>
    direction === -1 ? sql`${expression} desc` : sql`${expression} asc nulls first`,
  hasInside: (text, sought) => sql<boolean>`strpos(${text}, ${sought}) > 0`,
  textOrder: (expression) => sql`(${expression}) collate "C"`,
  forUpdate: sql`for update`,
  forKeyShare: sql`for key share`,
  lockForMigration: sql`select pg_advisory_xact_lock(3100)`,
  perKey: (table, keys, inner) => sql`select t.* from unnest(${[...keys]}::text[]) as k(value)
    cross join lateral (select * from ${sql.table(table)} ${inner}) t`,
  perKeyWith: (table, numbers, inner) => sql`select t.*
    from unnest(${[...numbers.keys()]}::text[], ${[...numbers.values()]}::bigint[]) as k(key, value)
    cross join lateral (select * from ${sql.table(table)} ${inner}) t`,

  insertRows: (db, table, rows) => postgresInsert(db, table, rows),
  async putRows(db, table, keys, columns, rows) {
    const last = new Map(rows.map((row) => [JSON.stringify(keys.map((key) => row[key])), row]))
    await postgresInsert(db, table, [...last.values()], onConflict(keys, columns))
  },

  async updateRows(db, table, keys, columns, rows) {
    if (rows.length === 0) return
    const names = [...keys, ...columns]
    const values = names.map((name, i) => `$${i + 1}::${postgresType(name)}[]`)
    const text = `update ${table} t set ${columns.map((name) => `${name} = v.${name}`).join()}
      from unnest(${values.join()}) as v(${names.join()}) where ${keys.map((name) => `t.${name} = v.${name}`).join(' and ')}`
    const parameters = names.map((name) => rows.map((row) => (row as unknown as Record<string, unknown>)[name] ?? null))
    await db.executeQuery(CompiledQuery.raw(text, parameters))
  },
}

/** What opening waits for another program that has the file locked, in milliseconds. */
const OPENING_MS = 5_000
/** Statements kept ready per connection; a handful of texts make up nearly all traffic. */
const STATEMENTS_KEPT = 500

/** A connection to a file. */
export interface Sqlite extends SqliteDatabase {
  /** It has begun a transaction and not ended it. */
  readonly isWriting: boolean
}

/**
 * Adapts `node:sqlite` to the interface Kysely expects.
 *
 * @param use `lasting` needs a `WriteAheadLog` beside it, `passing` is for a temporary file
 */
export function openSqlite(path: string, use: 'lasting' | 'passing' | 'read-only'): Sqlite {
  const db = new DatabaseSync(path, { timeout: OPENING_MS })
  db.function('words', { deterministic: true }, (text) => (typeof text === 'string' ? spaced(text) : null))
  db.function('name_pieces', { deterministic: true }, namePieces)
  db.exec('pragma temp_store = memory; pragma cache_size = -65536')
  if (use === 'read-only') db.exec('pragma query_only = on')
  else db.exec(`pragma journal_mode = wal; pragma synchronous = ${use === 'lasting' ? 'normal' : 'off'}`)
  if (use === 'lasting') db.exec('pragma wal_autocheckpoint = 0')
  // Waiting here would block the event loop; `SharedFileDialect` waits outside it.
  db.exec('pragma busy_timeout = 0')

  const kept = new Map<string, { statement: StatementSync; rowOf: RowOf | undefined }>()
  return {
    close: () => db.close(),
    get isWriting() {
      return db.isTransaction
    },
    prepare(text) {
      let found = kept.get(text)
      if (!found) {
        // With a bound limit SQLite would plan the statement again each time, which takes longer than finding a page.
        const statement = db.prepare(text.replaceAll('limit ?', 'limit ? + 0'))
        statement.setReturnArrays(true)
        const columns = statement.columns().map(({ name }) => name)
        found = { statement, rowOf: columns.length > 0 ? makerOf(columns) : undefined }
        if (kept.size >= STATEMENTS_KEPT) kept.delete(kept.keys().next().value as string)
        kept.set(text, found)
      }
      const { statement, rowOf = nothing } = found
      const takesBack = text.startsWith('rollback')
      return {
        reader: found.rowOf !== undefined,
        all: (parameters) => (statement.all(...(parameters as never[])) as unknown as unknown[][]).map(rowOf),
        run(parameters) {
          // On a full disk SQLite has taken a transaction back by itself; why would be lost if this were refused.
          if (takesBack && !db.isTransaction) return { changes: 0, lastInsertRowid: 0 }
          if (!Array.isArray(parameters[0])) return statement.run(...(parameters as never[]))
          for (const list of parameters) statement.run(...(list as never[]))
          return { changes: parameters.length, lastInsertRowid: 0 }
        },
        iterate: (parameters) =>
          (
            statement.iterate(...(parameters as never[])) as Iterator<unknown, unknown> as IteratorObject<unknown[]>
          ).map(rowOf),
      }
    },
  }
}

/**
 * Reads by way of the connection that writes while that is between transactions. A connection forgets all pages it has
 * read when another one commits, and asks the file for them again; the one that commits need not, and keeps them.
 */
export function readingBeside(writer: Sqlite, reader: Sqlite): SqliteDatabase {
  return {
    close: () => reader.close(),
    prepare(text) {
      const statement = writer.isWriting ? undefined : writer.prepare(text)
      // What gives no rows would change something, which the other one refuses.
      return statement?.reader ? statement : reader.prepare(text)
    },
  }
}

export type RowOf = (values: readonly unknown[]) => Record<string, unknown>

const nothing: RowOf = () => ({})
const makers = new Map<string, RowOf>()

/**
 * Makes rows as an object that was written down would be made: reading a field of the objects SQLite's driver makes
 * costs twenty times as much, and one that is filled column by column is slow to read and to write as JSON.
 */
export function makerOf(columns: readonly string[]): RowOf {
  const fields = columns.map((name, i) => `${JSON.stringify(name)}: values[${i}]`).join()
  let maker = makers.get(fields)
  if (!maker) {
    maker = new Function('values', `return {${fields}}`) as RowOf
    makers.set(fields, maker)
  }
  return maker
}
