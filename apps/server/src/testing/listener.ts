import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { hookEvents } from '@parley/protocol/hooks'
import { reviewHookEvents } from '@parley/protocol/review'
import { beforeEach } from 'vitest'
import { eventually } from './eventually.ts'
import { OtherServer } from './other-server.ts'
import { checkOf } from './test-user.ts'

/** One call of the app's own server. */
// biome-ignore lint/suspicious/noExplicitAny: a webhook receives events of every shape.
export type WebhookCall = { url: string; headers: IncomingHttpHeaders; raw: Buffer; event: any }

/** A status, a body of JSON or text, silence, a connection that breaks, or a function of the test. */
type Answer = number | object | string | 'nothing' | 'broken' | ((response: ServerResponse) => void)

/** Lets a fixture reach the app's own server, which runs on this machine. */
export const allowLoopback = { ALLOWED_PRIVATE_HOSTS: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' }

const checks = new Map(
  Object.entries({ ...hookEvents, ...reviewHookEvents }).map(([name, schema]) => [name, checkOf(schema)]),
)

/** The app's own server: records the calls it receives, and answers as the test wants. */
export class Listener extends OtherServer {
  calls: WebhookCall[] = []
  answers: (call: WebhookCall) => Answer = () => 200
  constructor() {
    super((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const raw = Buffer.concat(chunks)
        const text = raw[0] === 0x1f ? gunzipSync(raw) : raw
        const call = { url: request.url!, headers: request.headers, raw, event: JSON.parse(String(text)) }
        this.calls.push(call)
        const answer = this.answers(call)
        if (answer === 'broken') request.socket.destroy()
        else if (typeof answer === 'function') answer(response)
        else if (typeof answer === 'number') response.writeHead(answer).end()
        else if (answer !== 'nothing') response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
      })
    })
    beforeEach(() => {
      this.calls = []
      this.answers = () => 200
    })
  }

  /** What arrived so far of a type. */
  of(type: string) {
    return this.calls.filter(({ event }) => event.type === type)
  }

  async asked(count: number): Promise<WebhookCall> {
    await eventually(() => this.calls.length >= count, `the app’s own server was called ${count} times`)
    return this.calls[count - 1]!
  }

  async receives(type: string, count = 1): Promise<WebhookCall> {
    await eventually(() => this.of(type).length >= count, `the webhook received ${count} of ${type}`)
    const call = this.of(type)[count - 1]!
    checks.get(type)?.(call.event)
    return call
  }
}
