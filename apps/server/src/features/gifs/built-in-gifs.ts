/** The animations included in this server: they need no key and no network [CMD-11]. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folded } from '@parley/protocol/text/folding'
import type { Gif, Gifs, RenditionFile } from './gifs.ts'
import catalog from './pictures/catalog.json' with { type: 'json' }

/** Where they are served; names change with the content, so that clients may cache them for ever. */
export const GIFS_PATH = '/gifs'
const folder = join(import.meta.dirname, 'pictures')

interface File {
  file: string
  width: number
  height: number
  size: number
  frames: number
}

const files = new Map(catalog.flatMap(({ whole, downsampled, still }) => [whole, downsampled, still].map(kept)))

function kept({ file }: File): [name: string, bytes: () => Promise<Buffer>] {
  let reading: Promise<Buffer> | undefined
  return [file, () => (reading ??= readFile(join(folder, file)))]
}

/** The content of a file; undefined for an unknown name. */
export function gifFile(name: string): Promise<Buffer> | undefined {
  return files.get(name)?.()
}

export class BuiltInGifs implements Gifs {
  #publicUrl: () => string
  /** @param publicUrl how clients reach this server */
  constructor(publicUrl: () => string) {
    this.#publicUrl = publicUrl
  }

  async find(words: string, shown: string | undefined): Promise<Gif | undefined> {
    const wanted = folded(words).match(/[\p{L}\p{N}]+/gu) ?? []
    const others = catalog
      .map((picture) => ({ gif: this.#gifOf(picture), fits: fit(picture.tags, wanted) }))
      .filter(({ gif }) => gif.title_link !== shown)
    const best = Math.max(...others.map(({ fits }) => fits))
    const among = others.filter(({ fits }) => fits === best)
    return among[Math.floor(Math.random() * among.length)]?.gif
  }

  #gifOf({ title, whole, downsampled, still }: (typeof catalog)[number]): Gif {
    const [animated, few, one] = [whole, downsampled, still].map((file) => this.#fileOf(file)) as [
      RenditionFile,
      RenditionFile,
      RenditionFile,
    ]
    return {
      title,
      title_link: animated.url,
      thumb_url: animated.url,
      giphy: {
        original: animated,
        fixed_height: animated,
        fixed_height_still: one,
        fixed_height_downsampled: few,
        fixed_width: animated,
        fixed_width_still: one,
        fixed_width_downsampled: few,
      },
    }
  }

  #fileOf({ file, width, height, size, frames }: File): RenditionFile {
    return {
      url: `${this.#publicUrl()}${GIFS_PATH}/${file}`,
      width: String(width),
      height: String(height),
      size: String(size),
      frames: String(frames),
    }
  }
}

/** How many of the query terms are tags; endings may differ: `cats`, `cat`. */
function fit(tags: readonly string[], words: readonly string[]): number {
  return words.filter((word) => tags.includes(word) || (word.length > 3 && tags.includes(word.replace(/e?s$/, ''))))
    .length
}
