import { type Kysely, sql } from 'kysely'
import type { Tables, TaskRow } from '../database/tables.ts'
import type { Micros } from '../micros.ts'

type Db = Kysely<Tables>

export async function addTask(db: Db, task: TaskRow) {
  await db.insertInto('tasks').values(task).execute()
}

export function taskById(db: Db, app: string, id: string): Promise<TaskRow | undefined> {
  return db.selectFrom('tasks').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

/** Those that did not fail, or not yet. */
export function tasksOfKinds(db: Db, app: string, kinds: readonly string[]): Promise<TaskRow[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('app', '=', app)
    .where('kind', 'in', kinds)
    .where('status', '<>', 'failed')
    .execute()
}

// The indexes hold just these, and are found by literals alone.
const open = sql`status in ('waiting', 'running')`

/** Those of some kinds that have not come to their end. */
export async function openTasksOfKinds(db: Db, app: string, kinds: readonly string[]): Promise<TaskRow[]> {
  // Matches every partition; SQLite uses the index only when its column is named.
  const { rows } = await sql<TaskRow>`select * from tasks where ${open} and lane >= '' and app = ${app}
    and kind in (${sql.join(kinds)})`.execute(db)
  return rows
}

/** The partitions with open tasks; each is found by one step in the index, however many tasks it has. */
export async function partitionsToDo(db: Db): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`with recursive lanes (lane) as (
      select min(lane) from tasks where ${open}
      union all select (select min(t.lane) from tasks t where ${open} and t.lane > lanes.lane) from lanes
        where lanes.lane is not null)
    select lane from lanes where lane is not null`.execute(db)
  return rows.map(({ lane }) => lane)
}

/** The oldest unclaimed tasks of a partition, of known kinds. */
export async function tasksToDo(
  db: Db,
  lane: string,
  kinds: readonly string[],
  now: Micros,
  limit: number,
): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`select * from tasks where ${open} and lane = ${lane} and claimed_until <= ${now}
    and kind in (${sql.join(kinds)}) order by created_at limit ${limit}`.execute(db)
  return rows
}

/** Frees the tasks that a node, or any node, has claimed. */
export async function freeTasks(db: Db, node: string | undefined) {
  const theirs = node === undefined ? sql`claim is not null` : sql`claim like ${`${node} %`}`
  // Matches every partition; SQLite uses the index only when its column is named.
  await sql`update tasks set claim = null, claimed_until = 0 where ${open} and lane >= '' and ${theirs}`.execute(db)
}

/** Gives the task to one runner; false when another was faster. */
export async function claimTask(db: Db, { app, id }: TaskRow, claim: string, now: Micros, until: Micros) {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set((value) => ({
      status: 'running',
      claim,
      claimed_until: until,
      attempts: value('attempts', '+', 1),
      updated_at: now,
    }))
    .where('app', '=', app)
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .where('claimed_until', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Changes a task for the runner that has it; false when it has it no more. */
export async function updateClaimed(db: Db, { app, id, claim }: TaskRow, change: Partial<TaskRow>) {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set(change)
    .where('app', '=', app)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Changes a task that is not over, whoever claimed it; false when it is. */
export async function updateOpen(db: Db, { app, id }: Pick<TaskRow, 'app' | 'id'>, change: Partial<TaskRow>) {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set(change)
    .where('app', '=', app)
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Forgets a task of the runner that has it. */
export async function dropClaimed(db: Db, { app, id, claim }: TaskRow) {
  await db.deleteFrom('tasks').where('app', '=', app).where('id', '=', id).where('claim', '=', claim).execute()
}

/** @param which  tasks of one kind, or of all but some */
export async function dropTasksDoneBefore(db: Db, before: Micros, which: { of: string } | { notOf: string[] }) {
  const done = db.deleteFrom('tasks').where('updated_at', '<', before).where('status', 'in', ['completed', 'failed'])
  if ('of' in which) await done.where('kind', '=', which.of).execute()
  else await done.where('kind', 'not in', ['', ...which.notOf]).execute()
}
