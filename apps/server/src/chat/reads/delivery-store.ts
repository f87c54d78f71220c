import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { DeliveryRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

/** The delivery positions of the named members of each channel; keys are `<cid>|<user id>`. */
export async function deliveriesOf(
  db: Db,
  dialect: Dialect,
  app: string,
  members: readonly { cid: string; user_id: string }[],
): Promise<Map<string, DeliveryRow>> {
  if (members.length === 0) return new Map()
  const { rows } = await sql<DeliveryRow>`select * from ${dialect.atPlaces('deliveries', app, members)} d`.execute(db)
  return new Map(rows.map((row) => [`${row.cid}|${row.user_id}`, row]))
}

export async function putDeliveries(db: Db, dialect: Dialect, deliveries: readonly DeliveryRow[]) {
  const columns = ['message_id', 'message_at', 'delivered_at'] as const
  await dialect.putRows(db, 'deliveries', ['app', 'cid', 'user_id'], columns, deliveries)
}
