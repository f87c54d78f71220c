import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Characters buffered per write. */
const GATHERED = 256 * 1024

/**
 * A file written in several parts at the same time: its beginning is often known last.
 * It is kept on the local disk until it is done, never in memory.
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

  /** @param parts in their order in the file */
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

  /** Joins the parts; returns the file's path and size in bytes. */
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

  /** Deletes what is left of it; a file already moved to the storage stays. */
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
