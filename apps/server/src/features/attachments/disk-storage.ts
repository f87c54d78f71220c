import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { ChatError } from '../../platform/chat-error.ts'
import type { ByteRange, Storage } from './storage.ts'

/** Files in a folder of this machine, spread over subfolders so that none gets too long to list. */
export class DiskStorage implements Storage {
  #folder: string
  constructor(folder: string) {
    this.#folder = folder
  }

  async keep(name: string, path: string) {
    const place = this.#placeOf(name)
    await mkdir(dirname(place), { recursive: true })
    try {
      await rename(path, place)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
      await copyFile(path, place)
      await rm(path)
    }
  }

  async read(name: string, range?: ByteRange): Promise<Readable> {
    // Opening first shows that a file is missing while a proper error can still be sent.
    const file = await open(this.#placeOf(name)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause
      throw new ChatError('DoesNotExistError', 'the file is not there any more', { cause })
    })
    return createReadStream('', { fd: file, ...range })
  }

  async remove(names: readonly string[]) {
    await Promise.all(names.map((name) => rm(this.#placeOf(name), { force: true })))
  }

  #placeOf(name: string): string {
    return join(this.#folder, name.slice(0, 2), name)
  }
}
