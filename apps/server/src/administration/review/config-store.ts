import { type Kysely, sql } from 'kysely'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { AppRuleRow, Tables } from '../../platform/database/tables.ts'

/** The configurations matching a filter on the row `r`. */
export async function findConfigs(
  db: Kysely<Tables>,
  app: string,
  { where, keys, page }: PageQuery,
): Promise<AppRuleRow[]> {
  const { rows } = await sql<AppRuleRow>`select r.* ${keys} from app_rules r where r.app = ${app}
    and r.kind = 'moderation' and ${where} ${page}`.execute(db)
  return rows
}
