import type { Bus } from './bus.ts'

/** Timeout for a node that does not answer; one that shuts down announces it at once. */
const TIMEOUT_MS = 1_000

/**
 * Waits until all other nodes know what this node has sent, act on it, and have finished the writes that were under
 * way: from then on their reads and writes respect it.
 */
export class ClusterBarrier {
  #bus: Bus | undefined
  #others: () => Iterable<string>
  #asking: Promise<void> = Promise.resolve()
  /** A round of questions that has not begun: it is one for all who wait for it. */
  #next: Promise<void> | undefined
  /**
   * @param others   the other nodes
   * @param settled  resolves when what is being written on this node is written, and what changed is read
   */
  constructor(node: string, bus: Bus | undefined, others: () => Iterable<string>, settled: () => Promise<unknown>) {
    this.#bus = bus
    this.#others = others
    bus?.serve(subjectOf(node), () => settled().then(() => 'yes'))
  }

  /** Never fails: an unreachable node resyncs when it is back. */
  everywhere(): Promise<void> {
    if (!this.#bus) return Promise.resolve()
    if (!this.#next) {
      const round = this.#asking.then(() => {
        this.#next = undefined
        return this.#ask()
      })
      this.#next = round
      this.#asking = round
    }
    return this.#next
  }

  /** The bus keeps the order of one node's messages, so a node that answers has received the earlier ones. */
  async #ask() {
    const asked = [...this.#others()].map((node) => this.#bus!.request(subjectOf(node), '?', TIMEOUT_MS))
    await Promise.allSettled(asked)
  }
}

function subjectOf(node: string): string {
  return `node.${node}.taken-in`
}
