import type { PushProvider } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { CircuitBreaker } from '../../platform/outbound/circuit-breaker.ts'
import {
  OutboundError,
  type OutboundPolicy,
  type OutboundRequest,
  type OutboundResponse,
  outboundFetch,
} from '../../platform/outbound/outbound-fetch.ts'
import type { PushAddresses } from '../../platform/settings.ts'
import { keyOf } from '../devices/push-providers.ts'
import { toApple } from './apple.ts'
import { toFirebase } from './firebase.ts'
import { toHuawei } from './huawei.ts'
import { Lines } from './lines.ts'
import type { Content } from './push-content.ts'
import { toXiaomi } from './xiaomi.ts'

/** One call of a push service may take this long. */
export const REQUEST_MS = 6_000
/** A token is renewed a little before it expires. */
const EARLY_MS = 60_000

/** A push for one device. */
export interface Push {
  /** The same for every try: what shows such things shows it once. */
  id: string
  /** What its maker's service calls the device. */
  device: string
  content: Content
}

/** What came of a try. `again`: another one may do better; `gone`: no push will ever arrive there. */
export type Outcome = 'delivered' | { why: string; again?: true; gone?: true }

export type Sender = (services: PushServices, app: App, provider: PushProvider, push: Push) => Promise<Outcome>

const senders: Record<PushProvider['type'], Sender> = {
  apn: toApple,
  firebase: toFirebase,
  huawei: toHuawei,
  xiaomi: toXiaomi,
}

/** Push services for phones: the connections to them, and their credentials. */
export class PushServices {
  readonly addresses: PushAddresses
  readonly lines: Lines
  readonly breaker: CircuitBreaker
  #policy: OutboundPolicy
  #tokens = new Map<string, Promise<{ token: string; until: number }>>()
  constructor(policy: OutboundPolicy, addresses: PushAddresses) {
    this.#policy = policy
    this.addresses = addresses
    this.lines = new Lines(policy)
    this.breaker = new CircuitBreaker(policy.clock)
  }

  get now() {
    return this.#policy.clock.now()
  }

  /** Tries once. */
  async send(app: App, provider: PushProvider, push: Push): Promise<Outcome> {
    try {
      return await senders[provider.type](this, app, provider, push)
    } catch (error) {
      const { message: why } = error as Error
      // What cannot even be sent, a secret with a line break in it, must not hold up what goes to others.
      const isLate = error instanceof OutboundError && (error.reason === 'too slow' || error.reason === 'unreachable')
      return { why, ...(isLate && { again: true }) }
    }
  }

  /** @throws OutboundError */
  fetch(url: string, call: OutboundRequest): Promise<OutboundResponse> {
    return outboundFetch(this.#policy, url, { timeLimitMs: REQUEST_MS, ...call })
  }

  /**
   * What shows a service who calls, as long as it holds; many calls at once ask for it once.
   *
   * @param secret  what it is made from: another secret has another token
   * @throws OutboundError
   */
  async token(
    app: App,
    provider: PushProvider,
    secret: string,
    make: () => Promise<{ token: string; lifetimeMs: number }>,
  ): Promise<string> {
    const key = `${app.id} ${keyOf(provider)} ${secret}`
    for (let pending = this.#tokens.get(key); pending; ) {
      const { token, until } = await pending
      if (until > this.now) return token
      const next = this.#tokens.get(key)
      // The first caller to see that it expired renews it; the others wait for that.
      if (next === pending) break
      pending = next
    }
    const made = make().then(({ token, lifetimeMs }) => ({ token, until: this.now + lifetimeMs - EARLY_MS }))
    for (const old of this.#tokens.keys()) if (old.startsWith(`${app.id} ${keyOf(provider)} `)) this.#tokens.delete(old)
    this.#tokens.set(key, made)
    made.catch(() => this.#tokens.delete(key))
    return (await made).token
  }

  /** A service did not like the token: the next call has another. */
  forgetToken(app: App, provider: PushProvider) {
    for (const key of this.#tokens.keys()) if (key.startsWith(`${app.id} ${keyOf(provider)} `)) this.#tokens.delete(key)
  }

  close() {
    this.lines.close()
  }
}

/** A service that is busy or down does better a moment later. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** A service's answer, where it was JSON. */
export function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
