import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { ServerBuild } from 'react-router'
import { expect, it, onTestFinished } from 'vitest'
import { compressFiles } from '../app/encodings.server.ts'
import type { Product } from '../app/product.server.ts'
import { proxiesNamed } from './client-address.ts'
import { pages, withFiles } from './http.ts'

it.each([
  ['a host that is none', 'OPTIONS /', 'a b', 400],
  ['a host with more in it', 'OPTIONS /sign-in', '<script>', 400],
  ['another place', 'OPTIONS http://evil.example/', 'localhost', 400],
  ['everything', 'OPTIONS *', 'localhost', 400],
  ['the own words back', 'TRACE /', 'localhost', 405],
  ['a page', 'OPTIONS /sign-in?back=//', 'localhost', 200],
])('a request for %s gets a response, and no page sees what it cannot handle', async (_, asked, host, status) => {
  const socket = connect(await portOf(aFolder()), '127.0.0.1')
  socket.write(`${asked} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

it.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip;q=1.0, deflate', 'gzip', gunzipSync],
  ['brotli, x-gzip', undefined, (body: Buffer) => body],
])('a built file has the best encoding that a browser of %s supports', async (known, chosen, open) => {
  const folder = aFolder()
  const program = 'console.log("Tea?")\n'.repeat(100)
  writeFileSync(join(folder, 'app.js'), program)
  writeFileSync(join(folder, 'short.js'), 'go()')
  await compressFiles(folder)
  const port = await portOf(folder)

  const ask = { port, path: '/app.js', headers: { 'accept-encoding': known } }
  const [answer] = (await once(get(ask), 'response')) as [IncomingMessage]
  const body = await buffer(answer)
  expect(answer.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', vary: 'accept-encoding' })
  expect(answer.headers['content-encoding']).toBe(chosen)
  expect(Number(answer.headers['content-length'])).toBe(body.length)
  expect(open(body).toString()).toBe(program)
  const [short] = (await once(get({ ...ask, path: '/short.js' }), 'response')) as [IncomingMessage]
  expect(short.headers['content-encoding']).toBeUndefined()
  expect(await text(short)).toBe('go()')
})

it.each([
  ['https://chat.example.com', '/a?b=%20c', 'https://chat.example.com/a?b=%20c'],
  ['https://chat.example.com:8443', '/', 'https://chat.example.com:8443/'],
  ['http://localhost:3000', '//evil.example/a', 'http://localhost:3000//evil.example/a'],
  ['http://[::1]:3000', '/@evil.example', 'http://[::1]:3000/@evil.example'],
])('[APP-33] routes see addresses of %s and ignore forged headers', async (publicUrl, path, seen) => {
  const port = await listening(pages(echo, { publicUrl } as Product, proxiesNamed(['127.0.0.1'])))
  for (const headers of [
    {},
    { host: 'evil.example' },
    { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' },
    { forwarded: 'proto=http;host=evil.example' },
    { 'x-forwarded-proto': 'https' },
  ]) {
    const [answer] = (await once(get({ port, path, headers }), 'response')) as [IncomingMessage]
    expect(await text(answer), JSON.stringify(headers)).toBe(seen)
  }
})

it.each(['http://evil.example/', '*'])('[APP-33] %s is not below the product’s address', async (asked) => {
  const port = await listening(pages(echo, { publicUrl: 'https://chat.example.com' } as Product, proxiesNamed([])))
  const socket = connect(port, '127.0.0.1')
  socket.write(`OPTIONS ${asked} HTTP/1.1\r\nHost: chat.example.com\r\nConnection: close\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
})

it.each([
  ['another of its names', 'http://localhost:3000', '127.0.0.1:3000', {}, 'http://localhost:3000/sign-in?to=/'],
  ['a name below localhost', 'http://127.0.0.1:3000', 'chat.localhost:3000', {}, 'http://127.0.0.1:3000/sign-in?to=/'],
  ['its own name', 'http://localhost:3000', 'localhost:3000', {}, undefined],
  ['another port, which a tunnel has', 'http://localhost:3000', '127.0.0.1:8080', {}, undefined],
  ['a name that is elsewhere', 'http://localhost:3000', 'evil.example:3000', {}, undefined],
  ['this machine, where the product is elsewhere', 'https://chat.example.com', '127.0.0.1', {}, undefined],
  [
    'another of its names, by a script',
    'http://localhost:3000',
    '127.0.0.1:3000',
    { 'sec-fetch-mode': 'cors' },
    undefined,
  ],
])(
  '[APP-42] a page opened under %s is redirected to PUBLIC_URL only where both are this machine',
  async (_, publicUrl, host, more, led) => {
    const port = await listening(pages(echo, { publicUrl } as Product, proxiesNamed([])))
    const headers = { host, 'sec-fetch-mode': 'navigate', ...more }
    const [answer] = (await once(get({ port, path: '/sign-in?to=/', headers }), 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(led ? 307 : 200)
    expect(answer.headers.location).toBe(led)
  },
)

/** Echoes every address as a route sees it. */
const echo = {
  entry: { module: { default: () => new Response(), provide: () => {} } },
  routes: {
    echo: {
      id: 'echo',
      path: '*',
      module: { loader: ({ request }: { request: Request }) => new Response(request.url) },
    },
  },
  assets: { routes: { echo: { id: 'echo', path: '*' } }, entry: { module: '', imports: [] }, url: '', version: '' },
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  publicPath: '/',
  assetsBuildDirectory: '',
  routeDiscovery: { mode: 'initial', manifestPath: '' },
} as unknown as ServerBuild

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A server with the files of a folder, and empty pages. */
async function portOf(folder: string): Promise<number> {
  return listening(await withFiles(folder, (_, response) => response.end()))
}

async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
