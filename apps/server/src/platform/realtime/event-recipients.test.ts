/**
 * Every event × every kind of user: who receives it, by a socket and by polling, and who must not. An event without a
 * row fails the last test.
 * @see messaging.md 9
 */
import assert from 'node:assert/strict'
import { chatEvents, clientEventNames } from '@parley/protocol/events'
import { describe, it } from 'vitest'
import { recordBusNames } from '../../testing/bus-names.ts'
import { eventually } from '../../testing/eventually.ts'
import { type Fixture, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

const roles = {
  actor: 'made the channel, watches it, and does what the event is about',
  watcher: 'a member who watches',
  member: 'a member who does not watch',
  late: 'a member who watches, and does not see messages from before they joined',
  banned: 'a member who watches, and is banned there: they read on',
  shadowed: 'a member who watches, and is shadow-banned there',
  looking: 'a user who is only invited, and watches to decide',
  invited: 'a user who is only invited',
  visitor: 'no member, and watches since they may read the channel',
  follower: 'no member, and follows how the actor and the passer-by are',
  newcomer: 'no member, until a row adds them',
  stranger: 'another user of the app',
  foreigner: 'a member who belongs to another team',
} as const
type Role = keyof typeof roles
const everyRole = Object.keys(roles) as Role[]
/** People of another app with the same ids, the first of whom watches a channel of the same cid. */
const elsewhere = ['watcher', 'member'] as const
type Listening = Role | `${(typeof elsewhere)[number]} of another app`

const watching: readonly Role[] = ['actor', 'watcher', 'late', 'banned', 'shadowed', 'looking', 'visitor']
/** Watchers who see the earliest messages. */
const seeing = watching.filter((role) => role !== 'late')

interface Scene extends Record<Role, TestUser> {
  appServer: AppServer
  room: string
  /** The actor's first message, which shows a poll and has a thread with the watcher and the member in it. */
  old: string
  poll: string
  option: string
  /** A user who comes and goes. */
  passerBy: TestUser
  fixture: Fixture
}

interface Row {
  /** The expected recipients; an event to any other user is wrong. */
  to: Record<string, readonly Role[]>
  /** What must be so before. */
  before?: (scene: Scene) => Promise<unknown>
  happens: (scene: Scene) => Promise<unknown>
  /** What would be in the way of other rows. */
  after?: (scene: Scene) => Promise<unknown>
}

const does =
  (who: Role, method: string, at: (scene: Scene) => string, body?: (scene: Scene) => object): Row['happens'] =>
  (scene) =>
    scene[who].does(method, at(scene), body ? { body: body(scene) } : {})
const serverDoes =
  (method: string, at: (scene: Scene) => string, body: (scene: Scene) => object): Row['happens'] =>
  (scene) =>
    scene.appServer.does(method, at(scene), { body: body(scene) })
const inRoom =
  (suffix: string) =>
  ({ room }: Scene) =>
    path(room) + suffix
const onOld =
  (suffix: string) =>
  ({ old }: Scene) =>
    `/messages/${old}${suffix}`
const thread = ({ old }: Scene) => `/threads/${old}`
const onPoll = ({ poll }: Scene) => `/polls/${poll}`
const ballot =
  (suffix: string) =>
  ({ old, poll }: Scene) =>
    `/messages/${old}/polls/${poll}/vote${suffix}`

const posts = (who: Role, message: object = {}) =>
  does(who, 'POST', inRoom('/message'), () => ({ message: { text: 'Hello', ...message } }))
const sends = (type: string, who: Role = 'actor') => does(who, 'POST', inRoom('/event'), () => ({ event: { type } }))
const reacts = (type: string, more: object = {}) =>
  does('actor', 'POST', onOld('/reaction'), () => ({ reaction: { type }, ...more }))
const changes = (body: object) => serverDoes('POST', inRoom(''), () => body)
const votes = does('actor', 'POST', ballot(''), ({ option }) => ({ vote: { option_id: option } }))
const answers = (answer_text: string) => does('actor', 'POST', ballot(''), () => ({ vote: { answer_text } }))
const bans = (target: Role, more: object = {}) =>
  serverDoes(
    'POST',
    () => '/moderation/ban',
    ({ room }) => ({
      ...{ target_user_id: target, channel_cid: room, user_id: 'actor' },
      ...more,
    }),
  )
const unbans =
  (target: Role): Row['happens'] =>
  ({ appServer, room }) =>
    appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: target, channel_cid: room } })
const setsReminder = does('actor', 'POST', onOld('/reminders'), () => ({}))
const hidesOr = (what: string, enabled: boolean) =>
  serverDoes(
    'PATCH',
    () => '/users',
    () => ({
      users: [{ id: 'watcher', set: { privacy_settings: { [what]: { enabled } } } }],
    }),
  )
const hidden = (what: string) => ({ before: hidesOr(what, false), after: hidesOr(what, true) })
const drafts = does('actor', 'POST', inRoom('/draft'), () => ({ message: { text: 'Not yet' } }))
const delivers = does(
  'watcher',
  'POST',
  () => '/channels/delivered',
  ({ room, old }) => ({
    latest_delivered_messages: [{ cid: room, id: old }],
  }),
)

/** By what happens. */
const rows: Record<string, Row> = {
  'a sign of life is asked for': {
    to: { 'health.check': ['actor'] },
    happens: async ({ actor }) => actor.whispers('[{"type":"health.check"}]'),
  },

  'a message is posted': {
    to: { 'message.new': watching, 'notification.message_new': ['member'] },
    happens: posts('actor'),
  },
  'a message for the watcher alone is posted': {
    to: { 'message.new': ['actor', 'watcher'] },
    happens: posts('actor', { restricted_visibility: ['watcher'] }),
  },
  'a message for the member alone is posted': {
    to: { 'message.new': ['actor'], 'notification.message_new': ['member'] },
    happens: posts('actor', { restricted_visibility: ['member'] }),
  },
  'who is shadow-banned posts a message': {
    to: { 'message.new': ['shadowed'], 'notification.mark_read': ['shadowed'] },
    happens: posts('shadowed'),
  },
  'a message waits for the app’s server': {
    to: {},
    happens: serverDoes('POST', inRoom('/message'), () => ({
      message: { text: 'Hm', user_id: 'actor' },
      pending: true,
    })),
  },
  'a reply is posted': {
    to: {
      'message.new': watching,
      'message.updated': seeing,
      'notification.thread_message_new': ['watcher', 'member'],
      'notification.mark_read': ['actor'],
    },
    happens: (scene) => posts('actor', { parent_id: scene.old })(scene),
  },
  'who is shadow-banned posts a reply': {
    to: { 'message.new': ['shadowed'] },
    happens: (scene) => posts('shadowed', { parent_id: scene.old })(scene),
  },
  'a message is edited': {
    to: { 'message.updated': seeing },
    happens: does('actor', 'PUT', onOld(''), () => ({ set: { text: 'Hello again' } })),
  },
  // Users whose unread count changes receive it on all connections.
  'a message is deleted': {
    to: { 'message.deleted': [...seeing, 'member'] },
    happens: does('actor', 'DELETE', onOld('')),
  },
  'a message is deleted for one alone': {
    to: { 'message.deleted': ['actor'] },
    happens: ({ actor, old }) => actor.does('DELETE', `/messages/${old}`, { query: { delete_for_me: 'true' } }),
  },
  'a deleted message comes back': {
    to: { 'message.undeleted': [...seeing, 'member'] },
    before: does('actor', 'DELETE', onOld('')),
    happens: serverDoes('POST', onOld('/undelete'), () => ({ undeleted_by: 'actor' })),
  },

  'a channel is read': {
    to: { 'message.read': watching, 'notification.mark_read': ['watcher'] },
    happens: does('watcher', 'POST', inRoom('/read'), () => ({})),
  },
  'a channel is read by who hides it': {
    to: { 'message.read': ['watcher'], 'notification.mark_read': ['watcher'] },
    ...hidden('read_receipts'),
    happens: does('watcher', 'POST', inRoom('/read'), () => ({})),
  },
  'a thread is read': {
    to: { 'message.read': seeing, 'notification.mark_read': ['watcher'] },
    happens: does('watcher', 'POST', inRoom('/read'), ({ old }) => ({ thread_id: old })),
  },
  'a thread is read by who hides it': {
    to: { 'message.read': ['watcher'], 'notification.mark_read': ['watcher'] },
    ...hidden('read_receipts'),
    happens: does('watcher', 'POST', inRoom('/read'), ({ old }) => ({ thread_id: old })),
  },
  'a message has arrived': { to: { 'message.delivered': watching }, happens: delivers },
  'a message has arrived where that is hidden': {
    to: {},
    ...hidden('delivery_receipts'),
    happens: delivers,
  },
  'a message is marked unread': {
    to: { 'notification.mark_unread': ['watcher'] },
    happens: does('watcher', 'POST', inRoom('/unread'), ({ old }) => ({ message_id: old })),
  },
  'a thread gets a title': {
    to: { 'thread.updated': seeing },
    happens: does('actor', 'PATCH', thread, () => ({ set: { title: 'Tea' } })),
  },
  'a draft is kept': { to: { 'draft.updated': ['actor'] }, happens: drafts },
  'a draft is given up': {
    to: { 'draft.deleted': ['actor'] },
    before: drafts,
    happens: does('actor', 'DELETE', inRoom('/draft')),
  },
  'a reminder is set': { to: { 'reminder.created': ['actor'] }, happens: setsReminder },
  'a reminder is changed': {
    to: { 'reminder.updated': ['actor'] },
    before: setsReminder,
    happens: does('actor', 'PATCH', onOld('/reminders'), () => ({ remind_at: null })),
  },
  'a reminder is given up': {
    to: { 'reminder.deleted': ['actor'] },
    before: setsReminder,
    happens: does('actor', 'DELETE', onOld('/reminders')),
  },
  'a reminder is due': {
    to: { 'notification.reminder_due': ['actor'] },
    before: (scene) => {
      const remind_at = new Date(scene.fixture.clock.now() + 2_000).toISOString()
      return scene.actor.does('POST', `/messages/${scene.old}/reminders`, { body: { remind_at } })
    },
    happens: async ({ fixture }) => fixture.clock.advance(2_000),
  },

  'a message gets a reaction': { to: { 'reaction.new': seeing }, happens: reacts('love') },
  'a reaction replaces others': {
    to: { 'reaction.updated': seeing },
    before: reacts('love'),
    happens: reacts('wow', { enforce_unique: true }),
  },
  'a reaction is taken back': {
    to: { 'reaction.deleted': seeing },
    before: reacts('love'),
    happens: does('actor', 'DELETE', onOld('/reaction/love')),
  },
  'a poll is changed': {
    to: { 'poll.updated': seeing },
    happens: does('actor', 'PATCH', onPoll, () => ({ set: { name: 'Coffee?' } })),
  },
  'a poll is closed': {
    to: { 'poll.closed': seeing },
    happens: does('actor', 'PATCH', onPoll, () => ({ set: { is_closed: true } })),
  },
  'a poll is deleted': { to: { 'poll.deleted': seeing }, happens: does('actor', 'DELETE', onPoll) },
  'a user votes': { to: { 'poll.vote_casted': seeing }, happens: votes },
  'a user changes a vote': {
    to: { 'poll.vote_changed': seeing },
    before: answers('Later'),
    happens: answers('Never'),
  },
  'a vote is taken back': {
    to: { 'poll.vote_casted': seeing, 'poll.vote_removed': seeing },
    happens: async (scene) => {
      const { vote } = (await votes(scene)) as { vote: { id: string } }
      await does('actor', 'DELETE', ballot(`/${vote.id}`))(scene)
    },
  },

  'a user starts typing': { to: { 'typing.start': watching }, happens: sends('typing.start') },
  'a user stops typing': { to: { 'typing.stop': watching }, happens: sends('typing.stop') },
  'who hides it begins to write': {
    to: {},
    ...hidden('typing_indicators'),
    happens: sends('typing.start', 'watcher'),
  },
  'who is shadow-banned begins to write': {
    to: { 'typing.start': ['shadowed'] },
    happens: sends('typing.start', 'shadowed'),
  },
  'who is banned begins to write': { to: {}, happens: sends('typing.start', 'banned') },
  ...Object.fromEntries(
    [...clientEventNames.filter((type) => !type.startsWith('typing.')), 'wave'].map((type) => [
      `a client sends ${type}`,
      { to: { [type]: watching }, happens: sends(type) },
    ]),
  ),
  'the app’s server sends a user a custom event': {
    to: { wink: ['member'] },
    happens: serverDoes(
      'POST',
      () => '/users/member/event',
      () => ({ event: { type: 'wink' } }),
    ),
  },

  'a channel is changed': { to: { 'channel.updated': watching }, happens: changes({ data: { name: 'Tea' } }) },
  'a channel is deleted': {
    to: { 'channel.deleted': watching, 'notification.channel_deleted': ['member'] },
    happens: ({ appServer, room }) => appServer.does('DELETE', path(room)),
  },
  'a channel is truncated': {
    to: { 'channel.truncated': watching, 'notification.channel_truncated': ['member'] },
    happens: serverDoes('POST', inRoom('/truncate'), () => ({})),
  },
  'a channel is hidden': {
    to: { 'channel.hidden': ['actor'] },
    happens: does('actor', 'POST', inRoom('/hide'), () => ({})),
  },
  'a channel is shown': {
    to: { 'channel.visible': ['actor'] },
    before: does('actor', 'POST', inRoom('/hide'), () => ({})),
    happens: does('actor', 'POST', inRoom('/show'), () => ({})),
  },
  'a channel is muted': {
    to: { 'notification.channel_mutes_updated': ['actor'] },
    happens: does(
      'actor',
      'POST',
      () => '/moderation/mute/channel',
      ({ room }) => ({ channel_cid: room }),
    ),
  },

  'a member becomes a moderator': {
    to: { 'member.updated': watching, 'capabilities.changed': ['watcher'] },
    happens: changes({ add_moderators: ['watcher'] }),
  },
  'a user is added': {
    to: { 'member.added': watching, 'notification.added_to_channel': ['newcomer'] },
    happens: changes({ add_members: ['newcomer'] }),
  },
  'a user of another team is added': {
    to: { 'member.added': watching },
    before: changes({ remove_members: ['foreigner'] }),
    happens: changes({ add_members: ['foreigner'] }),
  },
  'a user of another team is invited': {
    to: { 'member.added': watching },
    before: changes({ remove_members: ['foreigner'] }),
    happens: changes({ invites: ['foreigner'] }),
  },
  'a user is invited': {
    to: { 'member.added': watching, 'notification.invited': ['newcomer'] },
    happens: changes({ invites: ['newcomer'] }),
  },
  'an invitation is accepted': {
    to: { 'member.updated': watching, 'notification.invite_accepted': ['invited'] },
    happens: does('invited', 'POST', inRoom(''), () => ({ accept_invite: true })),
  },
  'an invitation is rejected': {
    to: { 'member.updated': watching, 'notification.invite_rejected': ['invited'] },
    happens: does('invited', 'POST', inRoom(''), () => ({ reject_invite: true })),
  },
  'a member is removed': {
    to: { 'member.removed': watching, 'notification.removed_from_channel': ['member'] },
    happens: changes({ remove_members: ['member'] }),
  },
  'a member who watches is removed': {
    to: {
      'user.watching.stop': watching.filter((role) => role !== 'watcher'),
      'member.removed': watching,
      'notification.removed_from_channel': ['watcher'],
    },
    happens: changes({ remove_members: ['watcher'] }),
  },
  'a user begins to watch': {
    to: { 'user.watching.start': watching },
    happens: ({ newcomer, room }) => newcomer.watches(room),
  },
  'a user stops watching': {
    to: { 'user.watching.stop': watching },
    before: ({ newcomer, room }) => newcomer.watches(room),
    happens: does('newcomer', 'POST', inRoom('/stop-watching'), () => ({})),
  },

  'a user connects': { to: { 'user.presence.changed': ['follower'] }, happens: ({ passerBy }) => passerBy.connects() },
  'a user is changed': {
    to: { 'user.updated': ['actor', 'follower'] },
    happens: serverDoes(
      'PATCH',
      () => '/users',
      ({ room }) => ({ users: [{ id: 'actor', set: { mood: room } }] }),
    ),
  },
  'a user is deleted': {
    to: { 'user.deleted': ['follower'] },
    happens: ({ appServer, passerBy }) => appServer.does('DELETE', `/users/${passerBy.id}`),
  },
  'a member is banned': {
    to: { 'user.banned': [...watching, 'member'] },
    happens: bans('member'),
  },
  'a member is banned, and all they wrote is deleted': {
    // The thread has a reply less.
    to: { 'user.banned': [...watching, 'member'], 'user.messages.deleted': watching, 'message.updated': seeing },
    happens: bans('member', { delete_messages: 'soft' }),
  },
  // Only users who could lift it receive it.
  'a member is shadow-banned': {
    to: { 'user.banned': ['watcher'] },
    before: changes({ add_moderators: ['watcher'] }),
    happens: bans('late', { shadow: true }),
  },
  'a ban is lifted': {
    to: { 'user.unbanned': watching, 'capabilities.changed': ['banned'] },
    happens: unbans('banned'),
  },
  'a shadow ban is lifted': {
    to: { 'user.unbanned': ['watcher'] },
    before: changes({ add_moderators: ['watcher'] }),
    happens: unbans('shadowed'),
  },
  'a user is muted': {
    to: { 'notification.mutes_updated': ['actor'] },
    happens: does(
      'actor',
      'POST',
      () => '/moderation/mute',
      () => ({ target_id: 'stranger' }),
    ),
  },
}

/** A user's connection, and the events it received. */
interface Listener {
  role: Listening
  way: 'socket' | 'poll'
  device: TestUser
  appServer: AppServer
}

/** All users, connected twice; rows run one after the other, each in a channel of its own. */
async function cast(fixture: Fixture) {
  const { appServer, ...people } = await fixture.createApp(...everyRole)
  const other = await fixture.createApp(...elsewhere)
  await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
  const users = everyRole.map((id) => ({ id, set: { teams: [id === 'foreigner' ? 'blue' : 'red'] } }))
  await appServer.does('PATCH', '/users', { body: { users } })
  for (const app of [appServer, other.appServer]) {
    const { grants } = await app.does('GET', '/channeltypes/messaging')
    await app.does('PUT', '/channeltypes/messaging', {
      body: {
        delivery_events: true,
        user_message_reminders: true,
        grants: { user: [...grants.user, 'read-channel', 'create-restricted-visibility-message'] },
      },
    })
  }
  const listeners: Listener[] = []
  const listens = async (role: Listening, testUser: TestUser, app: AppServer) => {
    await testUser.connects()
    const device = testUser.device()
    const json = JSON.stringify({ user_id: testUser.id, user_details: { id: testUser.id } })
    const { event } = await device.does('GET', '/longpoll', { query: { json } })
    device.connectionId = event.connection_id
    listeners.push(
      { role, way: 'socket', device: testUser, appServer: app },
      { role, way: 'poll', device, appServer: app },
    )
  }
  for (const role of everyRole) await listens(role, people[role], appServer)
  for (const id of elsewhere) await listens(`${id} of another app`, other[id], other.appServer)
  return { appServer, people, other, listeners }
}

async function sceneOf(
  fixture: Fixture,
  { appServer, people, other, listeners }: Awaited<ReturnType<typeof cast>>,
  number: number,
): Promise<Scene> {
  const { actor, watcher, member } = people
  const room = await appServer.opens([actor, watcher, member], { team: 'red' })
  const changes = (body: object) => appServer.does('POST', path(room), { body })
  await changes({ add_members: ['banned', 'shadowed', 'foreigner'], invites: ['looking', 'invited'] })
  const { poll } = await actor.does('POST', '/polls', {
    body: { name: 'Tea?', options: [{ text: 'yes' }, { text: 'no' }], allow_answers: true },
  })
  const old = (await actor.sends(room, 'Hello', { poll_id: poll.id })).id
  for (const who of [watcher, member]) await who.sends(room, 'Indeed', { parent_id: old })
  await changes({ add_members: ['late'], hide_history: true })
  for (const shadow of [true, false])
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: shadow ? 'shadowed' : 'banned', channel_cid: room, shadow, user_id: 'actor' },
    })
  await other.appServer.does('POST', `${path(room)}/query`, {
    body: { data: { created_by_id: 'watcher', members: [...elsewhere] } },
  })
  for (const { role, device } of listeners)
    if (watching.includes(role as Role) || role === 'watcher of another app')
      await device.opensChannel(room, { watch: true })
  await people.foreigner.isRefused(17, 'POST', `${path(room)}/query`, { body: { watch: true } })
  await appServer.createUsers(`passer-by-${number}`)
  await appServer.does('PATCH', '/users', { body: { users: [{ id: `passer-by-${number}`, set: { teams: ['red'] } }] } })
  const passerBy = appServer.user(`passer-by-${number}`)
  const payload = JSON.stringify({ filter_conditions: { id: { $in: ['actor', passerBy.id] } }, presence: true })
  for (const { role, device } of listeners)
    if (role === 'follower') await device.does('GET', '/users', { query: { payload } })
  return { ...people, appServer, room, old, poll: poll.id, option: poll.options[0].id, passerBy, fixture }
}

/**
 * All that a user's two connections received since a time. Expected events may come from a task or another node, so it
 * waits for them; a last event of the app's server marks the end.
 */
async function receivedBy(
  two: readonly Listener[],
  since: number,
  number: number,
  expected: readonly string[],
): Promise<{ listener: Listener; event: ReceivedEvent }[]> {
  const { device, appServer } = two[0]!
  const isEnd = (event: ReceivedEvent) => event.type === 'that_is_all' && event.number === number
  const isNew = (event: ReceivedEvent) => Date.parse(event.created_at) >= since
  const isThere = (events: readonly ReceivedEvent[]) =>
    expected.every((type) => events.some((event) => event.type === type && isNew(event)))
  const polled = new Map<Listener, ReceivedEvent[]>(
    two.filter(({ way }) => way === 'poll').map((listener) => [listener, []]),
  )
  const poll = async (listener: Listener) =>
    polled.get(listener)!.push(...(await listener.device.does('GET', '/longpoll')).events)
  // What does not come in time is missing below, by its name.
  await eventually(async () => {
    for (const [listener, events] of polled) if (!isThere(events)) await poll(listener)
    return two.every((listener) => isThere(polled.get(listener) ?? listener.device.events))
  }, 'all that is expected').catch(() => {})
  await appServer.does('POST', `/users/${device.id}/event`, { body: { event: { type: 'that_is_all', number } } })
  const received: { listener: Listener; event: ReceivedEvent }[] = []
  for (const listener of two) {
    const events = polled.get(listener) ?? listener.device.events
    if (listener.way === 'socket') await listener.device.receives('that_is_all', isEnd)
    else while (!events.some(isEnd)) await poll(listener)
    received.push(...events.splice(0).map((event) => ({ listener, event })))
  }
  return received.filter(({ event }) => event.type !== 'that_is_all' && isNew(event))
}

function testTable(fixture: Fixture) {
  it('[READ-27] every event reaches just its recipients', { timeout: 600_000 }, async () => {
    const names = fixture.nodes.length > 1 ? await recordBusNames() : undefined
    const people = await cast(fixture)
    const wrong: string[] = []
    let cells = 0
    for (const [number, [what, { to, before, happens, after }]] of Object.entries(rows).entries()) {
      try {
        // A connection that is silent for a minute is closed; all rows together may take longer.
        for (const { way, device } of people.listeners) if (way === 'socket') await device.pings()
        const scene = await sceneOf(fixture, people, number)
        await before?.(scene)
        fixture.clock.advance(2)
        const since = fixture.clock.now()
        await happens(scene)
        const received: { listener: Listener; event: ReceivedEvent }[] = []
        for (const [role, two] of Map.groupBy(people.listeners, ({ role }) => role)) {
          const expected = Object.keys(to).filter((type) => to[type]!.includes(role as Role) && type !== 'health.check')
          received.push(...(await receivedBy(two, since, number, expected)))
        }
        for (const type of new Set([...Object.keys(to), ...received.map(({ event }) => event.type)]))
          for (const listener of people.listeners) {
            // It answers the connection that asked.
            if (type === 'health.check' && listener.way === 'poll') continue
            const count = received.filter((one) => one.listener === listener && one.event.type === type).length
            const due = to[type]?.includes(listener.role as Role) ? 1 : 0
            cells += 1
            if (count !== due) wrong.push(`${what}: ${listener.role} got ${count} ${type}, by ${listener.way}`)
          }
        await after?.(scene)
      } catch (error) {
        wrong.push(`${what}: ${(error as Error).message}`)
      }
    }
    console.info(`recipients of events: ${cells} cells`)
    assert.deepEqual(wrong, [])
    if (names) {
      await names.close()
      assert.ok(names.seen.size > 50, [...names.seen].join(' '))
      assert.deepEqual(names.unknown(), [], 'names on the bus that an earlier version does not know')
    }
  })
}

describe('who gets which event', () => {
  onEveryTransport(testTable)

  it('every event has a row with its recipients', () => {
    const received = new Set(Object.values(rows).flatMap(({ to }) => Object.keys(to)))
    const missing = [...Object.keys(chatEvents), ...clientEventNames].filter((type) => !received.has(type))
    assert.deepEqual(missing, [])
  })
})
