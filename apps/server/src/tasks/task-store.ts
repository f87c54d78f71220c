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

/** The oldest tasks of these kinds that nobody works on. */
export function tasksToDo(db: Db, kinds: readonly string[], now: Micros, limit: number): Promise<TaskRow[]> {
  // The index holds just these, and is found by literals alone.
  const open = [sql.lit('waiting' as const), sql.lit('running' as const)]
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('status', 'in', open)
    .where('claimed_until', '<=', now)
    .where('kind', 'in', kinds)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** Lets others have what a node works on, or what anybody does. */
export async function freeTasks(db: Db, node: string | undefined) {
  const theirs = node === undefined ? sql`claim is not null` : sql`claim like ${`${node} %`}`
  // Every lane is one; SQLite looks into the index only when asked for something in it.
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
