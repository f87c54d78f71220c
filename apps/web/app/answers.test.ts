/** The responses of the product's calls when they fail: their status and message. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { castMember } from '../src/demo/people.ts'
import { browser, describeOnSqlite, type TestProduct } from '../src/testing/a-product.ts'
import { action as addMembers } from './chat/add-members.ts'
import { action as changeGroup } from './chat/change-group.ts'
import { action as channels } from './chat/channels.ts'
import { loader as getEvent, action as postEvent } from './chat/receive-webhook.ts'
import { action as startNewChat } from './chat/start-new-chat.ts'
import { serverSentences } from './i18n/server-sentences.ts'
import { action as changePush, loader as getPush } from './notifications/change-push.ts'
import { loader as avatar } from './people/avatar.ts'
import { loader as picture } from './people/picture.ts'
import { savePicture } from './people/picture-store.server.ts'
import { readBytes, readForm } from './session/read-form.server.ts'
import { loader as sessionData } from './session/session-data.ts'
import { loader as getSignOut } from './session/sign-out.ts'
import { loader as getLooks } from './settings/change-looks.ts'
import { loader as getPassword } from './settings/change-password.ts'
import { action as changePicture, loader as getPicture } from './settings/change-picture.ts'
import { loader as notFound } from './shell/not-found.tsx'
import { loader as offline } from './shell/offline.ts'

/** The source; the build compiles it. */
const english: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'i18n/catalogues/en.json'), 'utf8'),
)

const bo = { userId: castMember('bo').id, orgId: 'kiku' }
const direct = { type: 'direct', ...bo }
const adding = { channelId: 'messaging:tea', selectedUsers: JSON.stringify([bo]) }
const renaming = { channelId: 'messaging:tea', do: 'rename', name: 'Tea' }

const said = async (answer: Promise<Response>) => {
  const { status } = await answer
  return [status, await (await answer).json()]
}
const refused = (status: number, key: string) => [status, { type: 'error', error: english[key] }]

describeOnSqlite('a product without chat', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open()
  })
  afterAll(() => test.close())
  const ada = () => test.signedIn('ada')
  const stranger = () => browser(test.product)

  it.each([
    ['starts no chat', startNewChat, direct],
    ['adds nobody', addMembers, adding],
    ['changes no group', changeGroup, renaming],
  ] as const)('%s', async (_, action, form) => {
    expect(await said((await ada()).call(action, '/chat/api', { form }))).toEqual(refused(403, 'chat.off'))
  })

  it('has no channels, and refuses unsigned webhooks', async () => {
    expect(await said((await ada()).call(channels, '/chat/api/channels', { form: {} }))).toEqual([
      200,
      { channels: [] },
    ])
    expect(await said(stranger().call(postEvent, '/chat/api/events', { form: { type: 'message.new' } }))).toEqual([
      401,
      { type: 'error', error: 'The signature is not right.' },
    ])
  })

  it.each([
    ['the channels', channels],
    ['a new chat', startNewChat],
    ['more members', addMembers],
    ['a change of a group', changeGroup],
    ['a change of notifications', changePush],
  ])('a caller who is not signed in and asks for %s gets a 401', async (_, action) => {
    expect(await said(stranger().call(action, '/call', { form: {} }))).toEqual([
      401,
      { type: 'error', error: 'Sign in first.' },
    ])
  })

  it.each([
    ['looks', getLooks],
    ['password', getPassword],
    ['picture', getPicture],
    ['notifications', getPush],
    ['events', getEvent],
    ['nowhere', notFound],
  ])('a GET of %s is a 404', async (_, loader) => {
    const answer = await (await ada()).call(loader, '/looked-at')
    expect([answer.status, await answer.text()]).toEqual([404, 'Not found'])
  })

  it('a link to sign-out does not sign out', async () => {
    const answer = await (await ada()).call(getSignOut, '/sign-out')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
    expect(answer.headers.getSetCookie().join()).not.toContain('session_token')
  })

  it('session data is never cached', async () => {
    const answer = await (await ada()).call(sessionData, '/session')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys((await answer.json()).user).sort()).toEqual(
      ['chatAccess', 'email', 'familyName', 'givenName', 'id', 'image', 'language', 'theme'].sort(),
    )
  })

  const endpointOf = (length: number) => 'https://fcm.googleapis.com/'.padEnd(length, 'x')
  const fits = { endpoint: endpointOf(2_000), p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) }
  it.each([
    ['one of a browser', fits, 200],
    ['one with padded keys', { ...fits, p256dh: `${fits.p256dh}=`, auth: `${fits.auth}==` }, 200],
    ['one with a longer address', { ...fits, endpoint: endpointOf(2_001) }, 400],
    ['one with a shorter key', { ...fits, p256dh: 'p'.repeat(86) }, 400],
    ['one with a shorter secret', { ...fits, auth: 'a'.repeat(21) }, 400],
    ['one that leads to somebody else', { ...fits, endpoint: 'https://elsewhere.example/x' }, 400],
    ['nothing', {}, 400],
  ])('the product accepts only subscriptions as browsers make them: %s', async (_, form, status) => {
    const answer = await (await ada()).call(changePush, '/settings/notifications', { form: { do: 'on', ...form } })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ type: status === 200 ? 'success' : 'error' })
  })

  it('a portrait is cached for a week, and a picture for ever; neither loads anything', async () => {
    const drawn = await stranger().call(avatar, '/avatars/ada.svg', { params: { file: 'ada.svg' } })
    expect(Object.fromEntries(drawn.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=604800',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
    await savePicture(test.product.database, castMember('ada').id, Buffer.from('a picture'))
    const { user } = await (await (await ada()).call(sessionData, '/session')).json()
    const kept = await stranger().call(picture, user.image, { params: { file: user.image.split('/').at(-1) } })
    expect(await kept.text()).toBe('a picture')
    expect(Object.fromEntries(kept.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
    })
  })

  it('changes of a profile picture are rate-limited', async () => {
    const tom = await test.signedIn('tom')
    const change = async () => (await tom.call(changePicture, '/settings/picture', { form: {} })).json()
    for (let time = 0; time < 30; time++)
      expect(await change()).toEqual({ type: 'success', notice: english['settings.picture.removed'] })
    expect(await change()).toEqual({ type: 'error', error: english['settings.picture.tooOften'] })
  })

  it('the offline page is self-contained, and never cached', async () => {
    const answer = await (await ada()).call(offline, '/offline')
    const text = await answer.text()
    const [, nonce] = /<script nonce="([^"]+)">/.exec(text)!
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    })
    expect(text).toContain('<html lang="en">')
    expect(text).toContain(`<title>${english['offline.title']} – ${english['app.name']}</title>`)
    expect(text).toContain(`<h1>${english['offline.title']}</h1>\n<p>${english['offline.body']}</p>`)
    expect(text).toContain(`<button type="button">${english['offline.retry']}</button>`)
    expect(text).toContain('color-scheme:light dark')
    expect(text).toMatch(/setInterval\(.*, 3000\)/)
  })
})

describeOnSqlite('a product whose chat server is away', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open({
      chat: { CHAT_URL: 'http://127.0.0.1:9', CHAT_API_KEY: 'key', CHAT_API_SECRET: 'x'.repeat(32) },
    })
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await test.close()
  })

  it.each([
    ['starting a chat', startNewChat, direct, 'startChat.failed'],
    ['adding somebody', addMembers, adding, 'addMembers.failed'],
    ['changing a group', changeGroup, renaming, 'changeGroup.failed'],
  ] as const)('%s fails, and shows an error', async (_, action, form, key) => {
    expect(await said((await test.signedIn('ada')).call(action, '/chat/api', { form }))).toEqual(refused(502, key))
  })

  it.each([
    ['a chat', startNewChat, { ...direct, userId: '' }],
    ['adding', addMembers, { ...adding, selectedUsers: '[]' }],
    ['adding, in no channel', addMembers, { ...adding, channelId: 'tea' }],
    ['a change of nothing', changeGroup, { channelId: 'messaging:tea', do: 'nothing' }],
    ['a removal of nobody', changeGroup, { channelId: 'messaging:tea', do: 'remove' }],
    ['a change of no channel', changeGroup, { ...renaming, channelId: 'tea' }],
  ] as const)('an incomplete request is refused before any call to the chat server: %s', async (_, action, form) => {
    expect(await said((await test.signedIn('ada')).call(action, '/chat/api', { form }))).toEqual(
      refused(400, 'startChat.payload'),
    )
  })

  it.each([
    ['starts no chat', startNewChat, direct],
    ['adds nobody', addMembers, adding],
    ['changes no group', changeGroup, renaming],
  ] as const)('a user without chat access %s', async (_, action, form) => {
    expect(await said((await test.signedIn('cleo')).call(action, '/chat/api', { form }))).toEqual(
      refused(403, 'chat.off'),
    )
  })
})

describe('the body of a request', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    new Request('http://localhost', { method: 'POST', body, headers })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const streamed = (bytes: number) =>
    new Request('http://localhost', {
      method: 'POST',
      body: new Blob(['x'.repeat(bytes)]).stream(),
      duplex: 'half',
    } as RequestInit)
  const answerOf = async (reading: Promise<unknown>) => {
    const refusal = await reading.then(
      () => undefined,
      (thrown: Response) => thrown,
    )
    return refusal && [refusal.status, await refusal.json()]
  }
  const tooLarge = [413, { type: 'error', error: 'The body of the request is too large.' }]
  const noForm = [400, { type: 'error', error: 'The body of the request is not a form.' }]

  it('may be as large as the limit, and not a byte larger, announced or not', async () => {
    expect(String(await readBytes(post('four'), 4))).toBe('four')
    expect((await readBytes(streamed(4), 4)).byteLength).toBe(4)
    expect(await answerOf(readBytes(post('fives'), 4))).toEqual(tooLarge)
    expect(await answerOf(readBytes(streamed(5), 4))).toEqual(tooLarge)
    expect(await answerOf(readBytes(post('four', { 'content-length': '5' }), 4))).toEqual(tooLarge)
  })

  it('a form has up to 256 KiB', async () => {
    const field = (bytes: number) => post(`a=${'x'.repeat(bytes - 2)}`, form)
    expect((await readForm(field(256 * 1_024))).get('a')).toHaveLength(256 * 1_024 - 2)
    expect(await answerOf(readForm(field(256 * 1_024 + 1)))).toEqual(tooLarge)
  })

  it('what is not a form, or contains NUL, is refused', async () => {
    expect(await answerOf(readForm(post('{}', { 'content-type': 'application/json' })))).toEqual(noForm)
    expect(await answerOf(readForm(post('a=%00', form)))).toEqual(noForm)
    expect(await answerOf(readForm(post('a=b', form)))).toBeUndefined()
  })
})

it('the texts of the server are in the catalogues', () => {
  for (const key of serverSentences) expect(english).toHaveProperty([key])
})
