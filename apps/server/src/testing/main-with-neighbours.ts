/** The chat server for tests in which pages on this machine count as public ones. */
import { startServer } from '../app.ts'
import { systemClock } from '../platform/clock.ts'
import { readSettings } from '../platform/settings.ts'

const running = await startServer(readSettings(process.env), systemClock, { neighbours: ['127.0.0.1'] })
process.once('SIGTERM', () => {
  void running.stop().then(() => process.exit(0))
})
