/** Serves external images without revealing the viewer to the external host. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ChatError } from '../../platform/chat-error.ts'
import { networkOf } from '../../platform/http/trusted-proxies.ts'
import { OutboundError, type OutboundPolicy, outboundFetch } from '../../platform/outbound/outbound-fetch.ts'
import type { Server } from '../../server.ts'
import { HEAD_BYTES, typeOfFile } from './file-type.ts'
import type { ImageAddresses } from './image-addresses.ts'
import { sizeOfPicture } from './variants.ts'
import { WaitingLine } from './waiting-line.ts'

/** Image types that browsers show and that cannot run scripts: no SVG, no HTML. */
const TYPES: Record<string, string> = {
  'image/png': 'png',
  'image/apng': 'apng',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
}
const ENDINGS = new Map(Object.entries(TYPES).map(([type, ending]) => [ending, type]))

const PICTURE_BYTES = 10 * 1_048_576
/** A larger picture is meant to exhaust the viewer's memory. */
const PICTURE_PIXELS = 50_000_000
const FETCH_MS = 10_000
/** How long an image is cached, and how long a failed host is not asked again. */
const FRESH_MS = 24 * 3_600_000
const FAILED_MS = 300_000
const FAILURES_KEPT = 10_000
const FETCHED_AT_ONCE = 16
const FETCHED_LATER = 200
/** Fetches of uncached images, for all users at one network address together. */
const FETCHES_PER_MINUTE = 300
const MINUTE_MS = 60_000
const ADDRESSES_KEPT = 10_000

/** A picture in the cache. */
interface Cached {
  ending: string
  size: number
  fetchedAt: number
}

export class ImageProxy {
  readonly addresses: ImageAddresses
  #folder: string
  #cacheBytes: number
  #policy: OutboundPolicy
  /** By name, least recently used first. */
  #cached = new Map<string, Cached>()
  #bytes = 0
  #fetching = new Map<string, Promise<Cached | undefined>>()
  /** Until when a failed URL is not fetched again. */
  #failed = new Map<string, number>()
  #line = new WaitingLine(FETCHED_AT_ONCE, FETCHED_LATER)
  #asked = { since: 0, counts: new Map<string, number>() }
  private constructor(folder: string, cacheBytes: number, addresses: ImageAddresses, policy: OutboundPolicy) {
    this.#folder = folder
    this.#cacheBytes = cacheBytes
    this.addresses = addresses
    this.#policy = policy
  }

  /** Opens the cache, with the images cached before a restart. */
  static async open(
    { folder, cacheBytes }: { folder: string; cacheBytes: number },
    addresses: ImageAddresses,
    policy: OutboundPolicy,
  ): Promise<ImageProxy> {
    const proxy = new ImageProxy(folder, cacheBytes, addresses, policy)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await proxy.#readFolder()
    return proxy
  }

  /**
   * @param whom the caller's network address
   * @returns undefined if there is no such image, or it may not be shown
   * @throws ChatError RateLimitError (9)
   */
  async get(url: string, whom: string): Promise<(Cached & { name: string; path: string; type: string }) | undefined> {
    const name = createHash('sha256').update(url).digest('hex')
    const now = this.#policy.clock.now()
    let found = this.#cached.get(name)
    if (!found || found.fetchedAt + FRESH_MS <= now) {
      if ((this.#failed.get(name) ?? 0) > this.#policy.clock.elapsed()) return undefined
      let fetching = this.#fetching.get(name)
      if (!fetching) {
        this.#count(whom, this.#policy.clock.elapsed())
        fetching = this.#line.take(() => this.#fetch(name, url)).finally(() => this.#fetching.delete(name))
        this.#fetching.set(name, fetching)
      }
      found = await fetching
    } else {
      this.#cached.delete(name)
      this.#cached.set(name, found)
    }
    if (!found) return undefined
    return { ...found, name, path: this.#pathOf(name, found.ending), type: ENDINGS.get(found.ending)! }
  }

  async forget(name: string) {
    const picture = this.#cached.get(name)
    if (picture) await this.#drop(name, picture)
  }

  /** @throws ChatError RateLimitError (9) */
  #count(whom: string, now: number) {
    if (this.#asked.since + MINUTE_MS <= now || this.#asked.counts.size >= ADDRESSES_KEPT)
      this.#asked = { since: now, counts: new Map() }
    const count = (this.#asked.counts.get(whom) ?? 0) + 1
    if (count > FETCHES_PER_MINUTE) throw new ChatError('RateLimitError', 'too many pictures; try again in a minute')
    this.#asked.counts.set(whom, count)
  }

  async #fetch(name: string, url: string): Promise<Cached | undefined> {
    const path = join(this.#folder, `.${randomBytes(12).toString('hex')}`)
    try {
      const picture = await this.#fetchTo(path, url)
      if (!picture) return this.#fails(name)
      const before = this.#cached.get(name)
      if (before) await this.#drop(name, before)
      await rename(path, this.#pathOf(name, picture.ending))
      this.#failed.delete(name)
      this.#cached.set(name, picture)
      this.#bytes += picture.size
      await this.#evict(name)
      return picture
    } catch (error) {
      if (error instanceof OutboundError) return this.#fails(name)
      throw error
    } finally {
      await rm(path, { force: true })
    }
  }

  async #fetchTo(path: string, url: string): Promise<Cached | undefined> {
    const file = await open(path, 'wx', 0o600)
    let size = 0
    let head = Buffer.alloc(0)
    try {
      const answer = await outboundFetch(this.#policy, url, {
        headers: { Accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' },
        timeLimitMs: FETCH_MS,
        sizeLimitBytes: PICTURE_BYTES,
        async into(piece) {
          size += piece.length
          if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece]).subarray(0, HEAD_BYTES)
          await file.appendFile(piece)
        },
      })
      if (answer.status !== 200) return undefined
    } finally {
      await file.close()
    }
    // The type comes from the content; the host's claim is not trusted.
    const type = await typeOfFile(head, 'application/octet-stream', '')
    const ending = type === undefined ? undefined : TYPES[type]
    if (ending === undefined) return undefined
    const pixels = await sizeOfPicture(path, type === 'image/apng' ? 'image/png' : type!)
    if (!pixels || pixels.width * pixels.height > PICTURE_PIXELS) return undefined
    return { ending, size, fetchedAt: this.#policy.clock.now() }
  }

  #fails(name: string): undefined {
    this.#failed.delete(name)
    if (this.#failed.size >= FAILURES_KEPT) this.#failed.delete(this.#failed.keys().next().value!)
    this.#failed.set(name, this.#policy.clock.elapsed() + FAILED_MS)
  }

  /** Evicts the least recently used images until the rest fits. */
  async #evict(but: string) {
    for (const [name, picture] of this.#cached) {
      if (this.#bytes <= this.#cacheBytes) return
      if (name !== but) await this.#drop(name, picture)
    }
  }

  async #drop(name: string, picture: Cached) {
    if (!this.#cached.delete(name)) return
    this.#bytes -= picture.size
    await rm(this.#pathOf(name, picture.ending), { force: true })
  }

  async #readFolder() {
    const found: (Cached & { name: string })[] = []
    for (const file of await readdir(this.#folder)) {
      const [, name, ending] = /^([0-9a-f]{64})\.(\w+)$/.exec(file) ?? []
      const path = join(this.#folder, file)
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
      if (name !== undefined && ENDINGS.has(ending!)) found.push({ name, ending: ending!, size, fetchedAt: mtimeMs })
      // Left by an interrupted fetch; another node may be using the folder.
      else if (mtimeMs < this.#policy.clock.now() - FRESH_MS) await rm(path, { force: true })
    }
    for (const { name, ...picture } of found.sort((a, b) => a.fetchedAt - b.fetchedAt)) {
      this.#cached.set(name, picture)
      this.#bytes += picture.size
    }
    await this.#evict('')
  }

  #pathOf(name: string, ending: string): string {
    return join(this.#folder, `${name}.${ending}`)
  }
}

/**
 * Serves an external image to anyone with a proxy address made here.
 *
 * @throws ChatError NotAllowedError (17) — the address was not made here
 * @throws ChatError DoesNotExistError (16) — its host does not answer, or sends no image; there is no proxy
 */
export async function serveImage(server: Server, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { images } = server.files
  if (!images) throw new ChatError('DoesNotExistError', 'there is no image proxy here')
  const { signature = '' } = request.params as Record<string, string>
  const { url = '' } = request.query as Record<string, string>
  if (!images.addresses.isSigned(url, signature))
    throw new ChatError('NotAllowedError', 'the address of this picture was not made here')
  const whom = networkOf(server.proxies.addressOf(request.raw) ?? '')
  let picture = await images.get(url, whom)
  let file = picture && (await open(picture.path).catch(() => undefined))
  if (picture && !file) {
    // The folder was emptied, by an operator or by another node that shares it.
    await images.forget(picture.name)
    picture = await images.get(url, whom)
    file = picture && (await open(picture.path).catch(() => undefined))
  }
  reply.headers({
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
  })
  if (!picture || !file) {
    reply.header('Cache-Control', `private, max-age=${FAILED_MS / 1000}`)
    throw new ChatError('DoesNotExistError', 'there is no picture at that address')
  }
  const tag = `"${picture.name.slice(0, 32)}-${picture.fetchedAt}"`
  reply.headers({
    'Content-Type': picture.type,
    'Content-Disposition': `inline; filename="picture.${picture.ending}"`,
    'Cache-Control': `private, max-age=${FRESH_MS / 1000}`,
    ETag: tag,
  })
  if (request.headers['if-none-match'] === tag || request.method === 'HEAD') {
    await file.close()
    return reply.code(request.method === 'HEAD' ? 200 : 304).send()
  }
  return reply.header('Content-Length', (await file.stat()).size).send(createReadStream('', { fd: file }))
}
