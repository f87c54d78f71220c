import { createHmac, randomUUID } from 'node:crypto'
import type { App } from '../apps/app.ts'

/**
 * What a call of an app's own server carries, so that it can tell who calls [administration.md 13.3].
 *
 * @param body the text that is signed: as it is before it is zipped
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
