/** Opens the product as a starting web app does, prints the result, and keeps it open until a signal comes. */
import { SettingError } from '../../../process/settings.ts'
import { openProduct } from '../product.ts'
import { readSettings } from '../settings.ts'

try {
  const product = await openProduct(readSettings(process.env))
  console.log('opened')
  const alive = setInterval(() => {}, 60_000)
  process.once('SIGTERM', () => {
    clearInterval(alive)
    void product.database.close()
  })
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  console.error(error.message)
  process.exit(1)
}
