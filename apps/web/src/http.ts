import { readdir, readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { BlockList } from 'node:net'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { createRequestListener } from '@react-router/node'
import { RouterContextProvider, type ServerBuild } from 'react-router'
import type * as entry from '../app/entry.server.tsx'
import type { Product } from '../app/product.server.ts'
import { clientAddress } from './client-address.ts'

/** Files whose names carry a hash never change. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_AN_HOUR = 'public, max-age=3600'

/** Smaller answers do not get smaller. */
const GZIP_FROM_BYTES = 1_024

/** It is done once for each file, and everybody waits for what it leaves. */
const SMALLEST = { level: constants.Z_BEST_COMPRESSION }

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
 * Answers the pages and calls of the product.
 *
 * @param proxies  those in front of it, which say where a request comes from
 */
export function pages(build: ServerBuild, product: Product, proxies: BlockList): RequestListener {
  const { provide } = build.entry.module as unknown as typeof entry
  return createRequestListener({
    build,
    getLoadContext({ headers }, client) {
      const context = new RouterContextProvider()
      provide(context, product, clientAddress(client.address, headers.get('x-forwarded-for'), proxies))
      return context
    },
  })
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
    // What makes no address with its host would be a fault of the pages, who put the two together.
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

    const small = file.zipped && /\bgzip\b/.test(String(headers['accept-encoding']))
    const body = small ? file.zipped! : file.body
    if (small) response.setHeader('content-encoding', 'gzip')
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
  zipped?: Buffer
  contentType: string
}

async function readFiles(folder: string): Promise<Map<string, BuiltFile>> {
  const files = new Map<string, BuiltFile>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const contentType = contentTypes[extname(entry.name)]
    if (!contentType) continue
    const body = await readFile(path)
    const zipped = body.length >= GZIP_FROM_BYTES ? await promisify(gzip)(body, SMALLEST) : undefined
    files.set(`/${relative(folder, path).split(sep).join('/')}`, { body, zipped, contentType })
  }
  return files
}
