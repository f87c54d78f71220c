import { createHmac, timingSafeEqual } from 'node:crypto'

/** A text with our signature. A signature for one purpose is not valid for another. */
export function signed(text: string, purpose: string, secret: string): string {
  return `${text}.${signature(text, purpose, secret)}`
}

/** The text, if we have signed it for this purpose. */
export function signedText(given: string | undefined, purpose: string, secret: string): string | undefined {
  const [text, mark] = given?.split('.') ?? []
  return text && mark && same(mark, signature(text, purpose, secret)) ? text : undefined
}

/** Compares in constant time. */
export function same(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

export function cookieOf(request: Request, name: string): string | undefined {
  return request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

function signature(text: string, purpose: string, secret: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${text}`).digest('base64url')
}
