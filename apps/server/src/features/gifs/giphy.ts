import Type, { type Static } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { parseJson } from '../../platform/http/json.ts'
import { Validator } from '../../platform/http/validate.ts'
import { outboundFetch } from '../../platform/outbound/outbound-fetch.ts'
import { type Gif, type Gifs, type RenditionFile, renditions } from './gifs.ts'

/** The sender waits for it. */
const TIME_LIMIT_MS = 2_000
const SIZE_LIMIT_BYTES = 262_144
const WORDS_CHARS = 50

const Address = Type.String({ pattern: '^https?://', maxLength: 500 })
const Side = Type.String({ pattern: '^[0-9]{1,5}$' })
const Answer = Type.Object({
  data: Type.Object({
    title: Type.Optional(Type.String()),
    url: Address,
    images: Type.Record(Type.String(), Type.Object({ url: Type.Optional(Type.String()) })),
  }),
})
const File = Type.Object({
  url: Address,
  width: Side,
  height: Side,
  size: Type.Optional(Type.String({ pattern: '^[0-9]{1,10}$' })),
  frames: Type.Optional(Type.String({ pattern: '^[0-9]{1,5}$' })),
})
const checkAnswer = new Validator(Answer)
const checkFile = new Validator(File)

/** The GIPHY API. On any error the sender gets "nothing found". */
export class Giphy implements Gifs {
  #url: string
  #key: string
  #clock: Clock
  #failed: (error: unknown) => void
  constructor(settings: { url: string; key: string }, clock: Clock, failed: (error: unknown) => void) {
    this.#url = settings.url
    this.#key = settings.key
    this.#clock = clock
    this.#failed = failed
  }

  async find(words: string): Promise<Gif | undefined> {
    const url = new URL('/v1/gifs/random', this.#url)
    url.searchParams.set('api_key', this.#key)
    url.searchParams.set('rating', 'g')
    if (words !== '') url.searchParams.set('tag', [...words].slice(0, WORDS_CHARS).join(''))
    try {
      // The operator chose this host, so private addresses are allowed.
      const policy = { privateHosts: [url.host], clock: this.#clock }
      const answer = await outboundFetch(policy, url.href, {
        timeLimitMs: TIME_LIMIT_MS,
        sizeLimitBytes: SIZE_LIMIT_BYTES,
        redirects: 0,
      })
      if (answer.status !== 200) throw new Error(`GIPHY answered with status ${answer.status}`)
      return gifOf(parseJson(answer.body.toString(), 'answer'))
    } catch (error) {
      this.#failed(error)
      return undefined
    }
  }
}

/** @throws ChatError — the answer does not have GIPHY's documented form */
function gifOf(answer: unknown): Gif | undefined {
  // Without results, `data` is an empty list instead of an object.
  if (Array.isArray((answer as { data?: unknown } | null)?.data)) return undefined
  checkAnswer.check(answer)
  const { title = 'GIF', url, images } = (answer as Static<typeof Answer>).data
  const file = (name: string): RenditionFile => {
    const image = Object.hasOwn(images, name) ? images[name] : undefined
    checkFile.check(image)
    const { url, width, height, size = '', frames = '' } = image as Static<typeof File>
    return { url, width, height, size, frames }
  }
  const giphy = Object.fromEntries(renditions.map((name) => [name, file(name)])) as Gif['giphy']
  return { title: title.slice(0, 200), title_link: url, thumb_url: giphy.fixed_height_still.url, giphy }
}
