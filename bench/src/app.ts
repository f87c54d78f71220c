/** The app that all benchmarks use, and its users' tokens [messaging.md 1.4]. */
import { createHmac } from 'node:crypto'

export const API_KEY = 'bench'
export const API_SECRET = 'known-to-everybody-for-measuring'

export function tokenOf(userId: string): string {
  return sign({ user_id: userId })
}

const serverToken = sign({ server: true })

function sign(claims: object) {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = createHmac('sha256', API_SECRET).update(parts.join('.')).digest('base64url')
  return [...parts, signature].join('.')
}

/** Request line and headers of a call, ready for `requestText`. */
export function head(method: string, path: string, caller?: { userId: string; connectionId: string }): string {
  const query = new URLSearchParams({
    api_key: API_KEY,
    ...(caller && { user_id: caller.userId, connection_id: caller.connectionId }),
  })
  return [
    `${method} ${path}?${query} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${caller ? tokenOf(caller.userId) : serverToken}`,
    'stream-auth-type: jwt',
    'X-Stream-Client: parley-bench',
    'Content-Type: application/json',
    '',
  ].join('\r\n')
}
