import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** An address for a server on this machine that can be switched to another one, as in a database failover. */
export interface TcpRelay {
  port: number
  /** Cuts open connections; new ones go to this port. */
  leadTo(port: number): void
  /** From now on no bytes arrive on either side, but connections stay open. */
  hold(): void
  /** Cuts all connections; held bytes are lost. New connections work. */
  cut(): void
  close(): Promise<void>
}

export async function startTcpRelay(port: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let target = port
  let isHeld = false
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.setNoDelay()
      from.on('error', () => {})
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause()
      })
      to.on('drain', () => {
        if (!isHeld) from.resume()
      })
      from.on('end', () => to.end())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isHeld) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave a socket without a port.')

  function cut() {
    isHeld = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    leadTo(port) {
      target = port
      cut()
    },
    hold() {
      isHeld = true
      for (const socket of sockets) socket.pause()
    },
    cut,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      cut()
      await closed
    },
  }
}
