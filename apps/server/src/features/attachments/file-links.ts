import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * After this part of its life a link gets a new signature; until then it stays the same, so that browsers can cache.
 */
const RENEWED_AFTER = 1 / 14

/** A file's address after its origin, in text or HTML: id, name of at most 117 letters as %xx, signature. */
const FILE = /\/files\/([\w-]{27})\/([^\s"<>\\?#/]{1,1404})\?Expires=(\d{1,12})(&|&amp;)Signature=([\w-]{43})/g
/**
 * The origin before it ends where a URL cannot go on. It is matched backwards: matching forwards would follow every
 * possible start in a long text in vain.
 */
const ORIGIN = /https?:\/\/./
const OUTSIDE = /[\s"'<>\\?#]/
const ORIGIN_CHARS = 308
const SIGNATURE = /^[\w-]{43}$/
/** Bytes of the signature that prove the address is ours; as many more bind it to an app. */
const HALF = 16

/**
 * Signed, expiring addresses of files. Anyone with the link can read the file until it expires, without a token,
 * so that `<img>` and `<video>` work [ATT-16].
 *
 * A signature has two halves. The first proves that this server made the address, and is checked before the database
 * is asked; the second binds it to the file's app. Addresses from before apps were signed have another second half.
 */
export class FileLinks {
  #key: string
  #publicUrl: () => string
  /**
   * @param key        secret shared by all nodes
   * @param publicUrl  where clients reach the server
   */
  constructor(key: string, publicUrl: () => string) {
    this.#key = key
    this.#publicUrl = publicUrl
  }

  /** @param now in ms; links made within the same fourteenth of the lifetime are identical */
  linkTo(app: string, file: { id: string; name: string }, lifetimeSeconds: number, now: number): string {
    return this.#addressOf(app, file.id, encodeURIComponent(file.name), expiryOf(lifetimeSeconds, now))
  }

  /**
   * An outgoing text with the addresses of the app's files renewed: those with a valid signature, expired or not.
   * Forged, changed or foreign addresses stay as they were written, and open nothing [ATT-22].
   *
   * @param isOf whether a file is the app's, asked if its address does not name the app
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

  /** Whether a text may contain file addresses; otherwise it needs no renewal. */
  mayBeIn(text: string): boolean {
    // Six letters: with seven, V8 searches a long text letter by letter, which takes forty times as long.
    return text.includes('/files')
  }

  /** Files with valid addresses in a text that do not name the app. */
  idsWithoutApp(text: string): string[] {
    if (!this.mayBeIn(text)) return []
    return [...text.matchAll(FILE)].flatMap(({ 1: id, 3: until, 5: signature }) =>
      isSame(signature!, this.#signWithoutApp(id!, until!)) ? id! : [],
    )
  }

  /** An address for an upload; it cannot be used to read the file. */
  uploadTo({ id, name }: { id: string; name: string }, lifetimeSeconds: number, now: number): string {
    const expires = Math.floor(now / 1000) + lifetimeSeconds
    const signed = `Expires=${expires}&Signature=${this.#signWithoutApp(uploadOf(id), String(expires))}`
    return `${this.#base()}/imports/uploads/${id}/${encodeURIComponent(name)}?${signed}`
  }

  /** When an upload address expires, in ms; undefined when it was not made here. */
  endOfUpload(id: string, query: Record<string, string | undefined>): number | undefined {
    const { Expires = '', Signature = '' } = query
    return isSame(Signature, this.#signWithoutApp(uploadOf(id), Expires)) ? endIn(Expires) : undefined
  }

  /** When the link expires, in ms; undefined when this server did not make it. The owner is checked later. */
  endOf(id: string, { Expires = '', Signature = '' }: Record<string, string | undefined>): number | undefined {
    if (!SIGNATURE.test(Signature)) return undefined
    const isOurs = timingSafeEqual(firstHalf(Signature), firstHalf(this.#signWithoutApp(id, Expires)))
    return isOurs ? endIn(Expires) : undefined
  }

  /** Whether the link was made for a file of this app, or before links named the app. */
  isOf(app: string, id: string, { Expires = '', Signature = '' }: Record<string, string | undefined>): boolean {
    return isSame(Signature, this.#sign(app, id, Expires)) || isSame(Signature, this.#signWithoutApp(id, Expires))
  }

  /** The file's id in an address of this server, even an expired one. */
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
    // Ids contain no colon, so this input never equals one signed without an app.
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

/** Where the origin before a path begins; undefined when there is none. */
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

/** The signed input of an upload address, so that a read link cannot be used to upload. */
function uploadOf(id: string): string {
  return `upload ${id}`
}

/** Unix seconds. */
function expiryOf(lifetimeSeconds: number, now: number): number {
  const step = Math.max(1, Math.floor(lifetimeSeconds * RENEWED_AFTER))
  return Math.floor(now / 1000 / step) * step + lifetimeSeconds
}
