/**
 * What a page of the product may load and talk to: itself and the chat server.
 *
 * Pictures may come from any https address, because people put such addresses into profiles and messages.
 */
export function contentSecurityPolicy(nonce: string, chatUrl: string | undefined): string {
  const chat = chatUrl ? [chatUrl, chatUrl.replace(/^http/, 'ws')] : []
  const rules = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    // Overlays and toasts place themselves with style attributes and elements.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', 'https:', ...chat],
    'media-src': ["'self'", 'blob:', 'https:', ...chat],
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
