import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

const main = join(import.meta.dirname, '../main.ts')

/** Another program takes its time on a machine that has much to do. */
export const patience = { timeout: 60_000, interval: 50 }

/** A server as a program of its own, which ends with the story. */
export class Program {
  output = ''
  code: number | null | undefined
  #child

  /** @param clockOffMs how far the clock of its machine is ahead of ours */
  constructor(env: Record<string, string>, clockOffMs = 0) {
    this.#child = spawn(process.execPath, [...(clockOffMs === 0 ? [] : ['--import', wrongClock(clockOffMs)]), main], {
      env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'info', FFMPEG: 'off', FILES_SHARED: 'on', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (text) => {
        this.output += text
      })
    this.#child.on('exit', (code) => {
      this.code = code
    })
    onTestFinished(() => this.ends('SIGKILL'))
  }

  async says(text: string | RegExp) {
    const found = () => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output))
    await expect.poll(() => found() || this.code !== undefined, patience).toBe(true)
    assert.ok(found(), `${this.code}: ${this.output}`)
  }

  /** Its address, once it listens. */
  async url(): Promise<string> {
    await this.says('listening')
    return this.output.match(/"url":"([^"]+)"/)![1]!
  }

  async isRefused(line: RegExp) {
    await expect.poll(() => this.code !== undefined, patience).toBe(true)
    assert.equal(this.code, 1, this.output)
    assert.match(this.output, line)
  }

  signal(signal: NodeJS.Signals) {
    this.#child.kill(signal)
  }

  async ends(signal: NodeJS.Signals) {
    this.signal(signal)
    await expect.poll(() => this.code !== undefined, patience).toBe(true)
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
