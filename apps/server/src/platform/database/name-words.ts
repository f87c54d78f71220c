/**
 * The index that `$autocomplete` and `$q` on names of users and channels look in: a row for each word of a name, kept by
 * triggers, so that no way of writing a name can forget it.
 *
 * A word of a script that puts no spaces between words, and whatever else is not certain to, has a row for each place in
 * it (`inner_part`), so that any part of it begins one.
 */
import { type RawBuilder, sql } from 'kysely'
import { isUnspaced, postgresFolding, SEPARATORS, spaced } from './words.ts'

/** Of longer words only the beginning is looked in. */
const WORD_CHARS = 64
/** From this character on, words may be written without spaces. */
const MAYBE_UNSPACED = '\u0e00'
const LAST = '\u{10ffff}'

const tables = [
  { table: 'user_words', owner: 'users', id: 'id' },
  { table: 'channel_words', owner: 'channels', id: 'cid' },
] as const
export type NameWords = (typeof tables)[number]['table']

/** The pieces of a name as JSON, `[word, whether it is an inner part]` each; what SQLite's triggers write. */
export function namePieces(name: unknown): string {
  if (typeof name !== 'string') return '[]'
  const words = [...new Set(spaced(name).split(' '))].filter(Boolean).map((word) => [...word])
  const whole = words.map((letters) => [letters.slice(0, WORD_CHARS).join(''), 0])
  const inner = words
    .filter((letters) => letters.some((letter) => letter >= MAYBE_UNSPACED))
    .flatMap((letters) =>
      letters.slice(1, WORD_CHARS).map((_, i) => [letters.slice(i + 1, i + 1 + WORD_CHARS).join(''), 1]),
    )
  return JSON.stringify([...whole, ...inner])
}

/**
 * Whose name has a word, as the inside of `id in (…)`.
 *
 * @param word  as `spaced` writes it
 * @param isBeginning  whether a word that begins like this is enough
 */
export function named(table: NameWords, app: string, word: string, isBeginning: boolean): RawBuilder<unknown> {
  const id = tables.find((each) => each.table === table)!.id
  const sought = [...word].slice(0, WORD_CHARS).join('')
  const range = sql`w.word >= ${sought} and w.word < ${sought + LAST}`
  const matches = isUnspaced(word)
    ? range
    : isBeginning
      ? sql`${range} and w.inner_part = 0`
      : sql`w.word = ${sought} and w.inner_part = 0`
  return sql`select w.${sql.ref(id)} from ${sql.table(table)} w where w.app = ${app} and ${matches}`
}

/** Part of a migration: it never changes. */
export const sqliteNameWords = tables.flatMap(({ table, owner, id }) => {
  const put = (from: string, name: string) =>
    `insert or ignore into ${table} select ${from}.app, p.value ->> 0, p.value ->> 1, ${from}.${id}`.concat(
      from === 'o'
        ? ` from ${owner} o join json_each(name_pieces(${name})) p`
        : ` from json_each(name_pieces(${name})) p`,
    )
  return [
    `create table ${table} (app text not null, word text not null, inner_part integer not null, ${id} text not null,
      primary key (app, word, ${id})) without rowid`,
    `create index ${table}_of_one on ${table} (app, ${id})`,
    `create trigger ${table}_new after insert on ${owner} when new.name is not null begin ${put('new', 'new.name')}; end`,
    `create trigger ${table}_changed after update of name on ${owner} when old.name is not new.name begin
      delete from ${table} where app = old.app and ${id} = old.${id}; ${put('new', 'new.name')}; end`,
    `create trigger ${table}_gone after delete on ${owner} when old.name is not null begin
      delete from ${table} where app = old.app and ${id} = old.${id}; end`,
    put('o', 'o.name'),
  ]
})

const postgresNamePieces = `create or replace function name_pieces(name text) returns table (word text, inner_part integer) language sql immutable as $$
    with words as (select distinct w from regexp_split_to_table(trim(regexp_replace(${postgresFolding('name')},
      '[${SEPARATORS}]+', ' ', 'g')), ' ') w
      where w <> '')
    select left(w, ${WORD_CHARS}), 0 from words union all
    select substr(w, i, ${WORD_CHARS}), 1 from words, generate_series(2, least(length(w), ${WORD_CHARS})) i
      where w ~ '[\\u0e00-\\U0010ffff]' $$`

/** Part of a migration: it never changes. */
export const postgresNameWords = [
  postgresNamePieces,
  ...tables.flatMap(({ table, owner, id }) => {
    const put = (from: string, source: string) =>
      `insert into ${table} select ${from}.app, p.word, p.inner_part, ${from}.${id} from ${source}name_pieces(${from}.name) p
        order by p.inner_part on conflict do nothing`
    return [
      `create table ${table} (app text not null, word text collate "C" not null, inner_part integer not null,
        ${id} text not null, primary key (app, word, ${id}))`,
      `create index ${table}_of_one on ${table} (app, ${id})`,
      `create function ${table}_follow() returns trigger language plpgsql as $$ begin
        if tg_op <> 'INSERT' then delete from ${table} where app = old.app and ${id} = old.${id}; end if;
        if tg_op <> 'DELETE' and new.name is not null then ${put('new', '')}; end if;
        return null; end $$`,
      `create trigger ${table}_new after insert on ${owner} for each row when (new.name is not null)
        execute function ${table}_follow()`,
      `create trigger ${table}_changed after update of name on ${owner} for each row
        when (old.name is distinct from new.name) execute function ${table}_follow()`,
      `create trigger ${table}_gone after delete on ${owner} for each row when (old.name is not null)
        execute function ${table}_follow()`,
      put('o', `${owner} o cross join lateral `),
    ]
  }),
]

/** Writes all words of names once more, after a change of what is folded. Part of a migration. */
export const namesFoldedAgain = {
  sqlite: tables.flatMap(({ table, owner, id }) => [
    `delete from ${table}`,
    `insert or ignore into ${table} select o.app, p.value ->> 0, p.value ->> 1, o.${id}
      from ${owner} o join json_each(name_pieces(o.name)) p`,
  ]),
  postgres: [
    postgresNamePieces,
    ...tables.flatMap(({ table, owner, id }) => [
      `delete from ${table}`,
      `insert into ${table} select o.app, p.word, p.inner_part, o.${id}
        from ${owner} o cross join lateral name_pieces(o.name) p order by p.inner_part on conflict do nothing`,
    ]),
  ],
}
