import { type AddressInfo, connect, createServer } from 'node:net'

/** A way to NATS that loses what a node would hear while the story wants it to. */
export interface LossyBus {
  url: string
  /** How many connected so far. */
  nodes: number
  /** The nodes that hear nothing, by the order in which they connected. */
  deaf: Set<number>
  /** How often something was lost. */
  lost: number
  close(): void
}

/** @param natsUrl `nats://host:port`, or several divided by commas, of which the first is used */
export async function openLossyBus(natsUrl: string): Promise<LossyBus> {
  const { hostname, port } = new URL(natsUrl.split(',')[0]!)
  const server = createServer((node) => {
    const number = bus.nodes++
    const nats = connect(Number(port), hostname)
    node.pipe(nats)
    // In the quiet of a story each piece holds whole mails.
    nats.on('data', (piece) => {
      if (!bus.deaf.has(number)) return node.write(piece)
      bus.lost += 1
      return true
    })
    for (const [one, other] of [
      [node, nats],
      [nats, node],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bus: LossyBus = {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nodes: 0,
    deaf: new Set(),
    lost: 0,
    close: () => server.close(),
  }
  return bus
}
