import { buildPushPayload } from '@block65/webcrypto-web-push'
import type { PushKeys } from './push-keys.server.ts'
import type { PushSubscription } from './subscription-store.server.ts'

/** The most concurrent pushes, and the most that wait; further ones are dropped, because they would be late. */
const AT_ONCE = 8
const MOST_WAITING = 2_000
const TIME_LIMIT_MS = 10_000
/** How long a push service keeps a message for an offline browser. */
const KEPT_SECONDS = 24 * 3_600
/** The responses of a push service when a subscription has ended. */
const GONE = [404, 410]

/** What a browser shows; never more than the page itself would. */
export interface PushNotice {
  title: string
  body: string
  /** Two notices with one tag are shown as one. */
  tag: string
  /** The page that opens on a click; begins with `/`. */
  url: string
}

interface Push {
  to: PushSubscription
  notice: PushNotice
}

/** Sends notices to push services, a few at a time; each is encrypted for one browser. */
export class PushSender {
  #keys: PushKeys
  #subject: string
  #gone: (endpoint: string) => Promise<void>
  #waiting: Push[] = []
  #running = new Set<Promise<void>>()
  /**
   * @param subject  a contact for push services: `https:` or `mailto:`
   * @param gone     called when a subscription has ended
   */
  constructor(keys: PushKeys, subject: string, gone: (endpoint: string) => Promise<void>) {
    this.#keys = keys
    this.#subject = subject
    this.#gone = gone
  }

  get publicKey(): string {
    return this.#keys.publicKey
  }

  send(to: PushSubscription, notice: PushNotice): void {
    if (this.#waiting.length >= MOST_WAITING) {
      console.error('Too many notifications wait; one is dropped.')
      return
    }
    this.#waiting.push({ to, notice })
    this.#next()
  }

  /** Resolves when no push is pending. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Waiting pushes are dropped. */
  async close(): Promise<void> {
    this.#waiting = []
    await this.drained()
  }

  #next() {
    while (this.#running.size < AT_ONCE && this.#waiting.length > 0) {
      const running = this.#hand(this.#waiting.shift()!)
        .catch((error: unknown) => console.error('A notification could not be sent.', error))
        .finally(() => {
          this.#running.delete(running)
          this.#next()
        })
      this.#running.add(running)
    }
  }

  async #hand({ to: { endpoint, p256dh, auth }, notice }: Push) {
    const { headers, body } = await buildPushPayload(
      { data: { ...notice }, options: { ttl: KEPT_SECONDS, urgency: 'high' } },
      // The library only accepts TLS URLs; those without are the ones an operator allowed.
      { endpoint: endpoint.replace(/^http:/, 'https:'), expirationTime: null, keys: { p256dh, auth } },
      { ...this.#keys, subject: this.#subject },
    )
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      // The target of a redirect is not checked.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    })
    await answer.body?.cancel()
    if (GONE.includes(answer.status)) await this.#gone(endpoint)
    else if (!answer.ok) console.error(`A notification was refused with status ${answer.status}.`)
  }
}
