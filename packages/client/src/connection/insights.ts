/**
 * Reports connection attempts to a service of the application; loaded only when one is configured [INS-6].
 * @see client.md 3.8
 */
import type { ChatClient } from '../chat-client.ts'
import type { Caller } from '../http.ts'
import { INSIGHTS_TRIES, INSIGHTS_WAIT_MS } from '../limits.ts'
import type { Connection } from './connection.ts'

/** The body of a report to the insights service: one record per reported attempt. Never contains a token. */
export interface InsightsRecord {
  /** When the attempt began, ISO 8601 in UTC. */
  started_at: string
  duration_ms: number
  token_load_ms: number
  /** Attempts that failed in a row, since the last reported success. */
  consecutive_failures: number
  total_failures: number
  /** The socket's close code, if known. */
  close_code?: number
  close_reason?: string
  /** The server's code, if it refused. */
  error_code?: number | string
  /** `navigator.onLine` of the browser; absent where unknown. */
  online?: boolean
  user_agent?: string
  api_key: string
  auth_type: 'jwt' | 'anonymous'
  client_id: string
}

type Attempt = { startedMs: number; openedMs?: number }

/**
 * Reports the connection's attempts as long as the client lives. @param url  of the service, without the name of the
 * event
 */
export function watchConnection(url: string, client: ChatClient, { clock, fetch, userID }: Caller) {
  const { connection } = client
  // The first attempt may have begun, or ended, while this module was loaded.
  let attempt: Attempt | undefined = connection.snapshot().at === 'idle' ? undefined : { startedMs: clock.now() }
  let inARow = 0
  let total = 0

  const follow = () => {
    const now = connection.snapshot()
    if (now.at === 'authorizing') attempt ??= { startedMs: clock.now() }
    else if (now.at === 'connecting' && !now.over && attempt) attempt.openedMs = clock.now()
    else if (attempt) {
      const ended = attempt
      attempt = undefined
      const { error } = problemOf(now)
      if (error) report('ws_fatal', { ...record(ended, ++inARow, ++total), ...closing(error) })
      else if (now.at === 'connected' && total > 0) {
        report('ws_success_after_failure', record(ended, inARow, total))
        inARow = total = 0
      }
    }
    if (now.at === 'connected') inARow = 0
  }

  const record = (
    { startedMs, openedMs = clock.now() }: Attempt,
    consecutive: number,
    all: number,
  ): InsightsRecord => ({
    started_at: new Date(startedMs).toISOString(),
    duration_ms: clock.now() - startedMs,
    token_load_ms: openedMs - startedMs,
    consecutive_failures: consecutive,
    total_failures: all,
    online: globalThis.navigator?.onLine,
    user_agent: globalThis.navigator?.userAgent,
    api_key: client.key,
    auth_type: userID() === undefined ? 'anonymous' : 'jwt',
    client_id: client.clientID,
  })

  const report = (name: string, details: InsightsRecord, tried = 1) => {
    const again = () => {
      if (tried < INSIGHTS_TRIES) clock.after(INSIGHTS_WAIT_MS * tried, () => report(name, details, tried + 1))
    }
    // A failing service must not affect the chat [INS-5].
    const headers = { 'Content-Type': 'application/json' }
    const options = { method: 'POST', headers, credentials: 'omit', body: JSON.stringify(details) } as const
    Promise.resolve()
      .then(() => fetch(`${url.replace(/\/+$/, '')}/${name}`, options))
      .then((answer) => answer.ok || again(), again)
  }

  follow()
  connection.subscribe(follow)
}

/** Why an attempt failed, also when long polling replaces the socket. */
function problemOf(connection: Connection) {
  if (connection.at === 'closed') return { error: connection.error }
  if (connection.at === 'waiting') return { error: connection.offline ? undefined : connection.problem }
  return { error: connection.at === 'connecting' ? connection.problem : undefined }
}

function closing({ code, response }: { code?: number | string; response?: unknown }): Partial<InsightsRecord> {
  if (code !== undefined) return { error_code: code }
  const { code: close_code, reason: close_reason } = (response ?? {}) as { code?: number; reason?: string }
  return { close_code, close_reason }
}
