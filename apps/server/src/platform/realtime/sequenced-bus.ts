import type { Bus } from './bus.ts'

interface Numbered {
  node: string
  /** The node's earlier messages have lower ones, without a gap. */
  number: number
}

/**
 * The broadcasts of each node to all others. The bus keeps the order of one node's messages, but loses some when a
 * connection breaks, even another node's: so every message carries a number, and a node that misses one notices.
 */
export class SequencedBus {
  #node: string
  #bus: Bus
  #missed: (node: string) => void
  #sent = 0
  /** The number of each node's newest message. */
  #newest = new Map<string, number>()

  /** @param missed called when a message of a node was lost */
  constructor(node: string, bus: Bus, missed: (node: string) => void) {
    this.#node = node
    this.#bus = bus
    this.#missed = missed
  }

  send(subject: string, busMessage: object) {
    this.#sent += 1
    this.#bus.publish(subject, JSON.stringify({ ...busMessage, node: this.#node, number: this.#sent }))
  }

  /** The returned function ends it. */
  receive<BusMessage extends object>(
    subject: string,
    read: (busMessage: BusMessage & { node: string }) => void,
  ): () => void {
    return this.#bus.subscribe(subject, (text) => {
      const busMessage = JSON.parse(text) as BusMessage & Numbered
      const newest = this.#newest.get(busMessage.node)
      this.#newest.set(busMessage.node, busMessage.number)
      read(busMessage)
      if (newest !== undefined && busMessage.number > newest + 1) this.#missed(busMessage.node)
    })
  }

  /** A node has ended, or counts as dead: its next message counts as its first. */
  forget(node: string) {
    this.#newest.delete(node)
  }
}
