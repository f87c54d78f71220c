/**
 * Every way by which a message leaves × every reason not to see it × everybody who looks. A message says SECRET in all
 * that it can say; whoever has a reason not to see it finds that word nowhere.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { eventually } from './testing/eventually.ts'
import { Listener, outside } from './testing/listener.ts'
import { type AppServer, type Person, path } from './testing/person.ts'
import { type Company, onEveryStorage, onTwoNodes, type Stage } from './testing/stage.ts'

const MARK = 'SECRET'
const names = ['ada', 'bo', 'cy', 'eve', 'dee', 'mod', 'fay'] as const
type Name = (typeof names)[number]

interface Scene {
  company: AppServer
  people: Record<Name, Person>
  room: string
  secret: string
  /** What it replies to, where it is a reply. */
  parent: string | undefined
  poll: string
  quote: string
  /** Before anything was said. */
  start: string
}

/** Where the message stands. */
const placements = {
  'in the channel': { reply: false, fields: {} },
  'in a thread': { reply: true, fields: {} },
  'in a thread and the channel': { reply: true, fields: { show_in_channel: true } },
} as const
type Placement = keyof typeof placements

interface Reason {
  /** Who finds nothing of it. */
  blind: readonly Name[]
  /** What is so before it is said. */
  before?: (scene: Omit<Scene, 'secret' | 'quote'>) => Promise<unknown>
  /** What it says besides. */
  fields?: object
  /** What becomes of it. */
  after?: (scene: Scene) => Promise<unknown>
  /** It shows no poll, which an edit leaves as it is. */
  hasNoPoll?: true
  /** Nobody reads the channel who is not in it, and what dee is to it. */
  dee?: 'member' | 'invited'
  /** Who finds it all the same, by which ways, and why that is right. */
  unless?: { who: Name; by: readonly string[]; because: string }
}

const others: readonly Name[] = ['bo', 'cy', 'eve', 'mod', 'fay', 'dee']
const server = (scene: Pick<Scene, 'company'>, method: string, address: string, body?: object) =>
  scene.company.does(method, address, body ? { body } : {})

const reported = {
  who: 'mod',
  by: ['reported messages'],
  because: 'moderators read what somebody who saw it reported to them',
} as const

const reasons: Record<string, Reason> = {
  'none (so that every way is known to lead somewhere)': { blind: [] },
  'it is for some alone': {
    blind: ['cy', 'eve', 'mod', 'fay', 'dee'],
    fields: { restricted_visibility: ['bo'] },
    unless: reported,
  },
  '[MSG-44] it is for its author alone': {
    blind: others,
    fields: { restricted_visibility: ['ada'] },
    unless: reported,
  },
  '[MSG-44] it is for people who do not exist': {
    blind: others,
    fields: { restricted_visibility: ['nobody', ''] },
    unless: reported,
  },
  'its author is shadow-banned': {
    // Moderators look into what was written unseen by its id [MSG-38], and find it nowhere else.
    blind: ['bo', 'cy', 'eve', 'fay', 'dee'],
    before: (scene) =>
      server(scene, 'POST', '/moderation/ban', { target_user_id: 'ada', shadow: true, user_id: 'mod' }),
  },
  '[MSG-43] the history is hidden from who joins later': {
    blind: ['dee'],
    after: ({ company, room }) =>
      company.does('POST', path(room), { body: { add_members: ['dee'], hide_history: true } }),
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
    unless: reported,
    after: (scene) => server(scene, 'POST', `${path(scene.room)}/truncate`, {}),
  },
  'it was deleted': {
    blind: names,
    after: (scene) => server(scene, 'DELETE', `/messages/${scene.secret}`),
  },
  'it was deleted for good': {
    blind: names,
    after: ({ company, secret }) => company.does('DELETE', `/messages/${secret}`, { query: { hard: 'true' } }),
  },
  'a member deleted it for themself': {
    blind: ['cy'],
    unless: {
      who: 'cy',
      by: [
        'event',
        'a reaction of one’s own',
        'a quote of one’s own',
        'a report',
        'pin it',
        'its poll',
        'polls queried',
      ],
      because: 'an event is the same for all, and their own device knows what it deleted',
    },
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
  // Who is invited may look, to decide [MEM-28].
  'somebody is only invited': { blind: ['fay'], dee: 'invited' },
  '[CON-28] it says something else now': {
    blind: names,
    hasNoPoll: true,
    after: (scene) =>
      server(scene, 'POST', `/messages/${scene.secret}`, {
        message: { text: 'harmless', attachments: [], user_id: 'ada' },
      }),
  },
}

type Way = (who: Person, scene: Scene) => Promise<unknown>
const payload = (value: object) => ({ query: { payload: JSON.stringify(value) } })

/** Every call that answers with messages, or with what was made of them. */
const ways: Record<string, Way> = {
  'state of the channel': (who, { room }) => who.call('POST', `${path(room)}/query`, { body: { state: true } }),
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
  'its poll': (who, { poll, secret }) => who.call('GET', `/polls/${poll}`, { query: { message_id: secret } }),
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
  translation: (who, { secret }) => who.call('POST', `/messages/${secret}/translate`, { body: { language: 'fr' } }),
  'an action': (who, { secret }) => who.call('POST', `/messages/${secret}/action`, { body: { form_data: { a: 'b' } } }),
  'read up to it': (who, { room, secret }) => who.call('POST', `${path(room)}/read`, { body: { message_id: secret } }),
  'unread from it': (who, { room, secret }) =>
    who.call('POST', `${path(room)}/unread`, { body: { message_id: secret } }),
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
}

/** Where even who may see it does not find it, and why. */
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
  'a reminder': 'always',
  'page around it': ['in a thread'],
  'replies of it': 'always',
  'replies beside it': ['in the channel'],
  'thread under it': ['in a thread', 'in a thread and the channel'],
  'a draft under it': 'always',
}

const listener = new Listener()

async function sceneOf(stage: Stage, placement: Placement, reason: Reason): Promise<Scene> {
  const { company, ...people }: Company<Name> = await stage.company(...names)
  const event_hooks = [
    { hook_type: 'webhook', webhook_url: `${listener.url}/push`, event_types: ['message.new'], push_recipients: 'all' },
  ]
  await company.does('PATCH', '/app', { body: { event_hooks } })
  const { grants } = await company.does('GET', '/channeltypes/messaging')
  await company.does('PUT', '/channeltypes/messaging', {
    body: {
      user_message_reminders: true,
      grants: { user: [...grants.user, ...(reason.dee ? [] : ['read-channel', 'query-votes'])] },
    },
  })
  const { ada, bo, cy, eve, mod, fay, dee } = people
  const room = await company.opens([ada, bo, cy, eve, mod])
  await company.does('POST', path(room), { body: { add_moderators: ['mod'] } })
  if (reason.dee === 'member') await company.does('POST', path(room), { body: { add_members: ['dee'] } })
  if (reason.dee === 'invited') await company.does('POST', path(room), { body: { invites: ['dee'] } })
  for (const who of [bo, cy, eve, mod, ...(reason.dee ? [] : [fay]), ...(reason.dee === 'member' ? [dee] : [])])
    await who.watches(room)
  for (const who of [dee, fay]) if (!who.connectionId) await who.connects()
  const start = new Date(stage.clock.now()).toISOString()
  stage.clock.advance(5)
  const { reply, fields } = placements[placement]
  const says = async (message: object) =>
    (await company.does('POST', `${path(room)}/message`, { body: { message: { user_id: 'ada', ...message } } })).message
      .id
  const parent: string | undefined = reply ? (await bo.says(room, 'parent')).id : undefined
  const { poll } = await company.does('POST', '/polls', {
    body: { name: `${MARK} poll`, options: [{ text: `${MARK} option` }], user_id: 'ada' },
  })
  const scene = { company, people, room, parent, poll: poll.id, start }
  await reason.before?.(scene)
  for (const who of Object.values<Person>(people)) who.told.length = 0
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
  const goOn = async () => {
    const reaction = { type: 'wow', user_id: 'ada' }
    await company.call('POST', `/messages/${secret}/reaction`, { body: { reaction } })
    if (!restricted && !parent)
      await company.call('PUT', `/messages/${secret}`, { body: { set: { pinned: true }, user_id: 'ada' } })
    if (!parent)
      await company.call('POST', `${path(room)}/message`, {
        body: { message: { text: 'under it', parent_id: secret, user_id: 'ada' } },
      })
    const quote = await company.call('POST', `${path(room)}/message`, {
      body: { message: { text: 'see above', quoted_message_id: secret, user_id: 'ada' } },
    })
    return quote.body.message?.id as string
  }
  const quote = await goOn()
  const whole = { ...scene, secret, quote }
  await people.bo.call('POST', '/moderation/flag', { body: { target_message_id: secret } })
  for (const who of [cy, eve]) await who.call('POST', `/messages/${secret}/reminders`, { body: {} })
  for (const who of [cy, eve])
    await who.call('POST', `${path(room)}/draft`, { body: { message: { text: 'old', quoted_message_id: secret } } })
  if (reason.after) {
    for (const who of Object.values<Person>(people)) if (who.connectionId) await who.hasHeard()
    await reason.after(whole)
    await goOn()
  }
  return whole
}

const holds = (value: unknown) => JSON.stringify(value ?? null).includes(MARK)

function tellMatrix(stage: Stage, some: readonly Placement[], by: readonly string[] = Object.keys(ways)) {
  for (const [why, reason] of Object.entries(reasons))
    for (const placement of some)
      it(`[MSG-42] ${why}; it is ${placement}`, async () => {
        const scene = await sceneOf(stage, placement, reason)
        const leaks: string[] = []
        const found = new Map<string, Name[]>()
        for (const name of names) {
          const who = scene.people[name]
          const isBlind = reason.blind.includes(name)
          // A poll is its maker's, wherever it was shown.
          const isRight = (way: string) =>
            (name === 'ada' && ['its poll', 'polls queried'].includes(way)) ||
            (reason.unless?.who === name && reason.unless.by.includes(way))
          if (who.connectionId) {
            const told = await who.hasHeard()
            for (const event of told)
              if (isBlind && !isRight('event') && holds(event))
                leaks.push(`${name}: event ${event.type} ${JSON.stringify(event)}`)
          }
          for (const way of by) {
            const answer = (await ways[way]!(who, scene)) as { status?: number; body?: unknown }
            const shown = Array.isArray(answer) ? answer.map(({ body }) => body) : answer.body
            if (!holds(shown)) continue
            found.set(way, [...(found.get(way) ?? []), name])
            if (isBlind && !isRight(way)) leaks.push(`${name}: ${way} ${JSON.stringify(shown)}`)
          }
        }
        const short = (leak: string) => {
          const at = leak.indexOf(MARK, 40)
          return `${leak.slice(0, 60)} … ${leak.slice(Math.max(0, at - 200), at + 80)}`
        }
        assert.deepEqual(leaks.map(short), [])
        await told(scene, reason)
        if (reason.blind.length > 0) return
        const missing = by.filter(
          (way) => !found.has(way) && silent[way] !== 'always' && !silent[way]?.includes(placement),
        )
        assert.deepEqual(missing, [], 'who may see it finds it by every way')
      })
}

/** Whom it was pushed to, as the app's own server is told. */
async function told({ secret }: Scene, { blind, before, fields }: Reason) {
  const isOfIt = ({ event }: { event: { message?: { id: string } } }) => event.message?.id === secret
  await listener.hears('message.new')
  const of = listener.of('message.new').filter(isOfIt)
  // Before anything became of it, it was pushed to all who could see it then.
  if (!before && !fields) return
  for (const { event } of of)
    assert.deepEqual(
      event.push_recipients.filter((id: Name) => blind.includes(id)),
      [],
    )
}

describe('what is not for somebody', () => {
  // PostgreSQL is asked the same in another dialect, and what two nodes differ in are events.
  let storages = 0
  onEveryStorage((stage) => {
    storages += 1
    tellMatrix(stage, storages === 1 ? (Object.keys(placements) as Placement[]) : ['in a thread'])
  }, outside)
  onTwoNodes((stage) => tellMatrix(stage, ['in the channel'], ['state of the channel', 'sync']), outside)
})
