import type { Bus } from './bus.ts'

/** So long it is waited for a node that does not answer; one that has ended says so at once. */
const PATIENCE_MS = 1_000

/**
 * Tells when what this node has said is known on all others, and what they were writing meanwhile is written: from then
 * on whatever they write goes by it.
 */
export class ClusterBarrier {
  #bus: Bus | undefined
  #others: () => Iterable<string>
  #asking: Promise<void> = Promise.resolve()
  /** A round of questions that has not begun: it is one for all who wait for it. */
  #next: Promise<void> | undefined
  /**
   * @param others   the other nodes
   * @param written  resolves when what is being written on this node is written
   */
  constructor(node: string, bus: Bus | undefined, others: () => Iterable<string>, written: () => Promise<void>) {
    this.#bus = bus
    this.#others = others
    bus?.serve(subjectOf(node), () => written().then(() => 'yes'))
  }

  /** Never fails: who is out of reach catches up when they are back. */
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

  /** The bus keeps the order of what one node says, so whoever answers has heard what was said before. */
  async #ask() {
    const asked = [...this.#others()].map((node) => this.#bus!.request(subjectOf(node), '?', PATIENCE_MS))
    await Promise.allSettled(asked)
  }
}

function subjectOf(node: string): string {
  return `node.${node}.taken-in`
}
