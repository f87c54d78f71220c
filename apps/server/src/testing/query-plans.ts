import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { openDatabase } from '../platform/database/database.ts'

/** Tables of a handful of rows, those that are read whole and kept, and what passes within minutes. */
const SMALL = new Set([
  'apps',
  'app_rules',
  'schema_version',
  'unindexed_after',
  'ephemeral_messages',
  'banned_networks',
  'unread_looks',
])

/** Notes what SQLite is asked from now on. */
export function notingStatements() {
  const texts = new Set<string>()
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function noted(text, ...more) {
    texts.add(text)
    return prepare.call(this, text, ...more)
  }
  return {
    texts: texts as ReadonlySet<string>,
    stop: () => {
      DatabaseSync.prototype.prepare = prepare
    },
  }
}

/**
 * Those of the statements for which SQLite goes through all rows of a table, or of an app, each with its plan. A list
 * that is ordered by an index and ends after a page is not among them.
 */
export async function walksAmong(texts: ReadonlySet<string>): Promise<string[]> {
  const opening = notingStatements()
  const database = await openDatabase('sqlite::memory:')
  opening.stop()
  const walks: string[] = []
  for (const text of [...texts].filter(
    (text) => /^(select|with|update|delete|insert)/i.test(text) && !opening.texts.has(text),
  )) {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(database.read)
    const plan = rows.map(({ detail }) => detail)
    if (plan.some((step) => isWalk(step, plan, /\blimit\b/.test(text)))) walks.push(`${text}\n  ${plan.join('\n  ')}`)
  }
  await database.close()
  return walks
}

function isWalk(step: string, plan: readonly string[], isPage: boolean): boolean {
  const [, way, name] = /^(SCAN|SEARCH) (\w+)/.exec(step) ?? []
  if (name === undefined || SMALL.has(name)) return false
  if (way === 'SEARCH') return !isPage && step.endsWith('(app=?)')
  if (isPage && step.includes(' USING INDEX ')) return false
  const isMade = plan.some((other) => other === `CO-ROUTINE ${name}` || other === `MATERIALIZE ${name}`)
  return !isMade && !/VIRTUAL TABLE|CONSTANT ROW/.test(step)
}
