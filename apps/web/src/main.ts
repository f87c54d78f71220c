/** `node apps/web/src/main.ts` serves the build; with `--dev` it serves the sources and reloads changes. */
import { SettingError } from '../../process/settings.ts'

const dev = process.argv.includes('--dev')

// React reads this once, on import, so everything else is imported after it.
process.env.NODE_ENV ??= dev ? 'development' : 'production'
const { start } = await import('./start.ts')

try {
  await start({ dev })
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
