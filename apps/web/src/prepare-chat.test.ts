import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../scripts/services/service.ts'
import { createChatService } from '../app/chat/chat-service.server.ts'
import { demandChat, prepareChat } from './prepare-chat.ts'
import { type ChatServer, startChatServer } from './testing/a-chat-server.ts'

const EVENTS = 'http://127.0.0.1:3000'
const PATIENCE = { timeout: 30_000 }

describe('the chat server', () => {
  let server: ChatServer
  let chat: { url: string; key: string; secret: string }
  beforeAll(async () => {
    server = await startChatServer()
    const { CHAT_URL: url, CHAT_API_KEY: key, CHAT_API_SECRET: secret } = server.settings
    chat = { url, key, secret }
  })
  afterAll(() => server.stop())

  let log: string[]
  beforeEach(() => {
    log = []
    for (const level of ['log', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((...words) => void log.push(words.join(' ')))
    return () => void vi.restoreAllMocks()
  })
  const linesAbout = (name: string) => log.filter((line) => line.includes(name))

  it('that accepts key and secret is fine', async () => {
    await demandChat({ chat })
    await prepareChat({ chat: createChatService(chat) }, EVENTS)
    expect(log).toEqual([])
  })

  it.each([
    ['CHAT_API_SECRET', { secret: 'hunter2-hunter2-hunter2-hunter2' }],
    ['CHAT_API_KEY', { key: 'hunter2-is-no-key' }],
  ])('that refuses %s stops the start, with one line', async (name, wrong) => {
    const refusal: unknown = await demandChat({ chat: { ...chat, ...wrong } }).catch((error: unknown) => error)
    const { message, name: kind } = refusal as Error
    expect(kind).toBe('SettingError')
    expect(message).toMatch(new RegExp(`^${name} [^\\n]+$`))
    expect(message).not.toContain('hunter2')
  })

  it('that is unreachable is logged once, at once, and retried', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    await demandChat({ chat: { ...chat, url } })
    const prepared = prepareChat({ chat: createChatService({ ...chat, url }) }, EVENTS)
    await vi.waitUntil(() => linesAbout('CHAT_URL').length > 0, PATIENCE)
    expect(linesAbout('CHAT_URL')).toEqual([`CHAT_URL ${url} cannot be reached (ECONNREFUSED). It is tried again.`])
    let tries = 0
    await serves(port, (request, response) => {
      tries++
      // A proxy whose server is still starting, and then the server.
      if (tries <= 2) return void response.writeHead(502).end('Bad Gateway')
      relay(chat.url)(request, response)
    })
    await prepared
    expect(linesAbout('CHAT_URL')).toEqual([
      `CHAT_URL ${url} cannot be reached (ECONNREFUSED). It is tried again.`,
      `CHAT_URL ${url} answers with 502. It is tried again.`,
      `The chat server at CHAT_URL ${url} answers.`,
    ])
  })

  it.each([
    ['a page', 200, '<!doctype html>'],
    ['nothing of the kind', 404, 'Not found'],
  ])('that is something else, with %s, is logged', async (_, status, body) => {
    const port = await serves(0, (_request, response) => void response.writeHead(status).end(body))
    const url = `http://127.0.0.1:${port}`
    await demandChat({ chat: { ...chat, url } })
    void prepareChat({ chat: createChatService({ ...chat, url }) }, EVENTS)
    await vi.waitUntil(() => log.length > 0, PATIENCE)
    expect(log).toEqual([`CHAT_URL ${url} is no chat server: it answers with ${status}. It is tried again.`])
  })
})

async function serves(port: number, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Forwards calls to another server. */
function relay(url: string): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, ...headers } = request.headers
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
    const answer = await fetch(url + request.url, { method: request.method!, headers: headers as never, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
}
