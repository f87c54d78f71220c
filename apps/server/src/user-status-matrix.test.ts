/**
 * Actions of users without a normal membership: each status in a channel, with each action other users would see. A
 * shadow-banned user gets normal responses, and no other user sees the action; all others are refused.
 * @see administration.md 6.2, messaging.md 4.8
 */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Fixture, onEveryStorage } from './testing/fixture.ts'
import { type AppServer, path, type TestUser } from './testing/test-user.ts'

interface Room {
  cid: string
  type: string
  id: string
  /** Sent by the author, who is a member. */
  message: string
  /** Sent by the caller as a normal member. */
  own: string
  poll: string
  pollMessage: string
  option: string
}

interface Deed {
  ask: (room: Room) => [method: string, at: string, body?: object]
  /** The events the caller's own devices receive instead of the public ones. */
  own?: string
  /** Hidden from callers who may not read the channel. */
  ofMessage?: true
}

const message =
  (method: string, own: boolean, body?: object, suffix = ''): Deed['ask'] =>
  (room) => [method, `/messages/${own ? room.own : room.message}${suffix}`, body]
const room =
  (method: string, body?: object, suffix = ''): Deed['ask'] =>
  ({ cid }) => [method, path(cid) + suffix, body]

const ofMessage = { ofMessage: true } as const
/** Actions of a member or moderator that other users see. */
const deeds: Record<string, Deed> = {
  pin: { ask: message('PUT', false, { set: { pinned: true } }), own: 'message.updated', ...ofMessage },
  'pin with an end': {
    ask: message('PUT', false, { set: { pinned: true, pin_expires: '2100-01-01T00:00:00Z' } }),
    own: 'message.updated',
    ...ofMessage,
  },
  'pin a reply to oneself': {
    ask: message('PUT', true, { set: { pinned: true } }),
    own: 'message.updated',
    ...ofMessage,
  },
  'edit somebody’s words': {
    ask: message('PUT', false, { set: { text: 'Buy!' } }),
    own: 'message.updated',
    ...ofMessage,
  },
  'replace somebody’s words': {
    ask: message('POST', false, { message: { text: 'Buy!', pinned: true } }),
    own: 'message.updated',
    ...ofMessage,
  },
  'give somebody’s words a picture': {
    ask: message('PUT', false, { set: { attachments: [{ type: 'image', image_url: 'https://buy.example/x.png' }] } }),
    own: 'message.updated',
    ...ofMessage,
  },
  'show other words': {
    ask: message('PATCH', false, { set: { text: 'Buy!' } }, '/ephemeral'),
    own: 'message.updated',
    ...ofMessage,
  },
  'delete somebody’s words': { ask: message('DELETE', false), own: 'message.deleted', ...ofMessage },
  write: { ask: room('POST', { message: { text: 'Buy!' } }, '/message'), own: 'message.new' },
  reply: {
    ask: (of) => ['POST', `${path(of.cid)}/message`, { message: { text: 'Buy!', parent_id: of.message } }],
    own: 'message.new',
  },
  'send an event': { ask: room('POST', { event: { type: 'wave', text: 'Buy!' } }, '/event'), own: 'wave' },
  'rename the channel': { ask: room('POST', { data: { name: 'Buy!' } }), own: 'channel.updated' },
  'rename the channel, by a partial update': { ask: room('PATCH', { set: { name: 'Buy!' } }), own: 'channel.updated' },
  'freeze the channel': { ask: room('PATCH', { set: { frozen: true } }), own: 'channel.updated' },
  'slow the channel down': { ask: room('POST', { cooldown: 30 }), own: 'channel.updated' },
  'rename it and say so': {
    ask: room('POST', { data: { name: 'Buy!' }, message: { text: 'Buy!' } }),
    own: 'channel.updated',
  },
  'add somebody': { ask: room('POST', { add_members: ['newcomer'] }), own: 'member.added' },
  'invite somebody': { ask: room('POST', { invites: ['newcomer'] }), own: 'member.added' },
  'make a moderator': { ask: room('POST', { add_moderators: ['author'] }), own: 'member.updated' },
  'remove somebody': { ask: room('POST', { remove_members: ['author'] }), own: 'member.removed' },
  'suggest an option': { ask: ({ poll }) => ['POST', `/polls/${poll}/options`, { text: 'Buy!' }], ...ofMessage },
}

/** Visible fields of one's own; an invitee may use them to answer the invitation. */
const aboutOneself: Deed = { ask: room('PATCH', { set: { motto: 'Buy!' } }, '/member'), own: 'member.updated' }

type UserStatus = 'shadowed' | 'shadowed everywhere' | 'banned' | 'banned everywhere' | 'invited' | 'rejected' | 'gone'
const unreadStates: UserStatus[] = [
  ...['shadowed', 'shadowed everywhere', 'banned', 'banned everywhere', 'invited', 'rejected', 'gone'],
] as UserStatus[]

async function furnish(appServer: AppServer, author: TestUser, caller: TestUser, status: UserStatus): Promise<Room> {
  const cid = await appServer.opens([author, caller])
  const [type, id] = cid.split(':') as [string, string]
  const join = { body: { add_moderators: [caller.id] } }
  await appServer.does('POST', path(cid), join)
  const { id: said } = await author.sends(cid, 'Tea is ready')
  const { id: own } = await caller.sends(cid, 'Thanks')
  const { poll } = await author.does('POST', '/polls', {
    body: { name: 'Tea?', options: [{ text: 'yes' }], allow_user_suggested_options: true },
  })
  const { id: pollMessage } = await author.sends(cid, '', { poll_id: poll.id })
  const ban = { target_user_id: caller.id, user_id: author.id, shadow: status.startsWith('shadowed') }
  const everywhere = status.endsWith('everywhere')
  if (/banned|shadowed/.test(status))
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, ...(!everywhere && { type, id }) } })
  else {
    await appServer.does('POST', path(cid), { body: { remove_members: [caller.id] } })
    if (status !== 'gone')
      await appServer.does('POST', path(cid), {
        body: { invites: [{ user_id: caller.id, channel_role: 'channel_moderator' }] },
      })
    if (status === 'rejected') await caller.does('POST', path(cid), { body: { reject_invite: true } })
  }
  return { cid, type, id, message: said, own, poll: poll.id, pollMessage, option: poll.options[0].id }
}

/** All that other users see of a room. */
async function seen(author: TestUser, { cid, message, own }: Room): Promise<string> {
  const { duration: _, ...state } = await author.does('POST', `${path(cid)}/query`, { body: { state: true } })
  const pinned = (await author.does('GET', `${path(cid)}/pinned_messages`)).messages
  const said = await Promise.all(
    [message, own].map(async (id) => (await author.does('GET', `/messages/${id}`)).message),
  )
  // A sender has read the earlier messages: other users may know that.
  state.read = state.read.filter((read: { user: { id: string } }) => read.user.id !== 'bo')
  return JSON.stringify({ state, pinned, said }, null, 1).replaceAll(
    /"(last_active|online)": ("[^"]*"|true|false)/g,
    '',
  )
}

/** The lines that one of two texts has more often than the other. */
function differing(before: string, after: string): string[] {
  const [was, is] = [before.split('\n'), after.split('\n')]
  const count = (lines: string[], line: string) => lines.filter((other) => other === line).length
  return [...new Set([...was, ...is])].filter((line) => count(was, line) !== count(is, line))
}

async function cast(fixture: Fixture) {
  const { author, appServer, ...people } = await fixture.createApp('author', 'newcomer', 'shadowed', 'caller')
  return { author, appServer, people }
}

onEveryStorage((fixture) => {
  for (const status of unreadStates)
    it(`[MOD-17] [MOD-19] [MEM-28] [MEM-33] what somebody does who is ${status} changes nothing for others`, async () => {
      const { author, appServer } = await cast(fixture)
      const isShadowed = status.startsWith('shadowed')
      const wrong: string[] = []
      let asked = 0
      const all = { ...deeds, ...(status !== 'invited' && { 'say something of oneself': aboutOneself }) }
      // An app ban applies in every room: each action is on another user's object.
      let caller: TestUser | undefined
      let place: Room | undefined
      for (const [what, deed] of Object.entries(all)) {
        if (!caller || !place) {
          await appServer.createUsers('bo')
          caller = appServer.user('bo')
          place = await furnish(appServer, author, caller, status)
          await author.watches(place.cid)
          if (isShadowed) await caller.watches(place.cid)
        }
        await author.received()
        const before = await seen(author, place)
        const [method, at, body] = deed.ask(place)
        const { status: code, body: answer } = await caller.call(method, at, body ? { body } : {})
        asked += 1
        if (isShadowed && code >= 300) wrong.push(`${what}: ${JSON.stringify(answer)}`)
        if (isShadowed && code < 300 && deed.own) await caller.receives(deed.own)
        const isHidden = deed.ofMessage && (status === 'gone' || status === 'rejected')
        if (!isShadowed && answer.code !== (isHidden ? 16 : 17)) wrong.push(`${what}: ${code} ${answer.code}`)
        const after = await seen(author, place)
        const differs = differing(before, after)
        if (differs.length > 0) wrong.push(`${what}: others see ${differs}`)
        const told = (await author.receivedTypes()).filter((type) => !/^user\.|capabilities|health/.test(type))
        if (told.length > 0) wrong.push(`${what}: others hear ${told}`)
      }
      console.info(`standings, ${status}: ${asked} cells`)
      assert.deepEqual(wrong, [])
    }, 120_000)

  it('[MOD-19] a shadow-banned user may clear and delete their own messages, and other users still see them', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    for (const [method, suffix, own] of [
      ['POST', '/truncate', 'channel.truncated'],
      ['DELETE', '', 'channel.deleted'],
    ] as const) {
      const cid = await appServer.opens([bo, ada])
      await ada.sends(cid, 'Hello')
      await appServer.does('POST', '/moderation/ban', {
        body: { target_user_id: 'bo', user_id: 'ada', channel_cid: cid, shadow: true },
      })
      await ada.watches(cid)
      await bo.watches(cid)
      await ada.received()
      await bo.does(method, path(cid) + suffix, method === 'POST' ? { body: {} } : {})
      await bo.receives(own)
      assert.deepEqual(
        (await ada.opensChannel(cid)).messages.map(({ text }) => text),
        ['Hello'],
      )
      // The next event has the sequence number after the last one other users received.
      await ada.sends(cid, 'And on')
      assert.equal((await ada.receives('message.new')).message.text, 'And on')
      assert.deepEqual(
        (await ada.receivedTypes()).filter((type) => /channel/.test(type)),
        [],
      )
    }
  })
})
