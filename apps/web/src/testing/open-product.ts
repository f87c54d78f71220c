/** Opens the product on a database as a starting web app does, prints its push key, and exits. */
import { openProduct } from '../product.ts'
import { readSettings } from '../settings.ts'

const [, , url] = process.argv
const product = await openProduct(readSettings({ WEB_DATABASE_URL: url, SESSION_SECRET: 'x'.repeat(32) }))
const { publicKey } = await product.database.kysely.selectFrom('pushKey').select('publicKey').executeTakeFirstOrThrow()
console.log(`opened with ${publicKey}`)
process.exit()
