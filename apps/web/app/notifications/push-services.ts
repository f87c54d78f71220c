/** Those who bring messages to the browsers there are. */
const known = ['fcm.googleapis.com', '.push.services.mozilla.com', '.notify.windows.com', '.push.apple.com']

/**
 * Whether messages may be handed to an address that a browser named. Only those who bring messages to browsers are
 * called, so that nobody can make the product talk to its own neighbours.
 *
 * @param allowed  `host` or `host:port` of more of them, which need not speak TLS
 */
export function isPushService(endpoint: string, allowed: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  if (allowed.includes(url.host) || allowed.includes(url.hostname)) return true
  const isKnown = known.some((name) => (name.startsWith('.') ? url.hostname.endsWith(name) : url.hostname === name))
  return url.protocol === 'https:' && url.port === '' && isKnown
}
