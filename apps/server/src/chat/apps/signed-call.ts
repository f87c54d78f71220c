import { createHmac, randomUUID } from 'node:crypto'
import type { App } from './app.ts'

/**
 * The signature headers of a call to an app's own server, which prove its origin [administration.md 13.3].
 *
 * @param body the text that is signed: the uncompressed one
 */
export function signedHeaders({ key, secret }: App, body: string, { id = randomUUID() as string, attempt = 1 } = {}) {
  return {
    'Content-Type': 'application/json',
    'X-Webhook-Id': id,
    'X-Webhook-Attempt': String(attempt),
    'X-Api-Key': key,
    'X-Signature': createHmac('sha256', secret).update(body).digest('hex'),
  }
}
