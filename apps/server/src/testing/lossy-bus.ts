import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to NATS that drops a node's messages while the test wants it to. */
export interface LossyBus {
  url: string
  /** How many connected so far. */
  nodes: number
  /** The nodes that receive nothing, by the order in which they connected. */
  deaf: Set<number>
  /** Breaks all connections, and accepts none until it is back. */
  isAway: boolean
  /** How often something was lost. */
  lost: number
  close(): void
}

/** @param natsUrl `nats://host:port`, or several divided by commas, of which the first is used */
export async function openLossyBus(natsUrl: string): Promise<LossyBus> {
  const { hostname, port } = new URL(natsUrl.split(',')[0]!)
  let isAway = false
  const open = new Set<Socket>()
  const server = createServer((node) => {
    if (isAway) return void node.destroy()
    open.add(node)
    const number = bus.nodes++
    const nats = connect(Number(port), hostname)
    node.pipe(nats)
    // At a test's low load each piece holds whole messages.
    nats.on('data', (piece) => {
      if (!bus.deaf.has(number)) return node.write(withoutWaysAround(piece))
      bus.lost += 1
      return true
    })
    for (const [one, other] of [
      [node, nats],
      [nats, node],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    node.on('close', () => open.delete(node))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bus: LossyBus = {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nodes: 0,
    deaf: new Set(),
    lost: 0,
    set isAway(isSo: boolean) {
      isAway = isSo
      if (isSo) for (const node of open) node.destroy()
    },
    close: () => server.close(),
  }
  return bus
}

/** NATS advertises its other addresses. */
function withoutWaysAround(piece: string | Buffer): string | Buffer {
  const text = piece.toString('latin1')
  if (!text.startsWith('INFO ')) return piece
  return Buffer.from(text.replace(/"connect_urls":\[[^\]]*\]/, '"connect_urls":[]'), 'latin1')
}
