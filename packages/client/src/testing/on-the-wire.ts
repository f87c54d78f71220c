import assert from 'node:assert/strict'
import type { FakeServer } from './fake-server.ts'

/** The request that a call makes, without the parameters that every call has. */
export interface Wire<Client> {
  call: (client: Client) => Promise<unknown>
  method: string
  path: string
  query?: Record<string, string>
  body?: unknown
}

/** Makes the call, and requires that it sends exactly this request. */
export async function isOnTheWire<Client>(server: FakeServer, client: Client, wire: Wire<Client>) {
  const { call, method, path, query = {}, body } = wire
  server.calls.length = 0
  await call(client)
  const [sent, ...others] = server.calls
  assert.deepEqual(others, [], 'one call')
  const { api_key: _, connection_id: _connection, user_id, ...own } = sent!.query
  const asked = 'user_id' in query ? { user_id, ...own } : own
  assert.deepEqual(
    { method: sent!.method, path: sent!.path, query: asked, body: sent!.body },
    { method, path, query, body },
  )
}
