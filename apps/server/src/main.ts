/** Starts the chat server with the settings of the environment. */
import { startServer } from './app.ts'
import { readSettings, type Settings } from './settings.ts'

let settings: Settings
try {
  settings = readSettings(process.env)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

try {
  const running = await startServer(settings)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void running.stop().then(() => process.exit(0))
    })
} catch (error) {
  console.error(`The chat server could not start: ${(error as Error).message}`)
  process.exit(1)
}
