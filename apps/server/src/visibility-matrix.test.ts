/**
 * Every way a message is delivered × every reason it is invisible × every user who must not see it. A message contains
 * SECRET in all its fields; a user who must not see it never receives that word. Users who may see it read only where
 * there is no reason, which proves that each way works; everywhere else they just use it.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { eventually } from './testing/eventually.ts'
import { type Fixture, onEveryStorage, onTwoNodes, type TestApp } from './testing/fixture.ts'
import { allowLoopback, Listener } from './testing/listener.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from './testing/test-user.ts'

const MARK = 'SECRET'
const names = ['ada', 'bo', 'cy', 'eve', 'dee', 'mod', 'fay'] as const
type Name = (typeof names)[number]

interface Scene {
  appServer: AppServer
  people: Record<Name, TestUser>
  room: string
  secret: string
  /** Second devices of those who must not see it, which use long polling. */
  pollers: Partial<Record<Name, TestUser>>
  /** Its parent, if it is a reply. */
  parent: string | undefined
  poll: string
  options: readonly string[]
  quote: string
  /** Before any message. */
  start: string
}

/** The placement of the message. */
const placements = {
  'in the channel': { reply: false, fields: {} },
  'in a thread': { reply: true, fields: {} },
  'in a thread and the channel': { reply: true, fields: { show_in_channel: true } },
} as const
type Placement = keyof typeof placements

interface Reason {
  /** The users who must not find it. */
  blind: readonly Name[]
  /** Runs before it is sent. */
  before?: (scene: Omit<Scene, 'secret' | 'quote' | 'pollers'>) => Promise<unknown>
  /** Its additional fields. */
  fields?: object
  /** How it is sent. */
  sending?: object
  /** What is done to it afterwards. */
  after?: (scene: Scene) => Promise<unknown>
  /** It contains no poll, which an edit would keep. */
  hasNoPoll?: true
  /** Non-members cannot read the channel; and dee's membership. */
  dee?: 'member' | 'invited'
  /** The channel has a team; all users have the same one at first. */
  team?: true
  /** Direct channel of ada and bo. */
  isPair?: true
  /** The users who may find it, by which ways, and why. */
  unless?: readonly { who: Name; by: readonly string[] | { allBut: readonly string[] }; because: string }[]
  /** An export by the app's administrator does not contain it either. */
  notExported?: true
}

const others: readonly Name[] = ['bo', 'cy', 'eve', 'mod', 'fay', 'dee']
const server = (scene: Pick<Scene, 'appServer'>, method: string, address: string, body?: object) =>
  scene.appServer.does(method, address, body ? { body } : {})

const reported = {
  who: 'mod',
  by: ['reported messages'],
  because: 'moderators read what somebody who saw it reported to them',
} as const

/** A block list matches it. */
async function minds({ appServer }: Pick<Scene, 'appServer'>, blocklist_behavior: string) {
  await appServer.does('POST', '/blocklists', { body: { name: 'secrets', words: [MARK.toLowerCase()] } })
  await appServer.does('PUT', '/channeltypes/messaging', { body: { blocklist: 'secrets', blocklist_behavior } })
}

const always: NonNullable<Reason['unless']> = [
  { who: 'ada', by: ['its poll', 'polls queried'], because: 'a poll is its maker’s, wherever it was shown' },
  { who: 'mod', by: ['moderation flags', 'review queue'], because: 'what was reported is kept, whatever became of it' },
]

const reasons: Record<string, Reason> = {
  'none (so that every way is known to lead somewhere)': { blind: [] },
  'it is for some alone': {
    blind: ['cy', 'eve', 'mod', 'fay', 'dee'],
    fields: { restricted_visibility: ['bo'] },
    unless: [reported],
  },
  '[MSG-44] it is for its author alone': {
    blind: others,
    fields: { restricted_visibility: ['ada'] },
    unless: [reported],
  },
  '[MSG-44] it is for people who do not exist': {
    blind: others,
    fields: { restricted_visibility: ['nobody', ''] },
    unless: [reported],
  },
  'its author is shadow-banned': {
    // Moderators get a shadowed message by its id [MSG-38], and find it nowhere else.
    blind: ['bo', 'cy', 'eve', 'fay', 'dee'],
    before: (scene) =>
      server(scene, 'POST', '/moderation/ban', { target_user_id: 'ada', shadow: true, user_id: 'mod' }),
  },
  'a list found something, and shows it to its author alone': {
    blind: ['bo', 'cy', 'eve', 'fay', 'dee'],
    before: (scene) => minds(scene, 'shadow_block'),
    sending: { force_moderation: true },
  },
  'a list stopped it': {
    blind: names,
    before: (scene) => minds(scene, 'block'),
    sending: { force_moderation: true },
    unless: [reported],
    notExported: true,
  },
  'it waits for the app’s server': {
    blind: others,
    sending: { pending: true },
    notExported: true,
  },
  '[USR-19] its author is blocked by the only other member': {
    blind: others,
    isPair: true,
    before: ({ people }) => people.bo.does('POST', '/users/block', { body: { blocked_user_id: 'ada' } }),
    unless: [
      {
        who: 'bo',
        by: { allBut: ['event', 'polled events', 'list of channels', 'list of channels, at last', 'sync'] },
        because: 'the block hides the channel, and whoever opens it all the same may read it',
      },
      reported,
    ],
  },
  '[READ-27] somebody belongs to another team by now': {
    blind: ['dee', 'fay'],
    dee: 'member',
    team: true,
    before: (scene) =>
      server(scene, 'PATCH', '/users', {
        users: ['dee', 'fay'].map((id) => ({ id, set: { teams: ['blue'] } })),
      }),
  },
  '[MSG-43] the history is hidden from who joins later': {
    blind: ['dee'],
    after: ({ appServer, room }) =>
      appServer.does('POST', path(room), { body: { add_members: ['dee'], hide_history: true } }),
  },
  '[MSG-43] a member cleared their history': {
    blind: ['eve'],
    after: ({ people, room }) => people.eve.does('POST', `${path(room)}/hide`, { body: { clear_history: true } }),
  },
  'the history was cleared for some': {
    blind: ['cy'],
    after: (scene) => server(scene, 'POST', `${path(scene.room)}/truncate`, { member_ids: ['cy'], user_id: 'mod' }),
  },
  '[MSG-43] the channel was truncated': {
    blind: names,
    unless: [reported],
    notExported: true,
    after: (scene) => server(scene, 'POST', `${path(scene.room)}/truncate`, {}),
  },
  'it was deleted': {
    blind: names,
    after: (scene) => server(scene, 'DELETE', `/messages/${scene.secret}`),
  },
  'it was deleted for good': {
    blind: names,
    notExported: true,
    after: ({ appServer, secret }) => appServer.does('DELETE', `/messages/${secret}`, { query: { hard: 'true' } }),
  },
  'a member deleted it for themself': {
    blind: ['cy'],
    unless: [
      {
        who: 'cy',
        by: [
          ...['event', 'polled events', 'a reaction of one’s own', 'a quote of one’s own', 'a report', 'pin it'],
          ...['its poll', 'polls queried', 'its thread read', 'sync'],
        ],
        because: 'an event is the same for all, and their own device knows what it deleted',
      },
    ],
    after: ({ people, secret }) =>
      people.cy.does('DELETE', `/messages/${secret}`, { query: { delete_for_me: 'true' } }),
  },
  'its author was banned and all they wrote deleted': {
    blind: names,
    after: async (scene) => {
      await server(scene, 'POST', '/moderation/ban', {
        target_user_id: 'ada',
        user_id: 'mod',
        channel_cid: scene.room,
        delete_messages: 'soft',
      })
      const shown = async () => (await server(scene, 'GET', `/messages/${scene.secret}`)).message.type
      await eventually(async () => (await shown()) === 'deleted', 'all they wrote is deleted')
    },
  },
  'somebody left the channel': {
    blind: ['dee', 'fay'],
    dee: 'member',
    after: (scene) => server(scene, 'POST', path(scene.room), { remove_members: ['dee'] }),
  },
  // An invitee may read, to decide [MEM-28].
  'somebody is only invited': { blind: ['fay'], dee: 'invited' },
  '[CON-28] it says something else now': {
    blind: names,
    hasNoPoll: true,
    notExported: true,
    after: (scene) =>
      server(scene, 'POST', `/messages/${scene.secret}`, {
        message: { text: 'harmless', attachments: [], user_id: 'ada' },
      }),
  },
}

type Way = (who: TestUser, scene: Scene) => Promise<unknown>
const payload = (value: object) => ({ query: { payload: JSON.stringify(value) } })

/** Every call that returns messages, or objects derived from them. */
const ways: Record<string, Way> = {
  'polled events': async ({ id }, { appServer, pollers }) => ({ body: await polled(appServer, pollers[id as Name]!) }),
  'state of the channel': (who, { room }) => who.call('POST', `${path(room)}/query`, { body: { state: true } }),
  'channel as it is': (who, { room }) => who.call('GET', path(room)),
  'list of channels': (who, { room }) =>
    who.call('POST', '/channels', { body: { filter_conditions: { cid: room }, state: true, message_limit: 30 } }),
  'page around it': (who, { room, secret }) =>
    who.call('POST', `${path(room)}/query`, { body: { state: true, messages: { id_around: secret, limit: 10 } } }),
  'page after it': (who, { room, secret }) =>
    who.call('POST', `${path(room)}/query`, { body: { state: true, messages: { id_gte: secret, limit: 10 } } }),
  'page of a time': (who, { room, start }) =>
    who.call('POST', `${path(room)}/query`, {
      body: { state: true, messages: { created_at_after: start, limit: 30 } },
    }),
  'message by id': (who, { secret }) => who.call('GET', `/messages/${secret}`),
  'messages by ids': (who, { room, secret, quote }) =>
    who.call('GET', `${path(room)}/messages`, { query: { ids: `${secret},${quote}` } }),
  'message that quotes it': (who, { quote }) => who.call('GET', `/messages/${quote}`),
  'replies of it': (who, { secret }) => who.call('GET', `/messages/${secret}/replies`, { query: { limit: '30' } }),
  'replies beside it': (who, { parent, secret }) =>
    who.call('GET', `/messages/${parent ?? secret}/replies`, { query: { limit: '30', id_around: secret } }),
  'search for its words': (who, { room }) =>
    who.call('GET', '/search', payload({ filter_conditions: { cid: room }, query: MARK, limit: 30 })),
  'search by a filter': (who, { room }) =>
    who.call(
      'GET',
      '/search',
      payload({ filter_conditions: { cid: room }, message_filter_conditions: { 'user.id': 'ada' }, limit: 30 }),
    ),
  'search for attachments': (who, { room }) =>
    who.call(
      'GET',
      '/search',
      payload({ filter_conditions: { cid: room }, message_filter_conditions: { attachments: { $exists: true } } }),
    ),
  sync: (who, { room, start }) => who.call('POST', '/sync', { body: { channel_cids: [room], last_sync_at: start } }),
  'list of threads': (who) => who.call('POST', '/threads', { body: { reply_limit: 10 } }),
  'thread under it': (who, { secret }) => who.call('GET', `/threads/${secret}`, { query: { reply_limit: '10' } }),
  'thread it is in': (who, { parent, secret }) =>
    who.call('GET', `/threads/${parent ?? secret}`, { query: { reply_limit: '10' } }),
  'pinned messages': (who, { room }) => who.call('GET', `${path(room)}/pinned_messages`, payload({})),
  'reactions of it': (who, { secret }) => who.call('GET', `/messages/${secret}/reactions`),
  'reactions queried': (who, { secret }) => who.call('POST', `/messages/${secret}/reactions`, { body: {} }),
  'its poll': (who, { poll }) => who.call('GET', `/polls/${poll}`),
  'polls queried': (who) => who.call('POST', '/polls/query', { body: {} }),
  'votes queried': (who, { poll }) => who.call('POST', `/polls/${poll}/votes`, { body: {} }),
  'a vote': (who, { poll, secret }) =>
    who.call('POST', `/messages/${secret}/polls/${poll}/vote`, { body: { vote: { option_id: 'none' } } }),
  'a reaction of one’s own': (who, { secret }) =>
    who.call('POST', `/messages/${secret}/reaction`, { body: { reaction: { type: 'like' }, skip_push: true } }),
  'a reminder': (who, { secret }) => who.call('POST', `/messages/${secret}/reminders`, { body: {} }),
  'list of reminders': (who) => who.call('POST', '/reminders/query', { body: {} }),
  'a draft that quotes it': (who, { room, secret }) =>
    who.call('POST', `${path(room)}/draft`, { body: { message: { text: 'mine', quoted_message_id: secret } } }),
  'a draft under it': (who, { room, secret }) =>
    who.call('POST', `${path(room)}/draft`, { body: { message: { text: 'mine', parent_id: secret } } }),
  'list of drafts': (who) => who.call('POST', '/drafts/query', { body: {} }),
  'a quote of one’s own': (who, { room, secret }) =>
    who.call('POST', `${path(room)}/message`, { body: { message: { text: 'mine', quoted_message_id: secret } } }),
  'a reply of one’s own': (who, { room, secret, parent }) =>
    who.call('POST', `${path(room)}/message`, { body: { message: { text: 'mine', parent_id: parent ?? secret } } }),
  'a report': (who, { secret }) => who.call('POST', '/moderation/flag', { body: { target_message_id: secret } }),
  'a report, newer': (who, { secret }) =>
    who.call('POST', '/api/v2/moderation/flag', { body: { entity_type: 'message', entity_id: secret } }),
  'reported messages': (who, { room }) =>
    who.call('GET', '/moderation/flags/message', payload({ filter_conditions: { channel_cid: room } })),
  'moderation flags': (who) => who.call('POST', '/api/v2/moderation/flags', { body: {} }),
  'review queue': (who) => who.call('POST', '/api/v2/moderation/review_queue', { body: { filter: {} } }),
  translation: (who, { secret }) => who.call('POST', `/messages/${secret}/translate`, { body: { language: 'fr' } }),
  'an action': (who, { secret }) => who.call('POST', `/messages/${secret}/action`, { body: { form_data: { a: 'b' } } }),
  'read up to it': (who, { room, secret }) => who.call('POST', `${path(room)}/read`, { body: { message_id: secret } }),
  'unread from it': (who, { room, secret }) =>
    who.call('POST', `${path(room)}/unread`, { body: { message_id: secret } }),
  'its thread read': (who, { room, secret, parent }) =>
    who.call('POST', `${path(room)}/read`, { body: { thread_id: parent ?? secret } }),
  'its thread unread': (who, { room, secret, parent }) =>
    who.call('POST', `${path(room)}/unread`, { body: { thread_id: parent ?? secret } }),
  'its thread changed': (who, { secret, parent }) =>
    who.call('PATCH', `/threads/${parent ?? secret}`, { body: { set: { mood: 'calm' } } }),
  'delivered up to it': (who, { room, secret }) =>
    who.call('POST', '/channels/delivered', { body: { latest_delivered_messages: [{ cid: room, id: secret }] } }),
  members: (who, { room }) =>
    who.call('GET', '/members', payload({ type: 'messaging', id: room.split(':')[1], filter_conditions: {} })),
  'unread counts': (who) => who.call('GET', '/unread'),
  undelete: (who, { secret }) => who.call('POST', `/messages/${secret}/undelete`, { body: {} }),
  'pin it': (who, { secret }) => who.call('PUT', `/messages/${secret}`, { body: { set: { pinned: true } } }),
  'show it changed': (who, { secret }) =>
    who.call('PATCH', `/messages/${secret}/ephemeral`, { body: { set: { mood: 'new' } } }),
  'hide and show': async (who, { room }) => [
    await who.call('POST', `${path(room)}/hide`, { body: {} }),
    await who.call('POST', `${path(room)}/show`, { body: {} }),
  ],
  'list of channels, at last': (who, { room }) =>
    who.call('POST', '/channels', { body: { filter_conditions: { cid: room }, state: true, message_limit: 30 } }),
  'deleted for oneself': (who, { secret }) =>
    who.call('DELETE', `/messages/${secret}`, { query: { delete_for_me: 'true' } }),
}

/** Actions that leave data other users may find. */
const deeds: readonly string[] = [
  ...['a reaction of one’s own', 'a quote of one’s own', 'a reply of one’s own', 'a report', 'a report, newer'],
  ...['its thread read', 'its thread changed', 'undelete', 'pin it', 'show it changed'],
]

/** Where even users who may see it do not find it, and why. */
const silent: Record<string, readonly Placement[] | 'always'> = {
  'reactions of it': 'always',
  'reactions queried': 'always',
  'votes queried': 'always',
  'a vote': 'always',
  'a reply of one’s own': 'always',
  'a report': 'always',
  'a report, newer': 'always',
  translation: 'always',
  'an action': 'always',
  'read up to it': 'always',
  'unread from it': 'always',
  'delivered up to it': 'always',
  members: 'always',
  'unread counts': 'always',
  undelete: 'always',
  'hide and show': 'always',
  'polls queried': 'always',
  'pin it': 'always',
  'show it changed': 'always',
  'reported messages': 'always',
  'moderation flags': 'always',
  'its thread read': ['in a thread', 'in a thread and the channel'],
  'its thread unread': 'always',
  'deleted for oneself': 'always',
  'a reminder': 'always',
  'page around it': ['in a thread'],
  'replies of it': 'always',
  'replies beside it': ['in the channel'],
  'thread under it': ['in a thread', 'in a thread and the channel'],
  'a draft under it': 'always',
}

const listener = new Listener()

/** A second device of a user, whose network blocks sockets. */
async function beginsToPoll(who: TestUser): Promise<TestUser> {
  const device = who.device()
  const json = JSON.stringify({ user_id: who.id, user_details: { id: who.id } })
  const { event } = await device.does('GET', '/longpoll', { query: { json } })
  device.connectionId = event.connection_id
  return device
}

/** All events of such a device; an event of the app's server marks the end. */
async function polled(appServer: AppServer, device: TestUser): Promise<ReceivedEvent[]> {
  const told: ReceivedEvent[] = []
  await appServer.does('POST', `/users/${device.id}/event`, { body: { event: { type: 'that_is_all' } } })
  while (!told.some(({ type }) => type === 'that_is_all')) told.push(...(await device.does('GET', '/longpoll')).events)
  return told
}

async function sceneOf(fixture: Fixture, placement: Placement, reason: Reason): Promise<Scene> {
  const { appServer, ...people }: TestApp<Name> = await fixture.createApp(...names)
  const event_hooks = [
    { hook_type: 'webhook', webhook_url: `${listener.url}/push`, event_types: ['message.new'], push_recipients: 'all' },
  ]
  // A reviewer of reports, without any other additional right.
  await appServer.does('POST', '/roles', { body: { name: 'reviewer' } })
  const { app } = await appServer.does('GET', '/app')
  const appGrants = { reviewer: [...app.grants.user, 'read-flag-reports'] }
  const team = { multi_tenant_enabled: reason.team === true }
  await appServer.does('PATCH', '/app', { body: { event_hooks, grants: appGrants, ...team } })
  const isOpen = !reason.isPair && (!reason.dee || reason.team)
  const { grants } = await appServer.does('GET', '/channeltypes/messaging')
  const user = [...grants.user, ...(isOpen ? ['read-channel', 'query-votes'] : [])]
  await appServer.does('PUT', '/channeltypes/messaging', {
    body: { user_message_reminders: true, grants: { user, reviewer: user } },
  })
  const users = names.map((id) => ({
    id,
    set: { ...(reason.team && { teams: ['red'] }), ...(id === 'mod' && { role: 'reviewer' }) },
  }))
  await appServer.does('PATCH', '/users', { body: { users } })
  const { ada, bo, cy, eve, mod, fay, dee } = people
  const belonging = reason.isPair ? [ada, bo] : [ada, bo, cy, eve, mod]
  const room = await appServer.opens(belonging, reason.team ? { team: 'red' } : {})
  if (!reason.isPair) await appServer.does('POST', path(room), { body: { add_moderators: ['mod'] } })
  if (reason.dee === 'member') await appServer.does('POST', path(room), { body: { add_members: ['dee'] } })
  if (reason.dee === 'invited') await appServer.does('POST', path(room), { body: { invites: ['dee'] } })
  const watching = [...belonging.slice(1), ...(isOpen ? [fay] : []), ...(reason.dee === 'member' ? [dee] : [])]
  for (const who of watching) await who.watches(room)
  for (const who of [cy, eve, mod, dee, fay]) if (!who.connectionId) await who.connects()
  const pollers: Scene['pollers'] = {}
  for (const name of listeningTo(reason)) {
    const device = await beginsToPoll(people[name])
    pollers[name] = device
    if (watching.includes(people[name]) || name === 'ada') await device.opensChannel(room, { watch: true })
  }
  const start = new Date(fixture.clock.now()).toISOString()
  fixture.clock.advance(5)
  const { reply, fields } = placements[placement]
  const says = async (message: object) =>
    (
      await appServer.does('POST', `${path(room)}/message`, {
        body: { message: { user_id: 'ada', ...message }, ...reason.sending },
      })
    ).message.id
  const parent: string | undefined = reply ? (await bo.sends(room, 'parent')).id : undefined
  const options = ['one', 'two'].map((text) => ({ text: `${MARK} option ${text}` }))
  const { poll } = await appServer.does('POST', '/polls', {
    body: { name: `${MARK} poll`, options, enforce_unique_vote: true, user_id: 'ada' },
  })
  const optionIds: string[] = poll.options.map(({ id }: { id: string }) => id)
  const scene = { appServer, people, room, parent, poll: poll.id, options: optionIds, start }
  await reason.before?.(scene)
  for (const who of Object.values<TestUser>(people)) if (who.connectionId) await who.received()
  for (const device of Object.values(pollers)) await polled(appServer, device)
  const attachments = [{ type: 'image', image_url: `https://x.example/${MARK}`, title: MARK }]
  const own = { ...(parent && { parent_id: parent }), ...fields, ...reason.fields }
  const secret: string = await says({
    text: `${MARK} text`,
    attachments,
    ...(!reason.hasNoPoll && { poll_id: poll.id }),
    mood: MARK,
    ...own,
  })
  const restricted = reason.fields !== undefined
  /** Ada performs every action on it that publishes events. */
  const goOn = async (option: string) => {
    const reaction = { type: 'wow', user_id: 'ada' }
    await appServer.call('POST', `/messages/${secret}/reaction`, { body: { reaction } })
    const set = { tone: option, ...(!restricted && !parent && { pinned: true }) }
    await appServer.call('PUT', `/messages/${secret}`, { body: { set, user_id: 'ada' } })
    const vote = { option_id: option }
    await appServer.call('POST', `/messages/${secret}/polls/${poll.id}/vote`, { body: { vote, user_id: 'ada' } })
    if (!parent)
      await appServer.call('POST', `${path(room)}/message`, {
        body: { message: { text: 'under it', parent_id: secret, user_id: 'ada' } },
      })
    const thread = parent ?? secret
    await appServer.call('PATCH', `/threads/${thread}`, { body: { set: { tone: option }, user_id: 'ada' } })
    await appServer.call('POST', `${path(room)}/read`, { body: { thread_id: thread, user_id: 'ada' } })
    const quote = await appServer.call('POST', `${path(room)}/message`, {
      body: { message: { text: 'see above', quoted_message_id: secret, user_id: 'ada' } },
    })
    return quote.body.message?.id as string
  }
  const quote = await goOn(optionIds[0]!)
  const whole = { ...scene, secret, quote, pollers }
  await people.bo.call('POST', '/moderation/flag', { body: { target_message_id: secret } })
  for (const who of [cy, eve]) await who.call('POST', `/messages/${secret}/reminders`, { body: {} })
  for (const who of [cy, eve])
    await who.call('POST', `${path(room)}/draft`, { body: { message: { text: 'old', quoted_message_id: secret } } })
  if (reason.after) {
    for (const who of Object.values<TestUser>(people)) if (who.connectionId) await who.received()
    await reason.after(whole)
    for (const device of Object.values(pollers)) await polled(appServer, device)
    fixture.clock.advance(5)
    await goOn(optionIds[1]!)
  }
  return whole
}

/** The users whose events are checked: those who must not see it, or all if there are none. */
const listeningTo = ({ blind }: Reason): readonly Name[] => (blind.length > 0 ? blind : names)

const holds = (value: unknown) => JSON.stringify(value ?? null).includes(MARK)

function testMatrix(fixture: Fixture, some: readonly Placement[], by: readonly string[], among = reasons) {
  for (const [why, reason] of Object.entries(among))
    for (const placement of some)
      it(`[MSG-42] ${why}; it is ${placement}`, async () => {
        const scene = await sceneOf(fixture, placement, reason)
        const leaks: string[] = []
        const found = new Map<string, Name[]>()
        for (const name of names) {
          const who = scene.people[name]
          const isBlind = reason.blind.includes(name)
          const looks = listeningTo(reason).includes(name)
          if (who.connectionId && looks) {
            const told = await who.received()
            for (const event of told)
              if (isBlind && !isRight(reason, name, 'event') && holds(event))
                leaks.push(`${name}: event ${event.type} ${JSON.stringify(event)}`)
          }
          for (const way of by) {
            if (!looks && !deeds.includes(way)) continue
            const answer = (await ways[way]!(who, scene)) as { status?: number; body?: unknown }
            const shown = Array.isArray(answer) ? answer.map(({ body }) => body) : answer.body
            if (!holds(shown)) continue
            found.set(way, [...(found.get(way) ?? []), name])
            if (isBlind && !isRight(reason, name, way)) leaks.push(`${name}: ${way} ${JSON.stringify(shown)}`)
          }
        }
        const short = (leak: string) => {
          const at = leak.indexOf(MARK, 40)
          return `${leak.slice(0, 60)} … ${leak.slice(Math.max(0, at - 200), at + 80)}`
        }
        assert.deepEqual(leaks.map(short), [])
        await told(scene, reason)
        if (by === all) assert.equal((await exported(scene)).includes(MARK), !reason.notExported, 'export')
        if (reason.blind.length > 0) return
        const missing = by.filter(
          (way) => !found.has(way) && silent[way] !== 'always' && !silent[way]?.includes(placement),
        )
        assert.deepEqual(missing, [], 'who may see it finds it by every way')
      })
}

/** Whether a user finds it by a way although there is a reason not to. */
function isRight({ unless = [] }: Reason, name: Name, way: string): boolean {
  return [...unless, ...always].some(({ who, by }) => {
    return who === name && ('allBut' in by ? !by.allBut.includes(way) : by.includes(way))
  })
}

/** The users it was pushed to, as the app's server receives it. */
async function told({ appServer, room, secret }: Scene, { blind, before, fields, sending }: Reason) {
  const isOfIt = ({ event }: { event: { message?: { id: string } } }) => event.message?.id === secret
  await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'that is all', user_id: 'bo' } } })
  const isEnd = ({ event }: { event: { message: { text: string } } }) => event.message.text === 'that is all'
  await eventually(() => listener.of('message.new').some(isEnd), 'the app’s server was told of the last message')
  const of = listener.of('message.new').filter(isOfIt)
  // It was pushed to all who could see it before the change.
  if (!before && !fields && !sending) return
  for (const { event } of of)
    assert.deepEqual(
      event.push_recipients.filter((id: Name) => blind.includes(id)),
      [],
    )
}

/** The file an app administrator exports: it has everything not erased, whoever may see it. */
async function exported({ appServer, room }: Scene): Promise<string> {
  const body = { channels: [{ cid: room }], version: 'v2' }
  const { task_id } = await appServer.does('POST', '/export_channels', { body })
  let url: string | undefined
  const isDone = async () => {
    const { result } = await appServer.does('GET', `/export_channels/${task_id}`)
    url = result?.url
    return url !== undefined
  }
  await eventually(isDone, 'the channel is exported')
  return (await fetch(url!)).text()
}

/** The number of checks: one user who must not see it, one way, one reason, one placement. */
const cells = (some: readonly Placement[], by: readonly string[], among = reasons) =>
  some.length * by.length * Object.values(among).reduce((sum, { blind }) => sum + blind.length, 0)

const everywhere = Object.keys(placements) as Placement[]
const all = Object.keys(ways)
const onNodes = ['state of the channel', 'sync']
// A node learns of teams and blocks a moment after the node where they were set.
const atOnce = Object.fromEntries(Object.entries(reasons).filter(([, { team, isPair }]) => !team && !isPair))
const columns = [cells(everywhere, all), cells(['in a thread'], all), cells(['in the channel'], onNodes, atOnce)]

describe(`what is not for somebody: ${columns.reduce((sum, count) => sum + count, 0)} cells`, () => {
  // PostgreSQL runs the same queries in another dialect, and two nodes differ only in events.
  let storages = 0
  onEveryStorage((fixture) => {
    storages += 1
    testMatrix(fixture, storages === 1 ? everywhere : ['in a thread'], all)
  }, allowLoopback)
  onTwoNodes((fixture) => testMatrix(fixture, ['in the channel'], onNodes, atOnce), allowLoopback)
})
