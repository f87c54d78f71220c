import { SettingError } from '../../../process/settings.ts'
import { isThisMachine } from '../../../process/this-machine.ts'
import { databaseNow } from '../../app/database-time.server.ts'
import type { Product } from '../../app/product.server.ts'
import type { Settings } from '../settings.ts'
import { demoPassword, demoPeople } from './people.ts'

/**
 * Sees to it that nobody from outside signs in with the password that everybody knows. Whatever demo people are called by
 * now, they keep their ids; those who have chosen a password of their own are people like others.
 *
 * @throws SettingError — others than this machine reach the product, and there are such people
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

/** Whether a password is that of somebody's demo account: it opens nothing where others could use it, too. */
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
  // Comparing takes its time on purpose, and nearly all of them were made with one hash.
  const { password } = await auth.$context
  const found: string[] = []
  for (const [hash, those] of Map.groupBy(accounts, (account) => account.password!))
    if (await password.verify({ hash, password: demoPassword })) found.push(...those.map(({ userId }) => userId))
  return found
}

/** Takes their password, ends their sessions, and has the chat server end what it gave them. */
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
