import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerBuild } from 'react-router'
import type { Product } from '../app/product.server.ts'
import { pages, withFiles } from './http.ts'
import { openProduct } from './product.ts'
import { readSettings, SettingError } from './settings.ts'

/** `node apps/web/src/main.ts` serves the build; with `--dev` it serves the sources and reloads what changes. */
const folder = dirname(dirname(fileURLToPath(import.meta.url)))

try {
  await start({ dev: process.argv.includes('--dev') })
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function start({ dev }: { dev: boolean }) {
  const settings = readSettings(process.env)
  process.env.NODE_ENV ??= dev ? 'development' : 'production'
  if (settings.missingForChat.length > 0)
    console.warn(`Chat is off. Fill in ${settings.missingForChat.join(' and ')} to turn it on.`)

  const product = await openProduct(settings)
  const server = createServer(dev ? await fromSources(product) : await fromBuild(product))
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(settings.port, settings.host, listening)
  })
  const { port } = server.address() as AddressInfo
  console.log(`The web app listens on http://${settings.host}:${port}`)

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(server, product))
}

async function fromBuild(product: Product): Promise<RequestListener> {
  const path = join(folder, 'build/server/index.js')
  const build = (await import(path)) as ServerBuild
  return withFiles(join(folder, 'build/client'), pages(build, product))
}

async function fromSources(product: Product): Promise<RequestListener> {
  const { createServer: createVite } = await import('vite')
  const vite = await createVite({ root: folder, server: { middlewareMode: true } })
  return (request, response) =>
    vite.middlewares(request, response, async () => {
      try {
        const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
        pages(build, product)(request, response)
      } catch (error) {
        vite.ssrFixStacktrace(error as Error)
        console.error(error)
        response.writeHead(500).end()
      }
    })
}

/** Lets running answers finish; idle connections are closed at once. */
async function stop(server: Server, product: Product) {
  server.closeIdleConnections()
  await new Promise((closed) => {
    server.close(closed)
    setTimeout(() => server.closeAllConnections(), 2_000).unref()
  })
  await product.database.close()
  process.exit(0)
}
