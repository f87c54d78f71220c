import type { Bus } from './bus.ts'

interface Numbered {
  node: string
  /** What the node said before has lower ones, without a gap. */
  number: number
}

/**
 * What each node of a cluster tells all others. The bus keeps the order of what one node says, but loses some of it
 * when a connection breaks, be it one of others: so every mail carries a number, and whoever misses one knows.
 */
export class SequencedBus {
  #node: string
  #bus: Bus
  #missed: (node: string) => void
  #sent = 0
  /** The number of the newest mail of each node. */
  #newest = new Map<string, number>()

  /** @param missed told that a node said something that did not come here */
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

  /** A node has ended, or is taken for dead: what it says next is the first that is heard of it. */
  forget(node: string) {
    this.#newest.delete(node)
  }
}
