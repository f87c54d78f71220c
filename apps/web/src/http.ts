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

/** Files whose names carry a hash never change. */
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
 * Answers the pages and calls of the product. Routes see addresses of `PUBLIC_URL`, however a request came here: a proxy
 * that speaks TLS passes it on as http, and `Host` and `X-Forwarded-*` anybody may have written [APP-33].
 *
 * @param proxies  those in front of it, which say where a request comes from
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
    // Another server's address, or `*`, would not stand below the product's.
    if (!request.url?.startsWith('/')) response.writeHead(400).end()
    else if (isOpenedUnderAnotherName(request, product.publicUrl))
      response.writeHead(307, { location: new URL(product.publicUrl).origin + request.url }).end()
    else listener(request, response)
  }
}

/** Whether a browser opens a page of this machine under another of the machine's names than `PUBLIC_URL`'s [APP-42]. */
function isOpenedUnderAnotherName({ method, headers }: IncomingMessage, publicUrl: string): boolean {
  if (method !== 'GET' || headers['sec-fetch-mode'] !== 'navigate' || !isThisMachine(publicUrl)) return false
  const own = new URL(publicUrl)
  const asked = URL.parse(`${own.protocol}//${headers.host}`)
  return asked !== null && asked.host !== own.host && asked.port === own.port && isThisMachine(asked.href)
}

/**
 * Answers the built files and passes everything else on. They are few and small, so all of them are read once, at
 * start, and no path from outside ever reaches the file system.
 */
export async function withFiles(folder: string, otherwise: RequestListener): Promise<RequestListener> {
  const files = await readFiles(folder)
  return (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'same-origin')
    // A host that is none is a fault of who asks, even where it decides nothing.
    const { url = '', headers } = request
    if (!url.startsWith('/') || !URL.canParse(`http://${headers.host ?? 'localhost'}${url}`)) {
      response.writeHead(400).end()
      return
    }
    // Nor can they be asked to say back what was said to them.
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
  /** Empty for what is compressed already. */
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
