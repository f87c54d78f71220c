import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { App } from '../../chat/apps/app.ts'
import { signedHeaders } from '../../chat/apps/signed-call.ts'
import type { Webhook } from '../../chat/apps/webhook-settings.ts'
import { OutboundError, outboundFetch } from '../../platform/outbound/outbound-fetch.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import { untilEnding } from '../../platform/tasks/until-ending.ts'
import type { Server } from '../../server.ts'
import type { Delivery, WebhookWork } from './enqueue-webhooks.ts'
import { pendingCall, webhookPayloads } from './webhook-payloads.ts'

/** Events sent to one webhook at the same time. */
const AT_ONCE = 20
/** One request may take this long, and all tries of one event together that. */
const REQUEST_MS = 6_000
const TOGETHER_MS = 15_000
/** Before the second try, and before the third. */
const PAUSES_MS = [500, 2_000]
/** Only the start of an answer is read. */
const ANSWER_BYTES = 4_096

/**
 * Webhook delivery: calls a webhook of an app, with retries, at least once. A restart sends again what was not delivered
 * completely; receivers deduplicate by `X-Webhook-Id`.
 */
export const deliverWebhook: TaskKind<WebhookWork, number> = {
  name: 'tell_hook',
  outbound: true,
  whom: ({ hook }) => hook,
  async run(server, task) {
    const { hook: id, deliveries } = task.input
    for (let from = task.progress ?? 0; from < deliveries.length; from += AT_ONCE) {
      const app = await server.apps.byId(task.app)
      const webhook = app?.webhooks.find((one) => one.id === id)
      // It was taken away, or turned off.
      if (!app || !webhook) break
      const page = deliveries.slice(from, from + AT_ONCE)
      const calls = await callsOf(server, app, webhook, page)
      const attempts = Promise.all(
        page.map((delivery, i) => deliver(server, app, webhook, delivery, calls[i]!, task.ending)),
      )
      await untilEnding(attempts, task.ending)
      await server.commit.write(app.id, [], (batch) => task.save(batch, from + AT_ONCE))
    }
    return {}
  },
}

/** One call of the app's server. */
interface Call {
  url: string
  body: string
}

async function callsOf(server: Server, app: App, webhook: Webhook, deliveries: readonly Delivery[]): Promise<Call[]> {
  if (webhook.isCallback) return deliveries.map((delivery) => pendingCall(webhook, delivery))
  return (await webhookPayloads(server, app, webhook, deliveries)).map((body) => ({ url: webhook.url, body }))
}

/**
 * The outcome of a try: `again` is how many tries such a failure is worth; a webhook that refuses is up, and may accept
 * the next.
 */
type Outcome = 'delivered' | { again: number; why: string; refused?: boolean }

/** Tries to deliver one event; an event that cannot be delivered in time is dropped [administration.md 13.3]. */
async function deliver(server: Server, app: App, webhook: Webhook, { id }: Delivery, call: Call, ending: AbortSignal) {
  const { clock, webhookBreaker, outages } = server
  const who = `${app.id} ${webhook.url}`
  const end = clock.now() + TOGETHER_MS
  let why = 'it failed too often and is left alone for a while'
  let refused = false
  if (webhookBreaker.allowsCall(who)) {
    for (let attempt = 1; !ending.aborted; attempt++) {
      const outcome = await tryOnce(server, app, call, { id, attempt }, Math.min(REQUEST_MS, end - clock.now()))
      if (outcome === 'delivered') {
        outages.answered(`hook ${who}`, { app: app.id, webhook: webhook.id }, 'a hook is told again')
        return webhookBreaker.answered(who)
      }
      why = outcome.why
      refused = outcome.refused === true
      const pause = PAUSES_MS[attempt - 1]
      if (pause === undefined || attempt >= outcome.again || clock.now() + pause >= end) break
      await new Promise<void>((over) => clock.after(pause, over))
    }
    if (ending.aborted) return
    if (refused) webhookBreaker.answered(who)
    else webhookBreaker.failed(who)
  }
  outages.failed(`hook ${who}`, { app: app.id, webhook: webhook.id, delivery: id, why }, 'a hook was not told')
}

async function tryOnce(
  server: Server,
  app: App,
  { url, body }: Call,
  delivery: { id: string; attempt: number },
  timeLimitMs: number,
): Promise<Outcome> {
  const isZipped = app.settings.enable_hook_payload_compression
  try {
    const { status } = await outboundFetch(server.outboundPolicies.operator, url, {
      body: isZipped ? await promisify(gzip)(body) : body,
      headers: { ...signedHeaders(app, body, delivery), ...(isZipped && { 'Content-Encoding': 'gzip' }) },
      timeLimitMs,
      sizeLimitBytes: ANSWER_BYTES,
      cutLong: true,
    })
    if (status >= 200 && status <= 299) return 'delivered'
    const isPassing = status === 408 || status === 429 || status >= 500
    return { again: isPassing ? 3 : 1, why: `status ${status}`, refused: !isPassing }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { again: { 'too slow': 3, unreachable: 2 }[error.reason as string] ?? 1, why: error.message }
  }
}
