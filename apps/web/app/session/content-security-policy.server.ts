import type { Product } from '../product.server.ts'

/**
 * What a page of the product may load and connect to: itself and the chat server.
 *
 * Pictures of other hosts come through the chat server's proxy. A URL that bypasses it is not loaded, so that no sender
 * learns from a picture who reads a message; an operator without the proxy lets browsers load them.
 */
export function contentSecurityPolicy(
  nonce: string,
  { chat: service, foreignPictures }: Pick<Product, 'foreignPictures'> & { chat?: { url: string } },
): string {
  const chatUrl = service?.url
  const others = foreignPictures ? ['https:'] : []
  const chat = chatUrl ? [chatUrl, chatUrl.replace(/^http/, 'ws')] : []
  const rules = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    // Overlays and toasts position themselves with style attributes and elements.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...others, ...chat],
    'media-src': ["'self'", 'blob:', ...others, ...chat],
    // In development, changes come over a socket on another port.
    'connect-src': ["'self'", ...chat, ...(import.meta.env.DEV ? ['ws:'] : [])],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(rules)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
}
