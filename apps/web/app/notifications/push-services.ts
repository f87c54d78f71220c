/** The push services of known browsers. */
const known = ['fcm.googleapis.com', '.push.services.mozilla.com', '.notify.windows.com', '.push.apple.com']

/**
 * Whether the product may call this push service's URL, which a browser sent. Only known services are called, to
 * prevent requests to internal hosts (SSRF).
 *
 * @param allowed  `host` or `host:port` of further services, which may lack TLS
 */
export function isPushService(endpoint: string, allowed: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  if (allowed.includes(url.host) || allowed.includes(url.hostname)) return true
  const isKnown = known.some((name) => (name.startsWith('.') ? url.hostname.endsWith(name) : url.hostname === name))
  return url.protocol === 'https:' && url.port === '' && isKnown
}
