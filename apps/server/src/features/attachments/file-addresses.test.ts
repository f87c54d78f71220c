/** A file address is renewed only if its signature was valid once, and for the caller's app. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'vitest'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { FileLinks } from './file-links.ts'
import { FileOwners } from './file-owners.ts'
import { aForm, uploads } from './testing/some-files.ts'

const DAY_MS = 24 * 3_600_000

interface Scene {
  ada: TestUser
  bo: TestUser
  appServer: AppServer
  room: string
}

/** The places where a user can put a text, and how others read it. */
const places: Record<string, (scene: Scene, said: string) => Promise<unknown>> = {
  async text({ bo, ada, room }, said) {
    const { id } = await bo.sends(room, said)
    return [
      (await ada.opensChannel(room, { messages: { limit: 1 } })).messages,
      await ada.does('GET', `/messages/${id}`),
    ]
  },
  async 'an attachment'({ bo, ada, room }, said) {
    const { id } = await bo.sends(room, '', { attachments: [{ type: 'image', image_url: said, thumb_url: said }] })
    return ada.does('GET', `/messages/${id}`)
  },
  async 'a field of a message'({ bo, ada, room }, said) {
    const { id } = await bo.sends(room, 'x', { where: { deep: [said] } })
    return ada.does('GET', `/messages/${id}`)
  },
  async 'what is quoted'({ bo, ada, room }, said) {
    const { id } = await bo.sends(room, said)
    const quoting = await ada.sends(room, 'This?', { quoted_message_id: id })
    return (await ada.does('GET', `/messages/${quoting.id}`)).message.quoted_message
  },
  async 'a reply'({ bo, ada, room }, said) {
    const { id } = await bo.sends(room, 'x')
    await bo.sends(room, said, { parent_id: id })
    return [await ada.does('GET', `/messages/${id}/replies`), await bo.does('GET', `/threads/${id}`)]
  },
  async 'an event'({ bo, ada, room }, said) {
    await ada.watches(room)
    const { id } = await bo.sends(room, said)
    return ada.receives('message.new', ({ message }) => message.id === id)
  },
  async 'a name'({ appServer, ada }, said) {
    await appServer.does('POST', '/users', { body: { users: { cy: { id: 'cy', name: said } } } })
    return ada.does('GET', '/users', { query: { payload: JSON.stringify({ filter_conditions: { id: 'cy' } }) } })
  },
  async 'a picture of oneself'({ bo, ada, room }, said) {
    await bo.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { image: said, more: said } }] } })
    return (await ada.opensChannel(room)).members
  },
  async 'the name of a guest'({ appServer }, said) {
    const visitor = appServer.user('nobody')
    visitor.token = ''
    return visitor.does('POST', '/guest', { body: { user: { id: 'han', name: said } }, query: { user_id: undefined } })
  },
  async 'who connects'({ bo }, said) {
    const first = await bo.device().connects({ details: { name: 'Bo', more: said } })
    return first
  },
  async 'a channel'({ appServer, ada, room }, said) {
    await appServer.does('PATCH', path(room), { body: { set: { name: said, image: said, more: { said } } } })
    return (await ada.opensChannel(room)).channel
  },
  async 'a draft'({ bo, room }, said) {
    await bo.does('POST', `${path(room)}/draft`, { body: { message: { text: said } } })
    return [await bo.does('GET', `${path(room)}/draft`), await bo.does('POST', '/drafts/query', { body: {} })]
  },
  async 'a poll'({ bo, ada, room }, said) {
    const { poll } = await bo.does('POST', '/polls', {
      body: { name: 'Tea?', description: said, options: [{ text: said }], more: said },
    })
    const { id } = await bo.sends(room, 'x', { poll_id: poll.id })
    return ada.does('GET', `/messages/${id}`)
  },
  async 'a reaction'({ bo, ada, room }, said) {
    const { id } = await bo.sends(room, 'x')
    await bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'like', more: said } } })
    return ada.does('GET', `/messages/${id}/reactions`)
  },
  async 'what is searched'({ bo, ada, room }, said) {
    await bo.sends(room, `findable ${said}`)
    const payload = JSON.stringify({
      filter_conditions: { cid: room },
      query: 'findable',
      limit: 1,
      sort: [{ field: 'created_at', direction: -1 }],
    })
    return ada.does('GET', '/search', { query: { payload } })
  },
  async 'what is caught up on'({ bo, ada, room }, said) {
    const { created_at } = await bo.sends(room, 'x')
    await bo.sends(room, said)
    const since = { channel_cids: [room], last_sync_at: created_at }
    return (await ada.does('POST', '/sync', { body: since })).events.at(-1)
  },
  async 'what an admin exports of a user'({ bo, appServer, room }, said) {
    await bo.sends(room, said)
    return appServer.does('GET', '/users/bo/export')
  },
}

/** Addresses by kind, all expired or never valid; and whether they are valid again when read. */
async function addresses(fixture: Fixture, { ada, room }: { ada: TestUser; room: string }) {
  const other = await fixture.createApp('eve')
  const theirs = await other.appServer.opens([other.eve])
  const upload = async (testUser: TestUser, cid: string) =>
    (await uploads(testUser, cid, 'file', aForm('a.txt', 'text/plain', Buffer.from('secret')))).file
  const mine = await upload(ada, room)
  const mine2 = await upload(ada, room)
  const foreign = await upload(other.eve, theirs)
  fixture.clock.advance(15 * DAY_MS)
  const fresh = await upload(ada, room)
  const changed = (of: string, change: (url: URL) => void) => {
    const url = new URL(of)
    change(url)
    return url.href
  }
  const signed = (of: string, signature: string) => changed(of, (url) => url.searchParams.set('Signature', signature))
  const signature = (of: string) => new URL(of).searchParams.get('Signature')!
  const id = (of: string) => new URL(of).pathname.split('/')[2]!
  // 22 letters hold the half that proves the address is ours, and two bits more.
  const halves = (one: string, two: string) => {
    const bytes = [Buffer.from(signature(one), 'base64url'), Buffer.from(signature(two), 'base64url')]
    return Buffer.concat([bytes[0]!.subarray(0, 16), bytes[1]!.subarray(16)]).toString('base64url')
  }
  const elsewhere = new FileLinks('another key', () => ada.url)
  return {
    'own and good': [fresh, true],
    'own and run out': [mine, true],
    'own and run out, at another host': [mine.replace(ada.url, 'https://old.example:8443/chat'), true],
    'made up': [signed(mine, 'A'.repeat(43)), false],
    'made with another key': [elsewhere.linkTo(ada.app.id, { id: id(mine), name: 'a.txt' }, 60, 0), false],
    'of another file': [signed(mine, signature(mine2)), false],
    'of another time': [changed(mine, (url) => url.searchParams.set('Expires', '99999999999')), false],
    'half of another file': [signed(mine, halves(mine, mine2)), false],
    'half made up': [signed(mine, halves(mine, elsewhere.linkTo(ada.app.id, { id: 'x', name: 'x' }, 60, 0))), false],
    'of another app': [foreign, false],
    'of another app, with our half': [signed(foreign, halves(foreign, mine)), false],
    'of another file, with a good id beside it': [signed(mine2, signature(mine)), false],
    'with an encoded id': [
      mine.replace(id(mine), `%${id(mine).charCodeAt(0).toString(16)}${id(mine).slice(1)}`),
      false,
    ],
    'with a path behind it': [mine.replace('/a.txt', '/x/../a.txt'), false],
    'with an encoded parameter': [mine.replace('Expires', '%45xpires'), false],
  } satisfies Record<string, [address: string, isRenewed: boolean]>
}

onEveryStorage((fixture) => {
  it('[ATT-22] a forged address, or one of another app, is not renewed in any text', {
    timeout: 120_000,
  }, async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    let cells = 0
    for (const [what, [address, isRenewed]] of Object.entries(await addresses(fixture, { ada, room })))
      for (const [where, say] of Object.entries(places)) {
        const name = `cell-${++cells}.txt`
        const said = address.replace('a.txt', name)
        const read = JSON.stringify(await say({ ada, bo, appServer, room }, said))
        const seen = read.match(new RegExp(`https?://[^\\s"<\\\\]*${name}\\?[^\\s"<\\\\]*`, 'g')) ?? []
        assert.ok(seen.length > 0, `${what} in ${where} is not there: ${read}`)
        for (const url of seen.map((found) => found.replace('&amp;', '&'))) {
          if (!isRenewed) assert.equal(url, said, `${what} in ${where}`)
          if (isRenewed || url.startsWith(ada.url))
            assert.equal((await fetch(url)).status === 200, isRenewed, `${what} in ${where}`)
        }
      }
    assert.equal(cells, 15 * Object.keys(places).length)
  })

  it('[ATT-22] addresses that do not name an app are renewed for their file’s app alone', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const other = await fixture.createApp('eve')
    const theirs = await other.appServer.opens([other.eve])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('the plan')))
    const { server } = fixture.nodes[0]!
    const id = new URL(file).pathname.split('/')[2]!
    const key = await server.database.read
      .selectFrom('keys')
      .select('value')
      .where('name', '=', 'file links')
      .executeTakeFirstOrThrow()
    const old = withoutApp(file, key.value, id, Math.floor(fixture.clock.now() / 1000) + 60)
    assert.equal(await (await fetch(old)).text(), 'the plan')
    // There are no such files here, so no owners are looked up.
    fixture.clock.advance(DAY_MS)
    assert.equal((await fetch(old)).status, 403)
    assert.equal((await ada.sends(room, old)).text, old)

    const owners = new FileOwners(server.database.read, server.files.links, true)
    const renewed = (app: string) =>
      server.files.links.renewed(app, old, 60, fixture.clock.now(), (one) => owners.of(one) === app)
    assert.equal(renewed(ada.app.id), old)
    await owners.learn([`see ${old}`, 'nothing'])
    assert.equal(renewed(other.eve.app.id), old)
    assert.equal((await other.eve.sends(theirs, old)).text, old)
    assert.equal(await (await fetch(renewed(ada.app.id))).text(), 'the plan')
  })
})

onEveryTransport((fixture) => {
  it('[ATT-22] presence events carry renewed addresses, too', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('the plan')))
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { image: file } }] } })
    fixture.clock.advance(20 * DAY_MS)
    await ada.connects()
    await ada.opensChannel(room, { watch: true, presence: true })
    await bo.connects()
    const { user } = await ada.receives('user.presence.changed', (event) => event.user.id === 'bo')
    assert.equal((await fetch(user.image)).status, 200)
  })
})

/** Signs as addresses were signed before. */
function withoutApp(address: string, key: string, id: string, expires: number): string {
  const url = new URL(address)
  url.searchParams.set('Expires', String(expires))
  url.searchParams.set('Signature', createHmac('sha256', key).update(`${id}?${expires}`).digest('base64url'))
  return url.href
}
