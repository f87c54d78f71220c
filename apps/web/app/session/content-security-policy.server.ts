import type { Product } from '../product.server.ts'

/**
 * What a page of the product may load and talk to: itself and the chat server.
 *
 * Pictures of other hosts come through the chat server's proxy. Whatever address escapes it is loaded from nowhere, so
 * that nobody learns who reads a message by the picture in it; an operator without the proxy lets browsers load them.
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
    // Overlays and toasts place themselves with style attributes and elements.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...others, ...chat],
    'media-src': ["'self'", 'blob:', ...others, ...chat],
    // While developing, changes come over a socket on a port of its own.
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
