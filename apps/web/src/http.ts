import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { BlockList } from 'node:net'
import { extname, join, relative, sep } from 'node:path'
import { type ClientAddress, createRequestListener } from '@remix-run/node-fetch-server'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { isThisMachine } from '../../process/this-machine.ts'
import { type Encoding, encodingFor, encodings } from '../app/encodings.server.ts'
import type * as entry from '../app/entry.server.tsx'
import type { Product } from '../app/product.server.ts'
import { clientAddress } from './client-address.ts'

/** Files with a hash in their names never change. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_AN_HOUR = 'public, max-age=3600'

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Serves the pages and calls of the product. Routes always see URLs of `PUBLIC_URL`: a proxy that terminates TLS
 * forwards plain http, and `Host` and `X-Forwarded-*` may be forged [APP-33].
 *
 * @param proxies  the trusted proxies, which report the client's address
 */
export function pages(build: ServerBuild, product: Product, proxies: BlockList): RequestListener {
  const { provide } = build.entry.module as unknown as typeof entry
  const handle = createRequestHandler(build)
  const { protocol, host } = new URL(product.publicUrl)
  const listener = createRequestListener(
    (request: Request, client: ClientAddress) => {
      const context = new RouterContextProvider()
      provide(context, product, clientAddress(client.address, request.headers.get('x-forwarded-for'), proxies))
      return handle(request, context)
    },
    { protocol, host },
  )
  return (request, response) => {
    // An absolute URL of another server, or `*`, is not below the product's URL.
    if (!request.url?.startsWith('/')) response.writeHead(400).end()
    else if (isOpenedUnderAnotherName(request, product.publicUrl))
      response.writeHead(307, { location: new URL(product.publicUrl).origin + request.url }).end()
    else listener(request, response)
  }
}

/** Whether a browser opens a page of this machine under another of its names than the one in `PUBLIC_URL` [APP-42]. */
function isOpenedUnderAnotherName({ method, headers }: IncomingMessage, publicUrl: string): boolean {
  if (method !== 'GET' || headers['sec-fetch-mode'] !== 'navigate' || !isThisMachine(publicUrl)) return false
  const own = new URL(publicUrl)
  const asked = URL.parse(`${own.protocol}//${headers.host}`)
  return asked !== null && asked.host !== own.host && asked.port === own.port && isThisMachine(asked.href)
}

/**
 * Serves the built files and passes all other requests on. They are few and small, so all are read once, at start, and
 * no request path ever reaches the file system.
 */
export async function withFiles(folder: string, otherwise: RequestListener): Promise<RequestListener> {
  const files = await readFiles(folder)
  return (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'same-origin')
    // A malformed host is a client error, even where it is not used.
    const { url = '', headers } = request
    if (!url.startsWith('/') || !URL.canParse(`http://${headers.host ?? 'localhost'}${url}`)) {
      response.writeHead(400).end()
      return
    }
    // Routes cannot handle TRACE, which echoes the request.
    if (request.method === 'TRACE') {
      response.writeHead(405).end()
      return
    }
    const path = url.split('?')[0]!
    const file = files.get(path)
    if (!file || !['GET', 'HEAD'].includes(request.method!)) return otherwise(request, response)

    const encoding = encodingFor(String(headers['accept-encoding']), [...file.encoded.keys()])
    const body = encoding ? file.encoded.get(encoding)! : file.body
    if (encoding) response.setHeader('content-encoding', encoding.name)
    response.writeHead(200, {
      'content-type': file.contentType,
      'content-length': body.length,
      'cache-control': path.startsWith('/assets/') ? FOR_EVER : FOR_AN_HOUR,
      vary: 'accept-encoding',
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

interface BuiltFile {
  body: Buffer
  /** Empty for files that are compressed already. */
  encoded: Map<Encoding, Buffer>
  contentType: string
}

async function readFiles(folder: string): Promise<Map<string, BuiltFile>> {
  const files = new Map<string, BuiltFile>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = new Set(entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)))
  for (const path of paths) {
    const contentType = contentTypes[extname(path)]
    if (!contentType) continue
    const encoded = new Map<Encoding, Buffer>()
    for (const encoding of encodings)
      if (paths.has(path + encoding.ending)) encoded.set(encoding, await readFile(path + encoding.ending))
    const place = `/${relative(folder, path).split(sep).join('/')}`
    files.set(place, { body: await readFile(path), encoded, contentType })
  }
  return files
}
