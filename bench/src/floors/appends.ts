/**
 * How fast a database stores messages without any other load: batches of 50, each synced to disk.
 *
 *     node appends.ts sqlite:FILE|postgres://… SECONDS
 *
 * Prints two lines: `appends` with the number per second, and `commit` with the milliseconds of a single one.
 */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { median } from '../percentiles.ts'

const BATCH = 50
const ROOMS = 200
const SINGLE_COMMITS = 200
/** PostgreSQL overlaps two batches; more connections do not help on one core. */
const POSTGRES_CONNECTIONS = 2
const text = 'lorem ipsum dolor sit amet '.repeat(4).slice(0, 100)

const [url, seconds] = process.argv.slice(2)
const { perSecond, commitMs } = url!.startsWith('sqlite:')
  ? appendsToSqlite(url!.slice('sqlite:'.length))
  : await appendsToPostgres()
console.log(`appends ${perSecond}\ncommit ${commitMs}`)

function appendsToSqlite(file: string) {
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table messages (room integer not null, seq integer not null, id text not null, user_id text not null,
      created_at integer not null, body text not null, primary key (room, seq)) without rowid;
    create unique index messages_by_id on messages (id);
    create table rooms (id integer primary key, last_seq integer not null, last_at integer not null)`)
  const addRoom = db.prepare('insert into rooms values (?, 0, 0)')
  for (let room = 0; room < ROOMS; room++) addRoom.run(room)
  const append = db.prepare('insert into messages values (?, ?, ?, ?, ?, ?)')
  const touch = db.prepare('update rooms set last_seq = ?, last_at = ? where id = ?')

  let count = 0
  const commit = (size: number) => {
    db.exec('begin immediate')
    for (let i = 0; i < size; i++, count++) {
      const [room, seq, at] = [count % ROOMS, Math.floor(count / ROOMS), Date.now()]
      append.run(room, seq, `message-${count}`, 'u1', at, text)
      touch.run(seq, at, room)
    }
    db.exec('commit')
  }
  const start = performance.now()
  const end = start + Number(seconds) * 1000
  while (performance.now() < end) commit(BATCH)
  const perSecond = (count / (performance.now() - start)) * 1000
  const alone: number[] = []
  for (let i = 0; i < SINGLE_COMMITS; i++) {
    const begin = performance.now()
    commit(1)
    alone.push(performance.now() - begin)
  }
  db.close()
  return { perSecond, commitMs: median(alone) }
}

async function appendsToPostgres() {
  const pool = new pg.Pool({ connectionString: url!, max: POSTGRES_CONNECTIONS })
  await pool.query(`create table messages (room integer not null, seq bigint not null, id text not null unique,
    user_id text not null, created_at timestamptz not null default now(), body text not null, primary key (room, seq))`)
  let count = 0
  const start = performance.now()
  const end = start + Number(seconds) * 1000
  const commit = async (size: number) => {
    const numbers = Array.from({ length: size }, () => count++)
    await pool.query({
      name: 'append',
      text: `insert into messages (room, seq, id, user_id, body)
        select room, seq, id, 'u1', $4 from unnest($1::integer[], $2::bigint[], $3::text[]) m (room, seq, id)`,
      values: [
        numbers.map((n) => n % ROOMS),
        numbers.map((n) => Math.floor(n / ROOMS)),
        numbers.map((n) => `message-${n}`),
        text,
      ],
    })
  }
  const commitUntilTheEnd = async () => {
    while (performance.now() < end) await commit(BATCH)
  }
  await Promise.all(Array.from({ length: POSTGRES_CONNECTIONS }, commitUntilTheEnd))
  const perSecond = (count / (performance.now() - start)) * 1000
  const alone: number[] = []
  for (let i = 0; i < SINGLE_COMMITS; i++) {
    const begin = performance.now()
    await commit(1)
    alone.push(performance.now() - begin)
  }
  await pool.end()
  return { perSecond, commitMs: median(alone) }
}
