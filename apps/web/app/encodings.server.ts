import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

/** For responses that are compressed on the fly: quality 4 of 11, with this window size as a power of two. */
const QUICK_BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 17 }

export interface Encoding {
  /** The name in HTTP headers. */
  name: string
  /** The file extension. */
  ending: string
  /** The best compression, however long it takes. */
  compress: (body: Buffer) => Promise<Buffer>
  /** Compresses a stream as it is written. */
  stream: () => Transform
}

/** The encodings of text responses, smallest first. */
export const encodings: readonly Encoding[] = [
  {
    name: 'br',
    ending: '.br',
    compress: promisify<Buffer, Buffer>(brotliCompress),
    stream: () => createBrotliCompress({ params: QUICK_BROTLI }),
  },
  {
    name: 'gzip',
    ending: '.gz',
    compress: (body) => promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
    stream: () => createGzip(),
  },
]

/** The smallest encoding that the browser supports, from its `accept-encoding`. */
export function encodingFor(accepted: string | null | undefined, among = encodings): Encoding | undefined {
  const known = accepted?.split(/[,;\s]+/) ?? []
  return among.find(({ name }) => known.includes(name))
}

/** Pictures are compressed already. */
const TEXTS = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])

/** Writes every text file of a folder in each encoding that makes it smaller. */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = entries.filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
  await Promise.all(
    texts.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const body = await readFile(path)
      for (const { ending, compress } of encodings) {
        const smaller = await compress(body)
        if (smaller.length < body.length) await writeFile(path + ending, smaller)
      }
    }),
  )
}
