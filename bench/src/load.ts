import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Crowd, openConnections, type Sender } from './crowd.ts'
import { stampedText } from './frames.ts'
import { type HttpConnection, requestText } from './http-connection.ts'
import { type Effort, startEffort } from './machine.ts'
import { percentile } from './percentiles.ts'
import type { Target } from './target.ts'

/** After the last message, the longest pause between the remaining deliveries. */
const DRAIN_PAUSE_MS = 5_000
/** The most messages one turn of the sender catches up on. */
const CATCH_UP = 200

/** The results of the steady phase. */
export interface Phase extends Effort {
  scene: string
  target: string
  /** Requested messages per second; absent for as many as possible. */
  rate?: number
  messagesPerSecond: number
  deliveriesPerSecond: number
  /** CPU time of the server with its database. */
  microsPerDelivery: number
  microsPerMessage: number
  bytesPerDelivery: number
  /** From writing the call to reading the event; with a rate only. */
  latencyMs?: { p50: number; p99: number }
  /** Messages the server accepted, the warm-up included. */
  sent: number
  /** Missing or duplicate deliveries, over all members; must be 0. */
  lost: number
  refused: number
}

/** Sends messages for a crowd and counts their deliveries. */
export class Load {
  #target: Target
  #crowd: Crowd
  #idle: HttpConnection[]
  #connections: readonly HttpConnection[]
  #queue: string[] = []
  #queuedFor: Sender[] = []
  #turn = 0
  /** Messages begun, and those answered. */
  #begun = 0
  #answered = 0
  #refused: string[] = []
  /** Deliveries before this load's first message. */
  #deliveredBefore: number

  static async on(target: Target, crowd: Crowd): Promise<Load> {
    return new Load(target, crowd, await openConnections(target, crowd.scene.window))
  }

  private constructor(target: Target, crowd: Crowd, connections: HttpConnection[]) {
    this.#target = target
    this.#crowd = crowd
    this.#connections = connections
    this.#idle = [...connections]
    this.#deliveredBefore = crowd.tally.deliveries
  }

  close() {
    for (const connection of this.#connections) connection.close()
  }

  /** As many messages as the server takes, `window` of them in flight. */
  async asManyAsPossible(times: { warmSeconds: number; seconds: number }): Promise<Phase> {
    const { scene, tally } = this.#crowd
    let on = true
    const pump = () => {
      while (on && this.#idle.length > 0 && this.#underWay() < scene.window) this.#begin()
    }
    this.#afterAnswer = pump
    tally.onDeliveries = pump
    pump()
    const seen = await this.#watch(times)
    on = false
    return this.#finish(seen)
  }

  /** Messages at a fixed rate, however slow the server is. */
  async atRate(rate: number, times: { warmSeconds: number; seconds: number }): Promise<Phase> {
    const start = performance.now()
    const before = this.#begun
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - start) / 1000) * rate)
      for (let i = 0; i < CATCH_UP && this.#begun - before < due; i++) this.#begin()
    }, 1)
    const seen = await this.#watch({ ...times, rate })
    clearInterval(timer)
    return this.#finish(seen)
  }

  #afterAnswer: () => void = () => {}

  #underWay() {
    const delivered = (this.#crowd.tally.deliveries - this.#deliveredBefore) / this.#crowd.scene.members
    return this.#begun - this.#refused.length - Math.min(delivered, this.#answered - this.#refused.length)
  }

  /** The timestamp is taken now, also when the call has to wait for a connection. */
  #begin() {
    const { senders } = this.#crowd
    const sender = senders[this.#turn++ % senders.length]!
    const text = stampedText(performance.now() * 1000)
    this.#begun += 1
    this.#queue.push(requestText(sender.head, `{"message":{"id":"${randomUUID()}","text":"${text}"}}`))
    this.#queuedFor.push(sender)
    this.#sendNext()
  }

  #sendNext() {
    const connection = this.#queue.length > 0 ? this.#idle.pop() : undefined
    if (!connection) return
    const sender = this.#queuedFor.shift()!
    connection.send(this.#queue.shift()!, (status, body) => {
      this.#answered += 1
      if (status === 201) sender.channel.sent += 1
      else this.#refused.push(`${status}: ${body.toString()}`)
      this.#idle.push(connection)
      this.#sendNext()
      this.#afterAnswer()
    })
  }

  async #watch({ warmSeconds, seconds, rate }: { warmSeconds: number; seconds: number; rate?: number }) {
    const { tally, scene } = this.#crowd
    await sleep(warmSeconds * 1000)
    this.#target.steady?.()
    const latencies: number[] = []
    if (rate !== undefined) tally.latenciesMs = latencies
    const before = this.#counts()
    const effort = startEffort(this.#target)
    await sleep(seconds * 1000)
    const spent = effort()
    const after = this.#counts()
    tally.latenciesMs = undefined

    const deliveries = after.deliveries - before.deliveries
    const messages = after.answered - before.answered
    return {
      ...spent,
      scene: scene.name,
      target: this.#target.name,
      ...(rate !== undefined && { rate }),
      messagesPerSecond: messages / spent.seconds,
      deliveriesPerSecond: deliveries / spent.seconds,
      microsPerDelivery: spent.serverMicros / deliveries,
      microsPerMessage: spent.serverMicros / messages,
      bytesPerDelivery: (after.bytes - before.bytes) / deliveries,
      ...(rate !== undefined && { latencyMs: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) } }),
    }
  }

  #counts() {
    const { deliveries, bytes } = this.#crowd.tally
    return { deliveries, bytes, answered: this.#answered - this.#refused.length }
  }

  async #finish(seen: Omit<Phase, 'sent' | 'lost' | 'refused'>): Promise<Phase> {
    const { channels, tally } = this.#crowd
    await this.#drain()
    this.#afterAnswer = () => {}
    tally.onDeliveries = undefined
    if (this.#refused.length > 0) console.warn(`  ${this.#refused.length} refused, the first with ${this.#refused[0]}`)
    if (tally.dropped.length > 0) console.warn(`  ${tally.dropped.length} dropped, the first was ${tally.dropped[0]}`)
    let sent = 0
    let lost = 0
    for (const channel of channels) {
      sent += channel.sent
      for (const member of channel.members) {
        lost += Math.abs(channel.sent - member.received)
        member.received = 0
      }
      channel.sent = 0
    }
    const phase = { ...seen, sent, lost, refused: this.#refused.length }
    this.#deliveredBefore = tally.deliveries
    this.#begun = 0
    this.#answered = 0
    this.#refused = []
    return phase
  }

  /** Waits until every delivery has arrived, or none arrives any more. */
  async #drain() {
    let last = -1
    let since = performance.now()
    while (this.#underWay() > 0 || this.#answered < this.#begun) {
      const { deliveries } = this.#crowd.tally
      if (deliveries + this.#answered !== last) since = performance.now()
      last = deliveries + this.#answered
      if (performance.now() - since > DRAIN_PAUSE_MS) return
      await sleep(10)
    }
  }
}
