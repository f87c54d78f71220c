import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Of a link's life this part passes before it is given another signature, so that browsers can keep what they loaded.
 */
const RENEWED_AFTER = 1 / 14

/** A file's address behind its origin, anywhere in a text: id, name of 117 letters as %xx, what was signed. */
const FILE = /\/files\/([\w-]{27})\/([^\s"<>\\?#/]{1,1404})\?Expires=\d{1,12}&Signature=[\w-]{43}/g
/**
 * What stands before it, and ends where an address cannot go on. It is looked at backwards: in a text full of what may
 * begin an address, each beginning would be followed in vain.
 */
const ORIGIN = /https?:\/\/./
const OUTSIDE = /[\s"'<>\\?#]/
const ORIGIN_CHARS = 308

/**
 * The addresses of files: signed, and good for a while. Whoever has one can read the file until then and needs
 * nothing else, so that `<img>` and `<video>` work [ATT-16].
 */
export class FileLinks {
  #key: string
  #publicUrl: () => string
  /**
   * @param key        known to all nodes and to nobody else
   * @param publicUrl  where clients reach the server
   */
  constructor(key: string, publicUrl: () => string) {
    this.#key = key
    this.#publicUrl = publicUrl
  }

  /** @param now in ms; a link made within the same fourteenth of its life is the same link */
  linkTo(file: { id: string; name: string }, lifetimeSeconds: number, now: number): string {
    return this.#addressOf(file.id, encodeURIComponent(file.name), expiryOf(lifetimeSeconds, now))
  }

  /**
   * A text that leaves the server, with every address of a file in it good again. Whoever knows an id, which cannot
   * be guessed, has had a link before; so the old signature need not be looked at.
   */
  renewed(text: string, lifetimeSeconds: number, now: number): string {
    if (!this.mayBeIn(text)) return text
    const expires = expiryOf(lifetimeSeconds, now)
    let renewed = ''
    let rest = 0
    for (const { index, 0: file, 1: id, 2: name } of text.matchAll(FILE)) {
      const before = text
        .slice(Math.max(rest, index - ORIGIN_CHARS), index)
        .split(OUTSIDE)
        .at(-1)!
      const at = before.search(ORIGIN)
      if (at === -1) continue
      renewed += text.slice(rest, index - before.length + at) + this.#addressOf(id!, name!, expires)
      rest = index + file.length
    }
    return renewed + text.slice(rest)
  }

  /** Whether a text may have addresses of files in it; where not, it leaves as it is. */
  mayBeIn(text: string): boolean {
    // Six letters: looking for seven, V8 goes through a long text letter by letter, which takes forty times as long.
    return text.includes('/files')
  }

  /** An address that takes a file; it does not give it. */
  uploadTo({ id, name }: { id: string; name: string }, lifetimeSeconds: number, now: number): string {
    const expires = Math.floor(now / 1000) + lifetimeSeconds
    const signed = `Expires=${expires}&Signature=${this.#sign(uploadOf(id), String(expires))}`
    return `${this.#base()}/imports/uploads/${id}/${encodeURIComponent(name)}?${signed}`
  }

  /** When such an address runs out, in ms; undefined when it was not made here. */
  endOfUpload(id: string, query: Record<string, string | undefined>): number | undefined {
    return this.endOf(uploadOf(id), query)
  }

  /** When the link runs out, in ms; undefined when it was not made here. */
  endOf(id: string, { Expires = '', Signature = '' }: Record<string, string | undefined>): number | undefined {
    const expected = Buffer.from(this.#sign(id, Expires))
    const given = Buffer.from(Signature)
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
    return Number(Expires) * 1000
  }

  /** The file's id in an address of ours, however old. */
  idIn(address: string): string | undefined {
    return /\/files\/([\w-]{27})\//.exec(address)?.[1]
  }

  #addressOf(id: string, encodedName: string, expires: number): string {
    return `${this.#base()}/files/${id}/${encodedName}?Expires=${expires}&Signature=${this.#sign(id, String(expires))}`
  }

  #base(): string {
    return this.#publicUrl().replace(/\/+$/, '')
  }

  #sign(id: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${id}?${expires}`).digest('base64url')
  }
}

/** What is signed of an upload, so that whoever may give a file may not take it. */
function uploadOf(id: string): string {
  return `upload ${id}`
}

/** Unix seconds. */
function expiryOf(lifetimeSeconds: number, now: number): number {
  const step = Math.max(1, Math.floor(lifetimeSeconds * RENEWED_AFTER))
  return Math.floor(now / 1000 / step) * step + lifetimeSeconds
}
