import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { RowsAsked } from '../../platform/database/cursor.ts'
import type { AppRuleRow, Tables } from '../../platform/database/tables.ts'

/** The configurations matching a filter on the row `r`. */
export async function findConfigs(
  db: Kysely<Tables>,
  app: string,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  { limit, offset }: RowsAsked,
): Promise<AppRuleRow[]> {
  const { rows } = await sql<AppRuleRow>`select r.* from app_rules r where r.app = ${app} and r.kind = 'moderation'
    and ${where} order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows
}
