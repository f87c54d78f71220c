import { describe, expect, it, onTestFinished } from 'vitest'
import { chatAddressFaults, otherAddressOfChat } from './chat-address.ts'
import { readSettings } from './settings.ts'
import { startChatServer } from './testing/a-chat-server.ts'

const chat = { CHAT_API_KEY: 'key', CHAT_API_SECRET: 'secret' }

describe('the address of the chat server for browsers', () => {
  it.each([
    ['https://chat.example.com', 'https://api.example.com', undefined],
    ['https://chat.example.com', 'https://chat.example.com/api', undefined],
    ['http://chat.office', 'http://api.office:3100', undefined],
    ['http://localhost:3000', undefined, undefined],
    ['http://127.0.0.1:3000', 'http://localhost:3100', undefined],
    ['http://localhost:3000', 'https://api.example.com', undefined],
    ['https://chat.example.com', undefined, 'where browsers elsewhere find nothing'],
    ['https://chat.example.com', 'http://localhost:3100', 'where browsers elsewhere find nothing'],
    ['http://chat.office', 'http://[::1]:3100', 'where browsers elsewhere find nothing'],
    ['http://chat.office', 'http://0.0.0.0:3100', 'where browsers elsewhere find nothing'],
    ['https://chat.example.com', 'http://api.example.com', 'which browsers refuse on pages of'],
    ['https://chat.example.com', 'HTTP://10.0.0.5:3100'.toLowerCase(), 'which browsers refuse on pages of'],
  ])('[APP-35] with %s and CHAT_URL %s the log says: %s', (PUBLIC_URL, CHAT_URL, fault) => {
    const lines = chatAddressFaults(readSettings({ ...chat, PUBLIC_URL, CHAT_URL }))
    if (fault === undefined) expect(lines).toEqual([])
    else expect(lines).toEqual([expect.stringMatching(new RegExp(`^CHAT_URL is [^\n]+${fault}[^\n]+$`))])
  })

  it('[APP-35] without chat there is no warning', () => {
    expect(chatAddressFaults(readSettings({ PUBLIC_URL: 'https://chat.example.com' }))).toEqual([])
  })

  it('[APP-35] a chat server that reports another address is logged, with the names of both settings', async () => {
    const server = await startChatServer({ PUBLIC_URL: 'https://api.example.com/' })
    onTestFinished(() => server.stop())
    const { CHAT_URL } = server.settings
    expect(await otherAddressOfChat(CHAT_URL)).toMatch(
      new RegExp(`^CHAT_URL is ${CHAT_URL}, but PUBLIC_URL of the chat server is https://api.example.com\\. [^\n]+$`),
    )
  })

  it('[APP-35] one that reports the same address is not', async () => {
    const server = await startChatServer()
    onTestFinished(() => server.stop())
    expect(await otherAddressOfChat(server.settings.CHAT_URL)).toBeUndefined()
  })
})
