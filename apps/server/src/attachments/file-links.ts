import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Of a link's life this part passes before it is given another signature, so that browsers can keep what they loaded.
 */
const RENEWED_AFTER = 1 / 14

/** A file's address behind its origin, in a text or in its HTML: id, name of 117 letters as %xx, what was signed. */
const FILE = /\/files\/([\w-]{27})\/([^\s"<>\\?#/]{1,1404})\?Expires=(\d{1,12})(&|&amp;)Signature=([\w-]{43})/g
/**
 * What stands before it, and ends where an address cannot go on. It is looked at backwards: in a text full of what may
 * begin an address, each beginning would be followed in vain.
 */
const ORIGIN = /https?:\/\/./
const OUTSIDE = /[\s"'<>\\?#]/
const ORIGIN_CHARS = 308
const SIGNATURE = /^[\w-]{43}$/
/** Bytes of a signature that say the address is ours; as many more say whose file it is. */
const HALF = 16

/**
 * The addresses of files: signed, and good for a while. Whoever has one can read the file until then and needs
 * nothing else, so that `<img>` and `<video>` work [ATT-16].
 *
 * A signature has two halves. The first says that this server made the address, which is known before the database
 * is asked; the second binds it to the file's app. Addresses from before apps were signed have another second half.
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
  linkTo(app: string, file: { id: string; name: string }, lifetimeSeconds: number, now: number): string {
    return this.#addressOf(app, file.id, encodeURIComponent(file.name), expiryOf(lifetimeSeconds, now))
  }

  /**
   * A text that leaves the server, with the addresses of the app's files in it good again: those that were good once.
   * What somebody made up, changed, or had from another app stays as it was written, and opens nothing [ATT-22].
   *
   * @param isOf says of a file whose address does not say it whether it is the app's
   */
  renewed(
    app: string,
    text: string,
    lifetimeSeconds: number,
    now: number,
    isOf: (id: string) => boolean = () => false,
  ): string {
    if (!this.mayBeIn(text)) return text
    const expires = expiryOf(lifetimeSeconds, now)
    let renewed = ''
    let rest = 0
    for (const { index, 0: file, 1: id, 2: name, 3: until, 4: and, 5: signature } of text.matchAll(FILE)) {
      const at = originBefore(text, index, rest)
      if (at === undefined) continue
      const wasGood =
        isSame(signature!, this.#sign(app, id!, until!)) ||
        (isSame(signature!, this.#signWithoutApp(id!, until!)) && isOf(id!))
      if (!wasGood) continue
      renewed += text.slice(rest, at) + this.#addressOf(app, id!, name!, expires, and)
      rest = index + file.length
    }
    return renewed + text.slice(rest)
  }

  /** Whether a text may have addresses of files in it; where not, it leaves as it is. */
  mayBeIn(text: string): boolean {
    // Six letters: looking for seven, V8 goes through a long text letter by letter, which takes forty times as long.
    return text.includes('/files')
  }

  /** Files whose addresses in a text were good once, and do not say whose they are. */
  idsWithoutApp(text: string): string[] {
    if (!this.mayBeIn(text)) return []
    return [...text.matchAll(FILE)].flatMap(({ 1: id, 3: until, 5: signature }) =>
      isSame(signature!, this.#signWithoutApp(id!, until!)) ? id! : [],
    )
  }

  /** An address that takes a file; it does not give it. */
  uploadTo({ id, name }: { id: string; name: string }, lifetimeSeconds: number, now: number): string {
    const expires = Math.floor(now / 1000) + lifetimeSeconds
    const signed = `Expires=${expires}&Signature=${this.#signWithoutApp(uploadOf(id), String(expires))}`
    return `${this.#base()}/imports/uploads/${id}/${encodeURIComponent(name)}?${signed}`
  }

  /** When such an address runs out, in ms; undefined when it was not made here. */
  endOfUpload(id: string, query: Record<string, string | undefined>): number | undefined {
    const { Expires = '', Signature = '' } = query
    return isSame(Signature, this.#signWithoutApp(uploadOf(id), Expires)) ? endIn(Expires) : undefined
  }

  /** When the link runs out, in ms; undefined when this server did not make it. Whose file it is shows later. */
  endOf(id: string, { Expires = '', Signature = '' }: Record<string, string | undefined>): number | undefined {
    if (!SIGNATURE.test(Signature)) return undefined
    const isOurs = timingSafeEqual(firstHalf(Signature), firstHalf(this.#signWithoutApp(id, Expires)))
    return isOurs ? endIn(Expires) : undefined
  }

  /** Whether the link was made for a file of this app, or before links said so. */
  isOf(app: string, id: string, { Expires = '', Signature = '' }: Record<string, string | undefined>): boolean {
    return isSame(Signature, this.#sign(app, id, Expires)) || isSame(Signature, this.#signWithoutApp(id, Expires))
  }

  /** The file's id in an address of ours, however old. */
  idIn(address: string): string | undefined {
    return /\/files\/([\w-]{27})\//.exec(address)?.[1]
  }

  #addressOf(app: string, id: string, encodedName: string, expires: number, and = '&'): string {
    const signature = this.#sign(app, id, String(expires))
    return `${this.#base()}/files/${id}/${encodedName}?Expires=${expires}${and}Signature=${signature}`
  }

  #base(): string {
    return this.#publicUrl().replace(/\/+$/, '')
  }

  #sign(app: string, id: string, expires: string): string {
    const isOurs = this.#hmac(`${id}?${expires}`).subarray(0, HALF)
    // A colon stands in no id, so what is signed here is nothing that is signed without an app.
    const isOfApp = this.#hmac(`${id}:${app}?${expires}`).subarray(0, HALF)
    return Buffer.concat([isOurs, isOfApp]).toString('base64url')
  }

  #signWithoutApp(id: string, expires: string): string {
    return this.#hmac(`${id}?${expires}`).toString('base64url')
  }

  #hmac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }
}

/** Where the origin begins that stands before a path; undefined where there is none. */
export function originBefore(text: string, index: number, rest: number): number | undefined {
  const before = text
    .slice(Math.max(rest, index - ORIGIN_CHARS), index)
    .split(OUTSIDE)
    .at(-1)!
  const at = before.search(ORIGIN)
  return at === -1 ? undefined : index - before.length + at
}

function isSame(given: string, expected: string): boolean {
  return SIGNATURE.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function firstHalf(signature: string): Buffer {
  return Buffer.from(signature, 'base64url').subarray(0, HALF)
}

function endIn(expires: string): number | undefined {
  return /^\d{1,12}$/.test(expires) ? Number(expires) * 1000 : undefined
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
