import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import type { Open, TestProduct } from './a-product.ts'

const program = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

export interface ChatServer {
  /** The product's settings for it. */
  settings: { CHAT_URL: string; CHAT_API_KEY: string; CHAT_API_SECRET: string }
  stop(): Promise<void>
}

/** Starts the chat server as a separate process, empty and on a free port: the product only uses it over HTTP. */
export async function startChatServer(env: Record<string, string> = {}): Promise<ChatServer> {
  const [key, secret] = [randomBytes(6).toString('hex'), randomBytes(16).toString('hex')]
  const server = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      PORT: '0',
      API_KEY: key,
      API_SECRET: secret,
      DATABASE_URL: 'sqlite::memory:',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  const url = await Promise.race([addressIn(server.stdout), ended])
  if (typeof url !== 'string') throw new Error('The chat server ended before it listened.')
  return {
    settings: { CHAT_URL: url, CHAT_API_KEY: key, CHAT_API_SECRET: secret },
    async stop() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

/** Opens the product and a chat server before the tests around this call, and closes both after them. */
export function besideChat(open: Open, opened: (test: TestProduct, server: ChatServer) => void): void {
  let server: ChatServer
  let test: TestProduct
  beforeAll(async () => {
    server = await startChatServer()
    test = await open({ chat: { ...server.settings } })
    opened(test, server)
  })
  afterAll(async () => {
    await test.close()
    await server.stop()
  })
}

/** When it listens, the server logs one line of JSON with its address. */
async function addressIn(log: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface(log)) {
    const { url } = JSON.parse(line)
    if (typeof url === 'string') return url
  }
  return undefined
}
