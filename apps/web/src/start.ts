import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, BlockList } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServerBuild } from 'react-router'
import type { Product } from '../app/product.server.ts'
import { chatAddressFaults } from './chat-address.ts'
import { startChores } from './chores.ts'
import { castMember, demoPassword, demoSignIns } from './demo/people.ts'
import { seedDemo } from './demo/seed.ts'
import { pages, withFiles } from './http.ts'
import { prepareChat } from './prepare-chat.ts'
import { openProduct } from './product.ts'
import { readSettings } from './settings.ts'

/** The chat server may start at the same time, so the demo waits for it this long. */
const DEMO_TRIES = 60
const DEMO_PAUSE_MS = 500

const folder = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Opens the database, listens and, on a first run, fills the demo.
 *
 * @throws SettingError naming a setting that cannot be used
 */
export async function start({ dev }: { dev: boolean }) {
  const settings = readSettings(process.env)
  if (settings.missingForChat.length > 0)
    console.warn(`Chat is off. Fill in ${settings.missingForChat.join(' and ')} to turn it on.`)
  for (const fault of chatAddressFaults(settings)) console.warn(fault)

  const product = await openProduct(settings)
  const { proxies } = settings
  const server = createServer(withHealth(dev ? await fromSources(product, proxies) : await fromBuild(product, proxies)))
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(settings.port, settings.host, listening)
  })
  const { port } = server.address() as AddressInfo
  console.log(`The web app listens on http://${settings.host}:${port}`)
  if (settings.demo) void fillDemo(product)
  void prepareChat(product, settings.eventsUrl ?? settings.publicUrl)
  startChores(product)

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(server, product))
}

/** The pages are up before the demo is complete: the chat server may still be starting. */
async function fillDemo(product: Product) {
  for (let tries = 0; ; tries++) {
    try {
      if (!(await seedDemo(product, new Date()))) return
      const width = Math.max(...demoSignIns.map(({ name }) => castMember(name).email.length))
      const lines = demoSignIns.map(({ name, about }) => `  ${castMember(name).email.padEnd(width)}  ${about}`)
      console.log(`Demo sign-ins, all with the password ${demoPassword}:\n${lines.join('\n')}`)
      return
    } catch (error) {
      if (tries >= DEMO_TRIES) {
        console.error('The demo could not be completed; the next start goes on with it.', error)
        return
      }
      await setTimeout(DEMO_PAUSE_MS)
    }
  }
}

/** Whoever started the app asks here whether it is up. */
function withHealth(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url !== '/health') return listener(request, response)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}')
  }
}

async function fromBuild(product: Product, proxies: BlockList): Promise<RequestListener> {
  const path = join(folder, 'build/server/index.js')
  const build = (await import(path)) as ServerBuild
  return withFiles(join(folder, 'build/client'), pages(build, product, proxies))
}

async function fromSources(product: Product, proxies: BlockList): Promise<RequestListener> {
  const { createServer: createVite } = await import('vite')
  // Vite refuses hosts it does not know, since a page elsewhere might have its own name lead here.
  const allowedHosts = [new URL(product.publicUrl).hostname]
  const vite = await createVite({ root: folder, server: { middlewareMode: true, allowedHosts } })
  return (request, response) =>
    vite.middlewares(request, response, async () => {
      try {
        const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
        pages(build, product, proxies)(request, response)
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
    void setTimeout(2_000, undefined, { ref: false }).then(() => server.closeAllConnections())
  })
  await product.push.close()
  await product.database.close()
  process.exit(0)
}
