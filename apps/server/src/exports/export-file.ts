import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Characters that are gathered before they are written. */
const GATHERED = 256 * 1024

/**
 * A file that is written in several parts at once, each to its own end: what comes first in it is often known last.
 * It lies on this machine until it is done, and never in memory.
 */
export class ExportFile<Part extends string> {
  #path: string
  #parts: readonly Part[]
  #waiting = new Map<Part, string[]>()
  #chars = 0
  private constructor(path: string, parts: readonly Part[]) {
    this.#path = path
    this.#parts = parts
  }

  /** @param parts in the order in which they stand in the file */
  static async open<Part extends string>(folder: string, parts: readonly Part[]): Promise<ExportFile<Part>> {
    await mkdir(folder, { recursive: true })
    return new ExportFile(join(folder, randomBytes(16).toString('hex')), parts)
  }

  async add(part: Part, text: string) {
    const waiting = this.#waiting.get(part)
    if (waiting) waiting.push(text)
    else this.#waiting.set(part, [text])
    this.#chars += text.length
    if (this.#chars >= GATHERED) await this.#write()
  }

  /** Puts the parts together; gives where the file lies and its bytes. */
  async close(): Promise<{ path: string; size: number }> {
    await this.#write()
    for (const part of this.#parts) {
      const path = this.#pathOf(part)
      if (await stat(path).catch(() => undefined)) await appendFile(this.#path, createReadStream(path))
      await rm(path, { force: true })
    }
    await appendFile(this.#path, '')
    return { path: this.#path, size: (await stat(this.#path)).size }
  }

  /** Nothing of it is left, but for what somebody else has taken over. */
  async drop() {
    for (const path of [this.#path, ...this.#parts.map((part) => this.#pathOf(part))]) await rm(path, { force: true })
  }

  async #write() {
    for (const [part, texts] of this.#waiting) await appendFile(this.#pathOf(part), texts.join(''), { mode: 0o600 })
    this.#waiting.clear()
    this.#chars = 0
  }

  #pathOf(part: Part): string {
    return `${this.#path}.${part}`
  }
}
