import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, BlockList } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServerBuild } from 'react-router'
import { demandPort, namingPort } from '../../process/listening.ts'
import { drained, onStopSignal } from '../../process/stopping.ts'
import type { Product } from '../app/product.server.ts'
import { chatAddressFaults } from './chat-address.ts'
import { keepDemoPrivate } from './demo/keep-private.ts'
import { castMember, demoPassword, demoSignIns } from './demo/people.ts'
import { seedDemo } from './demo/seed.ts'
import { withHealth } from './health.ts'
import { pages, withFiles } from './http.ts'
import { startMaintenance } from './maintenance.ts'
import { demandChat, prepareChat } from './prepare-chat.ts'
import { openProduct } from './product.ts'
import { withProxyNote } from './proxy-note.ts'
import { readSettings } from './settings.ts'

/** The chat server may start at the same time, so the demo retries this often. */
const DEMO_TRIES = 60
const DEMO_PAUSE_MS = 500
/** A response that takes longer is cut off at shutdown. */
const LONGEST_ANSWER_MS = 8_000
const SWEEP_MS = 20

const folder = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Opens the database, listens and, on a first run, fills the demo.
 *
 * @throws SettingError naming an unusable setting
 */
export async function start({ dev }: { dev: boolean }) {
  const settings = readSettings(process.env)
  if (settings.missingForChat.length > 0)
    console.warn(`Chat is off. Fill in ${settings.missingForChat.join(' and ')} to turn it on.`)
  for (const fault of chatAddressFaults(settings)) console.warn(fault)

  const { proxies, host } = settings
  const place = { setting: 'WEB_PORT', host, port: settings.port }
  await demandPort(place)
  await demandChat(settings)
  const product = await openProduct(settings)
  await keepDemoPrivate(product, settings)

  const state = { isDraining: false }
  const answers = dev ? await fromSources(product, proxies) : await fromBuild(product, proxies)
  const server = createServer(withHealth(product.database, state, withProxyNote(proxies, answers)))
  await new Promise<void>((listening, failed) => {
    server.once('error', (error) => failed(namingPort(error, place)))
    server.listen(settings.port, host, listening)
  })
  const { port } = server.address() as AddressInfo
  console.log(`The web app listens on http://${host}:${port}`)
  if (settings.demo === 'on') void fillDemo(product)
  void prepareChat(product, settings.eventsUrl ?? settings.publicUrl)
  startMaintenance(product)

  onStopSignal(async (hurry) => {
    state.isDraining = true
    await drained(settings.drainSeconds, hurry)
    await stop(server, product, hurry)
  })
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
      await pause(DEMO_PAUSE_MS)
    }
  }
}

async function fromBuild(product: Product, proxies: BlockList): Promise<RequestListener> {
  const path = join(folder, 'build/server/index.js')
  const build = (await import(path)) as ServerBuild
  return withFiles(join(folder, 'build/client'), pages(build, product, proxies))
}

async function fromSources(product: Product, proxies: BlockList): Promise<RequestListener> {
  const { createServer: createVite } = await import('vite')
  // Vite refuses unknown hosts, against DNS rebinding.
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

/** Lets running responses finish; idle connections are closed at once, and all of them on a second signal. */
async function stop(server: Server, product: Product, hurry: AbortSignal) {
  const closeAll = () => server.closeAllConnections()
  const closed = new Promise((resolve) => server.close(resolve))
  // A response that was running leaves its connection open for the next call.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const late = setTimeout(closeAll, LONGEST_ANSWER_MS)
  hurry.addEventListener('abort', closeAll)
  if (hurry.aborted) closeAll()
  await closed
  clearInterval(sweep)
  clearTimeout(late)
  await product.push.close()
  await product.database.close()
  process.exit(0)
}
