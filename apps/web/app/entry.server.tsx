import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { encodingFor } from './encodings.server.ts'
import { loadAllCatalogues } from './i18n/catalogues.ts'
import { NonceProvider } from './nonce.tsx'
import { clientAddressContext, type Product, productContext } from './product.server.ts'
import { contentSecurityPolicy } from './session/content-security-policy.server.ts'

await loadAllCatalogues()

/** A page that takes longer is cut off, so that no connection hangs for ever. */
const RENDER_LIMIT_MS = 10_000

/** Sets the context that the routes read for one request. The server calls it, see `src/http.ts`. */
export function provide(context: RouterContextProvider, product: Product, clientAddress: string): void {
  context.set(productContext, product)
  context.set(clientAddressContext, clientAddress)
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', contentSecurityPolicy(nonce, context.get(productContext)))
  headers.append('vary', 'accept-encoding')
  const encoding = encodingFor(request.headers.get('accept-encoding'))
  if (encoding) headers.set('content-encoding', encoding.name)
  // Crawlers get the whole page at once, browsers get it as a stream.
  const ready = isbot(request.headers.get('user-agent')) ? 'onAllReady' : 'onShellReady'

  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceProvider value={nonce}>
        <ServerRouter context={router} url={request.url} nonce={nonce} />
      </NonceProvider>,
      {
        nonce,
        [ready]() {
          // React flushes it whenever it waits for more.
          const body = encoding?.stream() ?? new PassThrough()
          body.once('finish', () => clearTimeout(limit))
          pipe(body)
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
        },
        onShellError: reject,
        onError: (error) => console.error(error),
      },
    )
    const limit = setTimeout(abort, RENDER_LIMIT_MS)
  })
}
