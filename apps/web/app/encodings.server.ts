import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

/** For what is made on the spot: quality 4 of 11, with so much of what came before in mind, as a power of two. */
const QUICK_BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 17 }

export interface Encoding {
  /** As HTTP calls it. */
  name: string
  /** What the name of a file gets for it. */
  ending: string
  /** As small as it gets, however long that takes. */
  compress: (body: Buffer) => Promise<Buffer>
  /** What is written, compressed as it comes. */
  stream: () => Transform
}

/** How texts are sent to browsers that know the way, the smallest first. */
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

/** The smallest one that a browser knows, by what it says of itself in `accept-encoding`. */
export function encodingFor(accepted: string | null | undefined, among = encodings): Encoding | undefined {
  const known = accepted?.split(/[,;\s]+/) ?? []
  return among.find(({ name }) => known.includes(name))
}

/** Pictures are compressed already. */
const TEXTS = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])

/** Puts every text of a folder beside itself in each encoding that makes it smaller. */
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
