import { createHmac, timingSafeEqual } from 'node:crypto'
import { originBefore } from './file-links.ts'

/** Fields that clients show as images, as a string, or as GIPHY's object with addresses in it. */
const FIELD = /"(?:image|image_url|thumb_url|author_icon|footer_icon)":("[^"\\]*(?:\\.[^"\\]*)*")|"giphy":\{/g
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(:?)|[{}"]/g
/** An address of the proxy after its origin. */
const PROXIED = /\/images\/([\w-]{43})\?url=([\w.~!*'()%-]+)/g
/** Base for relative URLs: those resolve to the page that shows them. */
const NOWHERE = 'http://nowhere.invalid/'

/**
 * Addresses of the image proxy: they replace external image URLs, so that the external host does not learn who views
 * the image. Stored texts keep the original; it is replaced on the way out, and restored on the way in.
 *
 * Addresses are signed, so the proxy fetches only URLs this server sent out. They do not expire and are the same for
 * every user: browsers can cache the image, and pages cached as text stay valid.
 */
export class ImageAddresses {
  #key: Buffer
  #publicUrl: () => string
  /**
   * @param key        secret shared by all nodes
   * @param publicUrl  where clients reach the server
   */
  constructor(key: string, publicUrl: () => string) {
    // A derived key: a signature made here is not valid for files.
    this.#key = createHmac('sha256', key).update('image proxy').digest()
    this.#publicUrl = publicUrl
  }

  /** A JSON text, or a piece of one, with every external image in it led through the proxy [ATT-24]. */
  toProxy(text: string): string {
    let led = ''
    let rest = 0
    let looked = 0
    const lead = (literal: string, at: number) => {
      const address = this.#proxied(literal)
      if (address === undefined) return
      led += text.slice(rest, at) + address
      rest = at + literal.length
    }
    for (const { index, 0: field, 1: literal } of text.matchAll(FIELD)) {
      if (index < looked) continue
      looked = index + field.length
      if (literal !== undefined) lead(literal, index + field.length - literal.length)
      else
        for (const { literal, at } of addressesOf(text, index + field.length - 1)) {
          if (literal !== undefined) lead(literal, at)
          looked = at
        }
    }
    return led + text.slice(rest)
  }

  /** An incoming text with proxy addresses replaced by the original ones. */
  fromProxy(text: string): string {
    if (!text.includes('/images/')) return text
    let turned = ''
    let rest = 0
    for (const { index, 0: proxied, 1: signature, 2: encoded } of text.matchAll(PROXIED)) {
      const url = decoded(encoded!)
      const at = originBefore(text, index, rest)
      if (at === undefined || url === undefined || !this.isSigned(url, signature!)) continue
      turned += text.slice(rest, at) + JSON.stringify(url).slice(1, -1)
      rest = index + proxied.length
    }
    return turned + text.slice(rest)
  }

  /** The proxy's address of a picture. */
  of(url: string): string {
    return `${this.#publicUrl().replace(/\/+$/, '')}/images/${this.#sign(url)}?url=${encodeURIComponent(url)}`
  }

  isSigned(url: string, signature: string): boolean {
    const expected = Buffer.from(this.#sign(url))
    const given = Buffer.from(signature)
    return expected.length === given.length && timingSafeEqual(expected, given)
  }

  /** As JSON; undefined for URLs that need no proxy. */
  #proxied(literal: string): string | undefined {
    // Browsers also accept URLs that begin with slashes, or have spaces and line breaks around them.
    const url = URL.parse(JSON.parse(literal), NOWHERE)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
    if (url.origin === new URL(NOWHERE).origin || url.origin === new URL(this.#publicUrl()).origin) return undefined
    url.username = ''
    url.password = ''
    url.hash = ''
    return JSON.stringify(this.of(url.href))
  }

  #sign(url: string): string {
    return createHmac('sha256', this.#key).update(url).digest('base64url')
  }
}

/** The strings under `url`, and under every image field, in the object that begins at an index; finally its end. */
function* addressesOf(text: string, from: number): Generator<{ literal?: string; at: number }> {
  let depth = 0
  let key: string | undefined
  const tokens = new RegExp(TOKEN)
  tokens.lastIndex = from
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [whole, literal, colon] = token
    if (literal === undefined) {
      depth += whole === '{' ? 1 : -1
      key = undefined
      // A text that does not end is not JSON, and is not searched again.
      if (depth === 0 || whole === '"') return yield { at: whole === '"' ? text.length : token.index }
    } else if (colon) key = literal
    else {
      if (key !== undefined && pictures.has(key)) yield { literal, at: token.index }
      key = undefined
    }
  }
  yield { at: text.length }
}

const pictures = new Set(['"url"', '"image"', '"image_url"', '"thumb_url"'])

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
