/** Who makes the call under way, for those who are told what it caused [administration.md 13.5]. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestInfo } from '@parley/protocol/hooks'
import type { FastifyRequest } from 'fastify'
import type { Caller } from './caller.ts'

/** A call, or work of which no hook is told. */
const underWay = new AsyncLocalStorage<RequestInfo | 'past hooks'>()

/** The call that this work belongs to; undefined for what goes on in the background, and where nobody would ask. */
export function causeOf(): RequestInfo | undefined {
  const store = underWay.getStore()
  return store === 'past hooks' ? undefined : store
}

/** Does what the hooks of an app are told nothing of, whatever comes of it; phones are. */
export function skipWebhooks<Result>(run: () => Promise<Result>): Promise<Result> {
  return underWay.run('past hooks', run)
}

export function skipsWebhooks(): boolean {
  return underWay.getStore() === 'past hooks'
}

/** Does what serves many calls, or none. */
export function withoutCause(run: () => void) {
  underWay.exit(run)
}

/**
 * Does what a call asks for, and knows for all that comes of it which call it was.
 *
 * @param address  where it comes from, as far as trusted proxies say so
 */
export function asCause<Result>(
  { app, server }: Pick<Caller, 'app' | 'server'>,
  address: string | undefined,
  { headers }: FastifyRequest,
  run: () => Promise<Result>,
): Promise<Result> {
  if (app.webhooks.length === 0 && !app.settings.before_message_send_hook_url) return run()
  const ext = textOf(headers['x-stream-ext'])
  const info: RequestInfo = {
    type: server ? 'server' : 'client',
    ip: address ?? '',
    user_agent: textOf(headers['user-agent']),
    sdk: textOf(headers['x-stream-client']),
    ...(ext !== '' && { ext }),
  }
  return underWay.run(info, run)
}

function textOf(header: string | string[] | undefined): string {
  return String(header ?? '')
}
