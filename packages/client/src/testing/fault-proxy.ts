/**
 * A proxy between clients and a chat server that simulates a bad network: it loses, delays, cuts, duplicates and slows
 * down calls and socket frames.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The faults of a call. */
const callFaults = [
  'request lost',
  'answer lost',
  'answer delayed',
  'answer read slowly',
  'request doubled',
  'refused with 500',
  'done, but answered with 500',
] as const
/** The faults of an open socket. */
const socketFaults = ['cut', 'cut within a frame', 'half-open', 'delayed'] as const

export type Fault = (typeof callFaults)[number] | (typeof socketFaults)[number]

export interface Weather {
  /** A number from 0 up to 1, the same for the same seed. */
  random(): number
  /** The share of calls with a fault, 0–1. */
  calls: number
  /** The share of socket chunks, each about a frame, with a fault, 0–1. */
  sockets: number
}

const DELAY_UP_TO_MS = 300
/** A slow reader takes this many bytes at a time. */
const SLOW_BYTES = 512
/** Longer than the timeout of any call in a test: a lost answer stays lost. */
const FORGOTTEN_AFTER_MS = 60_000

/** Starts a proxy on a port of its own. With `calm` weather it passes everything on. */
export async function startFaultProxy(target: string) {
  const { hostname, port } = new URL(target)
  const counts = new Map<Fault, number>()
  const open = new Set<Socket>()
  let weather: Weather | undefined

  /** Picks a fault of these kinds, or none. */
  const strikes = <Kind extends Fault>(kinds: readonly Kind[], share: number): Kind | undefined => {
    if (!weather || weather.random() >= share) return
    const fault = kinds[Math.floor(weather.random() * kinds.length)] as Kind
    counts.set(fault, (counts.get(fault) ?? 0) + 1)
    return fault
  }
  const delay = () => sleep((weather?.random() ?? 0) * DELAY_UP_TO_MS)
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }

  /** Passes a call on to the server, and returns its answer. */
  const handedOn = ({ method, url, headers }: IncomingMessage, body: Buffer) =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
      const call = request({ hostname, port, method, path: url, headers, agent: false }, async (answer) => {
        try {
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: await whole(answer) })
        } catch (error) {
          reject(error)
        }
      })
      call.on('error', reject)
      call.end(body)
    })

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await whole(incoming)
    const isPreflight = incoming.method === 'OPTIONS'
    const fault = isPreflight ? undefined : strikes(callFaults, weather?.calls ?? 0)
    if (fault === 'request lost') return incoming.socket.destroy()
    if (fault === 'refused with 500') return void outgoing.writeHead(500).end('out of order')
    if (fault === 'request doubled') await handedOn(incoming, body)
    const answer = await handedOn(incoming, body)
    if (fault === 'answer lost') return incoming.socket.destroy()
    if (fault === 'done, but answered with 500') return void outgoing.writeHead(500).end('out of order')
    if (fault === 'answer delayed') await delay()
    const { 'transfer-encoding': _, connection: _connection, ...headers } = answer.headers
    outgoing.writeHead(answer.status, { ...headers, 'content-length': answer.body.length })
    if (fault === 'answer read slowly')
      for (let at = 0; at < answer.body.length; at += SLOW_BYTES) {
        outgoing.write(answer.body.subarray(at, at + SLOW_BYTES))
        await sleep(1)
      }
    else outgoing.write(answer.body)
    outgoing.end()
  }

  const proxy = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  proxy.on('connection', keep)
  proxy.on('upgrade', (incoming: IncomingMessage, near: Socket, head: Buffer) => {
    const far = connect(Number(port), hostname)
    keep(far)
    const lines = [`GET ${incoming.url} HTTP/1.1`]
    for (let at = 0; at < incoming.rawHeaders.length; at += 2)
      lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`)
    far.write(`${lines.join('\r\n')}\r\n\r\n`)
    far.write(head)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    near.on('close', end)
    far.on('close', end)
    let isDeaf = false
    near.on('data', (bytes) => isDeaf || far.write(bytes))
    // Chunks of one connection are passed on one after the other, so that their order stays.
    let before = Promise.resolve()
    far.on('data', (bytes: Buffer) => {
      before = before.then(async () => {
        if (isDeaf || near.destroyed) return
        const fault = strikes(socketFaults, weather?.sockets ?? 0)
        if (fault === 'cut') return end()
        if (fault === 'cut within a frame') {
          near.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), end)
          return
        }
        if (fault === 'half-open') {
          isDeaf = true
          return
        }
        if (fault === 'delayed') await delay()
        near.write(bytes)
      })
    })
  })
  proxy.requestTimeout = FORGOTTEN_AFTER_MS
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** How often each fault has occurred. */
    counts,
    storm(next: Weather) {
      weather = next
    },
    calm() {
      weather = undefined
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

async function whole(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
