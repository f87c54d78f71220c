import { join } from 'node:path'
import { ChildProgram } from '../../../process/testing/child-program.ts'

export { patience } from '../../../process/testing/child-program.ts'

const main = join(import.meta.dirname, '../main.ts')

/** A server as a program of its own, which ends with the test. */
export class Program extends ChildProgram {
  /** @param clockOffMs how far the clock of its machine is ahead of ours */
  constructor(env: Record<string, string>, clockOffMs = 0) {
    const careful = { PORT: '0', LOG_LEVEL: 'info', FFMPEG: 'off', FILES_SHARED: 'on', ...env }
    super([...(clockOffMs === 0 ? [] : ['--import', wrongClock(clockOffMs)]), main], careful)
  }

  /** Its address, once it listens. */
  async url(): Promise<string> {
    await this.prints('listening')
    return this.output.match(/"url":"([^"]+)"/)![1]!
  }
}

/** Code that runs before the program and sets its clock. */
function wrongClock(offMs: number): string {
  const code = `{
    const Right = Date
    const now = () => Right.now() + ${offMs}
    globalThis.Date = class Date extends Right {
      static now = now
      constructor(...given) {
        super(...(given.length === 0 ? [now()] : given))
      }
    }
  }`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
