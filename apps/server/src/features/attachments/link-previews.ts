import type { LinkPreview } from '@parley/protocol/attachments'
import { OutboundError, type OutboundPolicy, outboundFetch } from '../../platform/outbound/outbound-fetch.ts'
import { WaitingLine } from './waiting-line.ts'

/** How long a preview is cached, and how long a page without one is not asked again. */
const GOOD_MS = 3_600_000
const IN_PEACE_MS = 300_000
const KEPT = 2_000
const READ_AT_ONCE = 16
const READ_LATER = 200

/** Limits of administration.md 14.1. */
const pageCall = {
  headers: { Accept: 'text/html,application/xhtml+xml,image/*;q=0.9,*/*;q=0.5' },
  timeLimitMs: 5_000,
  sizeLimitBytes: 1_048_576,
  cutLong: true,
  redirects: 5,
}

/** Previews of links. A page is read once, however many users post its link. */
export class LinkPreviews {
  #policy: OutboundPolicy
  #known = new Map<string, { preview: LinkPreview | undefined; until: number }>()
  #underWay = new Map<string, Promise<LinkPreview | undefined>>()
  #line = new WaitingLine(READ_AT_ONCE, READ_LATER)
  constructor(policy: OutboundPolicy) {
    this.#policy = policy
  }

  /** Undefined for a page that cannot or must not be reached, or has no metadata. Never throws. */
  async of(url: string): Promise<LinkPreview | undefined> {
    const known = this.#known.get(url)
    if (known && known.until > this.#policy.clock.now()) return known.preview
    let reading = this.#underWay.get(url)
    if (!reading) {
      // A user who posts too many links gets no previews; other users do not wait for them.
      if (this.#line.full) return undefined
      reading = this.#line.take(() => this.#read(url)).finally(() => this.#underWay.delete(url))
      this.#underWay.set(url, reading)
    }
    return reading
  }

  async #read(url: string): Promise<LinkPreview | undefined> {
    const preview = await this.#fetch(url)
    this.#known.delete(url)
    if (this.#known.size >= KEPT) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(url, { preview, until: this.#policy.clock.now() + (preview ? GOOD_MS : IN_PEACE_MS) })
    return preview
  }

  async #fetch(url: string): Promise<LinkPreview | undefined> {
    try {
      const answer = await outboundFetch(this.#policy, url, pageCall)
      if (answer.status !== 200) return undefined
      const { readPreview } = await import('./read-preview.ts')
      return readPreview(url, answer)
    } catch (error) {
      if (error instanceof OutboundError) return undefined
      throw error
    }
  }
}
