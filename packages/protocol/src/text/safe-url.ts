/** The protocols an address in a message may have. Every other one stays text: `javascript:`, `data:`, `file:` … */
const PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

/** The target of a link, or undefined for one that must not be followed. */
export function safeUrl(url: string): URL | undefined {
  const parsed = URL.parse(url)
  return parsed && PROTOCOLS.includes(parsed.protocol) ? parsed : undefined
}
