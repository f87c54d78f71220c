/** Starts the chat server with the settings of the environment. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { demandPort, namingPort } from '../../process/listening.ts'
import { SettingError } from '../../process/settings.ts'
import { onStopSignal } from '../../process/stopping.ts'
import { startServer } from './app.ts'
import { demandStorage } from './features/attachments/demand-storage.ts'
import { readSettings, type Settings } from './platform/settings.ts'

/** The first connections come before, and do not wait. */
const STARTED_AFTER_MS = 1_000

let settings: Settings
try {
  settings = readSettings(process.env)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

const place = { setting: 'PORT', host: settings.host, port: settings.port }
try {
  // What can be found wrong without changing anything is found first.
  await demandPort(place)
  await demandStorage(settings)
  const running = await startServer(settings)
  setTimeout(giveMemoryBack, STARTED_AFTER_MS).unref()
  void running.lost.then(async (error) => {
    console.error(error.message)
    await running.stop()
    process.exit(1)
  })
  onStopSignal((hurry) => {
    hurry.addEventListener('abort', () => running.hurry(), { once: true })
    void running
      .drain()
      .then(() => running.stop())
      .then(() => process.exit(0))
  })
} catch (caught) {
  const error = namingPort(caught, place) as Error
  console.error(error instanceof SettingError ? error.message : `The chat server could not start: ${error.message}`)
  process.exit(1)
}

/** Loading the program takes some 40 MB that nothing needs afterwards; an idle server would keep them for good. */
function giveMemoryBack() {
  setFlagsFromString('--expose-gc')
  const collect: NonNullable<typeof gc> = runInNewContext('gc')
  void collect({ type: 'major', flavor: 'last-resort', execution: 'async' })
}
