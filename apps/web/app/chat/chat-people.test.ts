import { ChatClient } from '@parley/client'
import { expect, it, onTestFinished } from 'vitest'
import { castMember } from '../../src/demo/people.ts'
import { prepareChat } from '../../src/prepare-chat.ts'
import { besideChat, type ChatServer } from '../../src/testing/a-chat-server.ts'
import { describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import type { SessionData } from '../session/session-data.server.ts'
import { loader as sessionData } from '../session/session-data.ts'
import { syncChatUser } from './sync-users.server.ts'

describeDatabases('people in chat', (open) => {
  let server: ChatServer
  let test: TestProduct
  besideChat(open, (opened, its) => {
    test = opened
    server = its
  })

  it('have the profile that the product sets, whatever they send to the chat server, and guests cannot connect', async () => {
    const { id, givenName, familyName } = castMember('bo')
    await prepareChat(test.product, 'http://127.0.0.1')
    await syncChatUser(test.product, id)
    const session: SessionData = await (await (await test.signedIn('bo')).call(sessionData, '/session')).json()
    const bo = new ChatClient(server.settings.CHAT_API_KEY, { baseURL: server.settings.CHAT_URL })
    onTestFinished(() => bo.disconnectUser())

    const forged = { id, name: 'Ada Lindqvist', organization: 'Northwind' }
    const me = await bo.connectUser(forged, session.chatUser!.token)
    expect(me).toMatchObject({ name: `${givenName} ${familyName}`, organization: 'Kiku Robotics' })
    for (const set of [{ name: 'Ada Lindqvist' }, { organization: 'Northwind' }, { image: 'https://evil.example/ada' }])
      await expect(bo.partialUpdateUser({ id, set })).rejects.toThrow('not allowed')
    const privacy_settings = { read_receipts: { enabled: false } }
    const { users } = await bo.partialUpdateUser({ id, set: { privacy_settings } })
    expect(users[id]).toMatchObject({ privacy_settings })
    // A user cannot list all users; they meet others in conversations.
    await expect(bo.queryUsers({})).rejects.toThrow('not allowed')

    const stranger = new ChatClient(server.settings.CHAT_API_KEY, { baseURL: server.settings.CHAT_URL })
    await expect(stranger.setGuestUser({ id: 'eve' })).rejects.toThrow()
  })
})
