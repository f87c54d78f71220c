import { SettingError } from '../../../process/settings.ts'
import { isThisMachine } from '../../../process/this-machine.ts'
import { databaseNow } from '../../app/database-time.server.ts'
import type { Product } from '../../app/product.server.ts'
import type { Settings } from '../settings.ts'
import { demoPassword, demoPeople } from './people.ts'

/**
 * Prevents other machines from signing in with the demo password, which is public. Demo users are found by their ids,
 * even after a change of their names; those with their own password are ordinary users.
 *
 * @throws SettingError — the product is reachable from other machines, and has such users
 */
export async function keepDemoPrivate(
  product: Product,
  { demo, publicUrl }: Pick<Settings, 'demo' | 'publicUrl'>,
): Promise<void> {
  if (demo !== 'lock' && isThisMachine(publicUrl)) return
  const ids = await withDemoPassword(product)
  if (ids.length === 0) return
  if (demo !== 'lock')
    throw new SettingError(
      `PUBLIC_URL ${publicUrl} is not this machine, and the database has ${ids.length} demo people, whose password everybody knows. Set WEB_DATABASE_URL to a database without them, or DEMO=lock, which lets them in no more.`,
    )
  await lock(product, ids)
  console.log(`Demo people who cannot sign in any more: ${ids.length}.`)
}

/** Whether this is the demo password of a demo user: sign-in refuses it where other machines could use it, too. */
export function isDemoSignIn(personId: string, password: string): boolean {
  return password === demoPassword && demoIds().has(personId)
}

let ids: Set<string> | undefined
function demoIds(): Set<string> {
  ids ??= new Set(demoPeople().map(({ id }) => id))
  return ids
}

async function withDemoPassword({ auth, database }: Product): Promise<string[]> {
  const accounts = await database.kysely
    .selectFrom('account')
    .select(['userId', 'password'])
    .where('userId', 'in', [...demoIds()])
    .where('password', 'is not', null)
    .execute()
  // Verifying is slow on purpose, and nearly all of these passwords share one hash.
  const { password } = await auth.$context
  const found: string[] = []
  for (const [hash, those] of Map.groupBy(accounts, (account) => account.password!))
    if (await password.verify({ hash, password: demoPassword })) found.push(...those.map(({ userId }) => userId))
  return found
}

/** Removes their passwords, ends their sessions, and has the chat server revoke their tokens. */
async function lock({ database }: Product, people: string[]): Promise<void> {
  await database.kysely.transaction().execute(async (transaction) => {
    await transaction.updateTable('account').set({ password: null }).where('userId', 'in', people).execute()
    await transaction.deleteFrom('session').where('userId', 'in', people).execute()
    await transaction
      .updateTable('user')
      .set({ chatEndedAt: databaseNow(database.type) })
      .where('id', 'in', people)
      .execute()
  })
}
