import { safeUrl } from '@parley/protocol/text/safe-url'

export interface SafeLink {
  href: string
  /** the host in its ASCII form if it contains non-ASCII letters, so that a look-alike is visible */
  asciiHost?: string
}

/** The target of a link, or undefined for one that must not be clickable. */
export function safeLink(url: string): SafeLink | undefined {
  const safe = safeUrl(url)
  if (!safe) return undefined
  const { href, hostname } = safe
  return hostname.split('.').some((label) => label.startsWith('xn--')) ? { href, asciiHost: hostname } : { href }
}
