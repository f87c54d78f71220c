import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A push for a browser, as that browser decrypts it. */
export interface Brought {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A push service for browsers; records its requests and answers as the test wants. */
export async function startPushService() {
  const brought: Brought[] = []
  const heard = new Set<() => void>()
  let status = 201
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    brought.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks) })
    for (const wake of heard) wake()
    response.writeHead(status).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    brought,
    answers(next: number) {
      status = next
    },
    /** Resolves when this many pushes have arrived. */
    async hears(count: number): Promise<void> {
      while (brought.length < count)
        await new Promise<void>((wake) => {
          const once = () => {
            heard.delete(once)
            wake()
          }
          heard.add(once)
        })
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** The keys of a browser, which alone can decrypt its pushes (RFC 8291). */
export function browserKeys() {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    p256dh: publicKey.toString('base64url'),
    auth: auth.toString('base64url'),
    /** The payload that the service worker gets. */
    reads(body: Buffer): unknown {
      const [salt, idLength] = [body.subarray(0, 16), body[20]!]
      const senderKey = body.subarray(21, 21 + idLength)
      const sealed = body.subarray(21 + idLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, info, 32))
      const derived = (name: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes))
      const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      // A 2 ends the message; padding follows.
      return JSON.parse(String(padded.subarray(0, padded.lastIndexOf(2))))
    },
  }
}
