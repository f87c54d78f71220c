/** What a link in a message may open. Everything else stays text: `javascript:`, `data:`, `file:` … */
const PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

export interface SafeLink {
  href: string
  /** the host in its ASCII form when it holds other letters, so that a look-alike shows itself */
  asciiHost?: string
}

/** Where a link leads, or undefined for one that must not be clickable. */
export function safeLink(url: string): SafeLink | undefined {
  if (!URL.canParse(url)) return undefined
  const { href, protocol, hostname } = new URL(url)
  if (!PROTOCOLS.includes(protocol)) return undefined
  return hostname.split('.').some((label) => label.startsWith('xn--')) ? { href, asciiHost: hostname } : { href }
}
