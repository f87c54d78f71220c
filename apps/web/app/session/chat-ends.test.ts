import { expect, it, vi } from 'vitest'
import { castMember, demoPassword } from '../../src/demo/people.ts'
import { besideChat, type ChatServer } from '../../src/testing/a-chat-server.ts'
import { type Browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { syncChatUser } from '../chat/sync-users.server.ts'
import { action as changePassword } from '../settings/change-password.ts'
import type { SessionData } from './session-data.server.ts'
import { loader as sessionData } from './session-data.ts'
import { action as postSignOut } from './sign-out.ts'

describeDatabases('chat and the end of a session', (open) => {
  let server: ChatServer
  let test: TestProduct
  besideChat(open, (opened, its) => {
    test = opened
    server = its
  })

  async function tokenOf({ call }: Browser): Promise<string> {
    const session: SessionData = await (await call(sessionData, '/session')).json()
    return session.chatUser!.token
  }

  async function chats(token: string): Promise<boolean> {
    const { CHAT_URL, CHAT_API_KEY } = server.settings
    const headers = { authorization: token, 'stream-auth-type': 'jwt' }
    return (await fetch(`${CHAT_URL}/app?api_key=${CHAT_API_KEY}`, { headers })).ok
  }

  it.each<[string, 'ewa' | 'mei', (browser: Browser) => Promise<Response>]>([
    ['signing out', 'ewa', ({ call }) => call(postSignOut, '/sign-out', { form: {} })],
    [
      'a new password',
      'mei',
      ({ call }) => {
        const form = { currentPassword: demoPassword, newPassword: 'a new password' }
        return call(changePassword, '/settings/password', { form })
      },
    ],
  ])('%s revokes all tokens, in every page and browser', async (_, name, ends) => {
    await syncChatUser(test.product, castMember(name).id)
    const here = await test.signsIn(name)
    const tokens = await Promise.all([tokenOf(here), tokenOf(await test.signsIn(name))])
    expect(await Promise.all(tokens.map(chats))).toEqual([true, true])
    await ends(here)
    expect(await Promise.all(tokens.map(chats))).toEqual([false, false])

    // With a session there is a new token; a token has the second of its issue.
    const back = await test.signsIn(name, name === 'mei' ? 'a new password' : undefined)
    await expect.poll(async () => chats(await tokenOf(back))).toBe(true)
  })

  it('a user without chat access is skipped', async () => {
    const complaint = vi.spyOn(console, 'error')
    const cleo = await test.signsIn('cleo')
    expect((await cleo.call(postSignOut, '/sign-out', { form: {} })).status).toBe(302)
    expect(complaint).not.toHaveBeenCalled()
    complaint.mockRestore()
  })
})
