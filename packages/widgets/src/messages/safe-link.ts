/** The protocols a link in a message may open. Every other link stays text: `javascript:`, `data:`, `file:` … */
const PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

export interface SafeLink {
  href: string
  /** the host in its ASCII form if it contains non-ASCII letters, so that a look-alike is visible */
  asciiHost?: string
}

/** The target of a link, or undefined for one that must not be clickable. */
export function safeLink(url: string): SafeLink | undefined {
  if (!URL.canParse(url)) return undefined
  const { href, protocol, hostname } = new URL(url)
  if (!PROTOCOLS.includes(protocol)) return undefined
  return hostname.split('.').some((label) => label.startsWith('xn--')) ? { href, asciiHost: hostname } : { href }
}
