import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import type { Open, TestProduct } from './a-product.ts'

const program = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

export interface ChatServer {
  /** What the product must know to use it. */
  settings: { CHAT_URL: string; CHAT_API_KEY: string; CHAT_API_SECRET: string }
  stop(): Promise<void>
}

/** Starts the chat server as a program of its own, empty and on a free port: the product meets it only over HTTP. */
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

/** Opens the product beside a chat server of its own before the stories around this call, and ends both after them. */
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

/** The server logs one line of JSON with its address when it listens. */
async function addressIn(log: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface(log)) {
    const { url } = JSON.parse(line)
    if (typeof url === 'string') return url
  }
  return undefined
}
