import type { RequestListener } from 'node:http'
import type { BlockList } from 'node:net'
import { isTrusted } from './client-address.ts'

/**
 * Logs once that a proxy in front of the web app is missing from `TRUSTED_PROXIES`: all clients behind it have one
 * address, and share its rate limits.
 */
export function withProxyNote(proxies: BlockList, listener: RequestListener): RequestListener {
  let isTold = false
  return (request, response) => {
    const peer = request.socket.remoteAddress ?? ''
    if (!isTold && request.headers['x-forwarded-for'] !== undefined && !isTrusted(peer, proxies)) {
      isTold = true
      console.warn(
        `TRUSTED_PROXIES does not name ${peer}, which sends X-Forwarded-For: if that is your proxy, set it, or everybody behind it counts as one address.`,
      )
    }
    return listener(request, response)
  }
}
