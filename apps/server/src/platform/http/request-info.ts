/** The current call's details, for webhooks about what it caused [administration.md 13.5]. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestInfo } from '@parley/protocol/hooks'
import type { FastifyRequest } from 'fastify'

/** A call, or work for which no webhook is called. */
const underWay = new AsyncLocalStorage<RequestInfo | 'past hooks'>()

/** The call that this work belongs to; undefined for background work, and where no webhook needs it. */
export function causeOf(): RequestInfo | undefined {
  const store = underWay.getStore()
  return store === 'past hooks' ? undefined : store
}

/** Runs without calling webhooks for its events; pushes are still sent. */
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
 * Runs a call's work, and records the call as the cause of all its events.
 *
 * @param isWanted  whether anything asks for the cause: this costs time
 * @param address  the caller's address, as far as trusted proxies report it
 */
export function asCause<Result>(
  { server, isWanted }: { server: boolean; isWanted: boolean },
  address: string | undefined,
  { headers }: FastifyRequest,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isWanted) return run()
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
