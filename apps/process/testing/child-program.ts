import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'

/** Another program is slow on a busy machine. */
export const patience = { timeout: 60_000, interval: 50 }

/** A child process, which ends with the test. */
export class ChildProgram {
  output = ''
  code: number | null | undefined
  #child

  /**
   * @param script Node's arguments: the script, after its own options
   * @param env    its whole environment, besides `PATH`
   */
  constructor(script: readonly string[], env: Record<string, string>) {
    const options = { PATH: process.env.PATH, ...env }
    this.#child = spawn(process.execPath, script, { env: options, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (text) => {
        this.output += text
      })
    this.#child.on('exit', (code) => {
      this.code = code
    })
    onTestFinished(() => this.ends('SIGKILL'))
  }

  async prints(text: string | RegExp) {
    const found = () => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output))
    await expect.poll(() => found() || this.code !== undefined, patience).toBe(true)
    assert.ok(found(), `${this.code}: ${this.output}`)
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
