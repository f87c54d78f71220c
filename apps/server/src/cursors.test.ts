/**
 * Every list with a `next` is walked page by page, there and back, while rows are added, changed and deleted: rows that
 * stay as they are come exactly once, in order. A seed that once failed stays in the list.
 */
import assert from 'node:assert/strict'
import type { SortOption } from '@parley/protocol/filters'
import type { TSchema } from 'typebox'
import { it } from 'vitest'
import { endpoints } from './operations.ts'
import { Chance } from './testing/chance.ts'
import { onEveryStorage, type TestApp } from './testing/fixture.ts'
import { fieldsIn } from './testing/schema-fields.ts'
import { type AppServer, path, type TestUser } from './testing/test-user.ts'

const ROWS = 13
const PAGE = 3
/** More than there can be; a walk of more pages goes in circles. */
const PAGES_MAX = 40
const seeds = [11, Math.floor(Math.random() * 1_000_000_000)]

/** Few values, so that many rows are equal; none of some fields is the lack of it. */
const hats = [undefined, 1, 2.5, -3, 'a', 'B', 'é', true]

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape.
type Answer = any

interface Page {
  keys: string[]
  next?: string
  prev?: string
}

interface List {
  who: TestUser | AppServer
  method?: 'GET' | 'POST'
  at: string
  /** Asked with every page. */
  fixed?: object
  /** What else it can be asked for: a cursor of one is none of the other. */
  otherwise: object
  /** Empty for the default sort. */
  sorts?: SortOption[][]
  /** Greatest page. */
  most?: number
  /** What its answers call the cursors; both are given as `next` where one name alone is known. */
  names?: { prev?: string; asks?: string }
  page?: (answer: Answer) => Answer
  keys: (answer: Answer) => string[]
  add: () => Promise<string>
  /** Changes what the row is sorted by. */
  change?: (key: string) => Promise<unknown>
  remove?: (key: string) => Promise<unknown>
}

type World = TestApp<'ada' | 'bo' | 'cy'> & { chance: Chance; room: string }

const by = (field: string, direction?: 1 | -1, type?: SortOption['type']): SortOption => ({
  field,
  ...(direction && { direction }),
  ...(type && { type }),
})

const V2 = '/api/v2/moderation'

/** Lists by the name of their endpoint. */
const lists: Record<string, (world: World) => Promise<List> | List> = {
  QueryThreads: ({ ada, bo, room, chance }) => ({
    who: ada,
    at: '/threads',
    fixed: { reply_limit: 1, participant_limit: 1 },
    otherwise: { filter: { channel_cid: room } },
    most: 25,
    sorts: [[], [by('reply_count', -1)], [by('hat'), by('last_message_at', -1)], [by('hat', -1, 'string')]],
    keys: ({ threads }) => threads.map((thread: Answer) => thread.parent_message_id),
    async add() {
      const { id } = await ada.sends(room, 'What do you say?')
      for (let i = chance.below(2); i >= 0; i--) await bo.sends(room, 'Tea', { parent_id: id })
      if (chance.next() < 0.3) await ada.reads(room, { thread_id: id })
      await ada.does('PATCH', `/threads/${id}`, { body: { set: { hat: chance.oneOf(hats) ?? 'none' } } })
      return id
    },
    change: (id) => bo.sends(room, 'More tea', { parent_id: id }),
    remove: (id) => ada.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } }),
  }),
  QueryPolls: ({ ada, chance }) => {
    const fields = () => ({ name: chance.oneOf(['Tea?', 'tea?', 'Cake?']), hat: chance.oneOf(hats) })
    return {
      who: ada,
      at: '/polls/query',
      otherwise: { filter: { is_closed: false } },
      sorts: [[], [by('name', -1)], [by('hat')], [by('max_votes_allowed', -1), by('hat', -1, 'number')]],
      keys: ({ polls }) => polls.map(({ id }: Answer) => id),
      async add() {
        const votes = chance.next() < 0.5 ? {} : { enforce_unique_vote: false, max_votes_allowed: 2 + chance.below(2) }
        const { poll } = await ada.does('POST', '/polls', {
          body: { ...fields(), ...votes, options: [{ text: 'Yes' }, { text: 'No' }, { text: 'Later' }] },
        })
        return poll.id
      },
      change: (id) => ada.does('PATCH', `/polls/${id}`, { body: { set: { name: fields().name, hat: 7 } } }),
      remove: (id) => ada.does('DELETE', `/polls/${id}`),
    }
  },
  QueryPollVotes: async ({ ada, bo, cy, room, chance }) => {
    const options = Array.from({ length: 90 }, (_, i) => ({ text: `No. ${i}` }))
    const { poll } = await ada.does('POST', '/polls', { body: { name: 'Which?', allow_answers: true, options } })
    const { id } = await ada.sends(room, 'Vote!', { poll_id: poll.id })
    const answering = [ada, bo, cy]
    return {
      who: ada,
      at: `/polls/${poll.id}/votes`,
      otherwise: { filter: { user_id: 'bo' } },
      sorts: [[], [by('user_id')], [by('option_id', -1)], [by('option_id'), by('id', -1)]],
      keys: ({ votes }) => votes.map((vote: Answer) => vote.id),
      async add() {
        const answerer = answering.pop()
        const vote = answerer ? { answer_text: 'None' } : { option_id: poll.options.pop().id }
        const voter = answerer ?? chance.oneOf([ada, bo, cy])
        return (await voter.does('POST', `/messages/${id}/polls/${poll.id}/vote`, { body: { vote } })).vote.id
      },
      async remove(voteId) {
        for (const voter of [ada, bo, cy]) {
          const { status } = await voter.call('DELETE', `/messages/${id}/polls/${poll.id}/vote/${voteId}`)
          if (status === 200) return
        }
        assert.fail(`nobody could remove ${voteId}`)
      },
    }
  },
  QueryReviewQueue: ({ ada, bo, cy, appServer, room, chance }) => ({
    who: appServer,
    at: `${V2}/review_queue`,
    fixed: { filter: { reviewed: false } },
    otherwise: { filter: { reviewed: true } },
    sorts: [
      [],
      [by('flags_count', -1)],
      [by('hat', -1), by('severity')],
      [by('latest_moderator_action'), by('id', -1)],
    ],
    keys: ({ items }) => items.map(({ entity_id }: Answer) => entity_id),
    async add() {
      const { id } = await bo.sends(room, 'Tea!', { hat: chance.oneOf(hats) })
      await ada.does('POST', '/moderation/flag', { body: { target_message_id: id } })
      if (chance.next() < 0.4) await cy.does('POST', '/moderation/flag', { body: { target_message_id: id } })
      return id
    },
    // Refused where Cy has flagged it already.
    change: (id) => cy.call('POST', '/moderation/flag', { body: { target_message_id: id } }),
    remove: async (id) => {
      const { items } = await appServer.does('POST', `${V2}/review_queue`, { body: { filter: { entity_id: id } } })
      const body = { action_type: 'mark_reviewed', item_id: items[0].id, user_id: 'ada' }
      await appServer.does('POST', `${V2}/submit_action`, { body })
    },
  }),
  QueryModerationFlags: ({ ada, bo, appServer, room, chance }) => ({
    who: appServer,
    at: `${V2}/flags`,
    otherwise: { filter: { user_id: 'ada' } },
    sorts: [[], [by('reason')], [by('reason', -1), by('entity_id')], [by('user_id')]],
    keys: ({ flags }) => flags.map(({ entity_id }: Answer) => entity_id),
    async add() {
      const { id } = await bo.sends(room, 'Tea!')
      const reason = chance.oneOf([undefined, 'spam', 'Spam', 'insult'])
      await ada.does('POST', '/moderation/flag', { body: { target_message_id: id, reason } })
      return id
    },
    remove: (id) => ada.does('POST', '/moderation/unflag', { body: { target_message_id: id } }),
  }),
  QueryModerationLogs: ({ ada, bo, appServer, room, chance }) => ({
    who: appServer,
    at: `${V2}/logs`,
    otherwise: { filter: { user_id: 'ada' } },
    sorts: [[], [by('type')], [by('user_id', -1), by('created_at')]],
    keys: ({ logs }) => logs.map(({ id }: Answer) => id),
    async add() {
      const { id } = await bo.sends(room, 'Tea!')
      await ada.does('POST', '/moderation/flag', { body: { target_message_id: id } })
      const { items } = await appServer.does('POST', `${V2}/review_queue`, { body: { filter: { entity_id: id } } })
      const action_type = chance.oneOf(['mark_reviewed', 'escalate'])
      const body = { action_type, item_id: items[0].id, user_id: chance.oneOf(['ada', 'cy']) }
      await appServer.does('POST', `${V2}/submit_action`, { body })
      const { logs } = await appServer.does('POST', `${V2}/logs`, { body: { filter: { item_id: items[0].id } } })
      return logs[0].id
    },
  }),
  QueryModerationConfigs: ({ appServer }) => {
    let made = 0
    return {
      who: appServer,
      at: `${V2}/configs`,
      otherwise: { filter: { key: 'config-1' } },
      sorts: [[], [by('key', -1)], [by('updated_at')], [by('team'), by('created_at')]],
      keys: ({ configs }) => configs.map(({ key }: Answer) => key),
      async add() {
        const key = `config-${++made}`
        await appServer.does('POST', `${V2}/config`, { body: { key } })
        return key
      },
      change: (key) => appServer.does('POST', `${V2}/config`, { body: { key, async: true } }),
      remove: (key) => appServer.does('DELETE', `${V2}/config/${key}`),
    }
  },
  QueryDrafts: ({ ada, appServer, room, chance }) => {
    const draft = (key: string) => {
      const [cid, parent_id] = key.split(' ')
      return { at: `${path(cid!)}/draft`, query: parent_id ? { parent_id } : {}, message: { text: 'Later', parent_id } }
    }
    const save = async (key: string) => {
      const { at, message } = draft(key)
      await ada.does('POST', at, { body: { message } })
      return key
    }
    return {
      who: ada,
      at: '/drafts/query',
      otherwise: { filter: { channel_cid: room } },
      sorts: [[], [by('channel_cid')], [by('parent_id', -1)], [by('parent_id'), by('created_at', -1)]],
      keys: ({ drafts }) =>
        drafts.map(({ channel_cid, parent_id }: Answer) => (parent_id ? `${channel_cid} ${parent_id}` : channel_cid)),
      async add() {
        if (chance.next() < 0.4) return save(await appServer.opens([ada]))
        return save(`${room} ${(await ada.sends(room, 'What do you say?')).id}`)
      },
      change: save,
      remove: (key) => ada.does('DELETE', draft(key).at, { query: draft(key).query }),
    }
  },
  QueryReminders: async ({ ada, appServer, room, chance }) => {
    await appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
    const time = () => chance.oneOf([undefined, '2091-01-02T00:00:00Z', '2091-01-03T00:00:00Z', '2092-01-01T00:00:00Z'])
    return {
      who: ada,
      at: '/reminders/query',
      otherwise: { filter: { channel_cid: room } },
      sorts: [[], [by('remind_at', -1)], [by('channel_cid'), by('remind_at')], [by('updated_at', -1)]],
      keys: ({ reminders }) => reminders.map(({ message_id }: Answer) => message_id),
      async add() {
        const { id } = await ada.sends(room, 'Tea')
        await ada.does('POST', `/messages/${id}/reminders`, { body: { remind_at: time() } })
        return id
      },
      change: (id) => ada.does('PATCH', `/messages/${id}/reminders`, { body: { remind_at: time() ?? null } }),
      remove: (id) => ada.does('DELETE', `/messages/${id}/reminders`),
    }
  },
  QuerySegments: ({ appServer, chance }) => {
    const name = () => chance.oneOf(['Students', 'students', 'Étudiants'])
    return {
      who: appServer,
      at: '/segments/query',
      fixed: { filter: {}, sort: [] },
      otherwise: { filter: { type: 'user' }, sort: [] },
      sorts: [[], [by('name')], [by('deleted_at'), by('name', -1)], [by('all_users', -1), by('updated_at')]],
      keys: ({ segments }) => segments.map(({ id }: Answer) => id),
      async add() {
        const all_users = chance.next() < 0.5
        const { segment } = await appServer.does('POST', '/segments', {
          body: { type: 'user', name: name(), all_users },
        })
        return segment.id
      },
      change: (id) => appServer.does('PUT', `/segments/${id}`, { body: { name: name() } }),
      remove: (id) => appServer.does('DELETE', `/segments/${id}`),
    }
  },
  QuerySegmentTargets: async ({ appServer }) => {
    await appServer.does('POST', '/segments', { body: { id: 's', type: 'user', name: 'Those' } })
    const users = Array.from({ length: 99 }, (_, i) => `user-${(i * 37) % 99}`)
    await appServer.createUsers(...users)
    const put = (target_ids: string[]) => appServer.does('POST', '/segments/s/addtargets', { body: { target_ids } })
    return {
      who: appServer,
      at: '/segments/s/targets/query',
      otherwise: { filter: { target_id: { $gt: 'user-0' } } },
      sorts: [[], [by('created_at', -1)], [by('target_id', -1)]],
      keys: ({ targets }) => targets.map(({ target_id }: Answer) => target_id),
      async add() {
        const id = users.pop()!
        await put([id])
        return id
      },
      remove: (id) => appServer.does('POST', '/segments/s/deletetargets', { body: { target_ids: [id] } }),
    }
  },
  QueryCampaigns: ({ appServer, chance }) => {
    const fields = () => ({ name: chance.oneOf(['Hello', 'hello', 'Bye']), description: 'To all' })
    return {
      who: appServer,
      at: '/campaigns/query',
      fixed: { filter: {}, sort: [] },
      otherwise: { filter: { sender_id: 'ada' }, sort: [] },
      sorts: [[], [by('name')], [by('scheduled_for', -1), by('name', -1)], [by('updated_at', -1)]],
      keys: ({ campaigns }) => campaigns.map(({ id }: Answer) => id),
      async add() {
        const body = { sender_id: 'ada', message_template: { text: 'Hello' }, user_ids: ['bo'], ...fields() }
        return (await appServer.does('POST', '/campaigns', { body: { ...body, ...toEach } })).campaign.id
      },
      change: (id) => appServer.does('PUT', `/campaigns/${id}`, { body: { sender_id: 'ada', ...fields(), ...toEach } }),
      remove: (id) => appServer.does('DELETE', `/campaigns/${id}`),
    }
  },
  GetCampaign: async ({ appServer }) => {
    const users = Array.from({ length: 99 }, (_, i) => `user-${(i * 37) % 99}`)
    await appServer.createUsers(...users)
    const body = { id: 'c', sender_id: 'ada', message_template: { text: 'Hello' }, user_ids: ['bo'], ...toEach }
    await appServer.does('POST', '/campaigns', { body })
    await appServer.does('POST', '/campaigns', { body: { ...body, id: 'other' } })
    const now = new Set(['bo'])
    const put = () =>
      appServer.does('PUT', '/campaigns/c', { body: { sender_id: 'ada', user_ids: [...now], ...toEach } })
    return {
      who: appServer,
      method: 'GET',
      at: '/campaigns/c',
      otherwise: { at: '/campaigns/other' },
      page: ({ users }) => users,
      keys: ({ campaign }) => campaign.users.map(({ id }: Answer) => id),
      async add() {
        const id = users.pop()!
        now.add(id)
        await put()
        return id
      },
      async remove(id) {
        now.delete(id)
        await put()
      },
    }
  },
  QueryReactions: async ({ ada, bo, cy, room, chance }) => {
    const { id } = await ada.sends(room, 'Tea')
    let made = 0
    const users = { ada, bo, cy }
    const react = (user: TestUser, type: string) => {
      const reaction = { type, score: 1 + chance.below(3), hat: chance.oneOf(hats) }
      return user.does('POST', `/messages/${id}/reaction`, { body: { reaction } })
    }
    const reacted = (key: string) => {
      const [user, type] = key.split(' ') as [keyof typeof users, string]
      return { user: users[user], type }
    }
    return {
      who: ada,
      at: `/messages/${id}/reactions`,
      otherwise: { filter: { user_id: 'bo' } },
      sorts: [[], [by('score', -1)], [by('hat')], [by('hat', -1, 'boolean'), by('type')], [by('hat', 1, 'string')]],
      keys: ({ reactions }) => reactions.map(({ user_id, type }: Answer) => `${user_id} ${type}`),
      async add() {
        const user = chance.oneOf([ada, bo, cy])
        const type = `${chance.oneOf(['love', 'Love'])}-${++made}`
        await react(user, type)
        return `${user.id} ${type}`
      },
      change: (key) => react(reacted(key).user, reacted(key).type),
      remove: (key) => reacted(key).user.does('DELETE', `/messages/${id}/reaction/${reacted(key).type}`),
    }
  },
  QueryMessageHistory: async ({ ada, bo, appServer, room, chance }) => {
    const said = [await ada.sends(room, 'Tea'), await bo.sends(room, 'Cake')]
    const query = { filter: { created_at: { $gt: '2000-01-01T00:00:00Z' } } }
    const keys = ({ message_history }: Answer): string[] =>
      message_history.map((version: Answer) => `${version.message_id} ${version.message_updated_at}`)
    let edits = 0
    return {
      who: appServer,
      at: '/messages/history',
      fixed: query,
      otherwise: { filter: { message_id: said[0]!.id } },
      sorts: [[], [by('user_id')], [by('message_id', -1), by('created_at')]],
      keys,
      async add() {
        const { id } = chance.oneOf(said)
        const body = { set: { text: `Tea ${++edits}` }, user_id: chance.oneOf(['ada', 'bo', 'cy']) }
        await appServer.does('PUT', `/messages/${id}`, { body })
        const newest = { filter: { message_id: id }, sort: [by('created_at', -1)], limit: 1 }
        return keys(await appServer.does('POST', '/messages/history', { body: newest }))[0]!
      },
    }
  },
  Search: ({ ada, bo, room, chance }) => ({
    who: ada,
    method: 'GET',
    at: '/search',
    fixed: { filter_conditions: { cid: room }, query: 'green tea' },
    otherwise: { filter_conditions: { cid: room }, query: 'green' },
    most: 100,
    names: { prev: 'previous', asks: 'next' },
    sorts: [[], [by('created_at')], [by('hat', -1)], [by('text'), by('reply_count', -1)], [by('relevance', 1)]],
    keys: ({ results }) => results.map(({ message }: Answer) => message.id),
    async add() {
      const text = chance.oneOf(['green tea', 'tea, green', `green tea ${'and so on '.repeat(40)}`])
      return (await bo.sends(room, text, { hat: chance.oneOf(hats) })).id
    },
    change: (id) => bo.does('PUT', `/messages/${id}`, { body: { set: { text: 'green, tea', hat: 7 } } }),
    remove: (id) => bo.does('DELETE', `/messages/${id}`),
  }),
  QueryTeamUsageStats: ({ appServer }) => {
    let made = 0
    return {
      who: appServer,
      at: '/stats/team_usage',
      otherwise: { month: '2001-01' },
      most: 30,
      names: {},
      keys: ({ teams }) => teams.map(({ team }: Answer) => team),
      async add() {
        const team = `team-${(++made * 37) % 99}`
        await appServer.does('PATCH', '/users', { body: { users: [{ id: 'cy', set: { teams: [team] } }] } })
        const room = await appServer.opens([appServer.user('cy')], { team })
        await appServer.user('cy').sends(room, 'Tea')
        return team
      },
    }
  },
}
const toEach = { create_channels: true, channel_template: { type: 'messaging', id: '{{ receiver.id }}-c' } }

/** Endpoints that are another one as well, given its request. */
const sameAs = new Map([
  ['CreateCampaign', 'QueryCampaigns'],
  ['ListCampaigns', 'QueryCampaigns'],
  ['ListSegments', 'QuerySegments'],
])

it('every endpoint that takes or gives a cursor is a list of this test', () => {
  const taking = endpoints.filter(({ body, query, payload }) => [body, query, payload].some(namesCursor))
  assert.deepEqual(new Set(taking.map(({ name }) => sameAs.get(name) ?? name)), new Set(Object.keys(lists)))
  // Others give the cursors of one of these, with the same answer.
  const answers = new Set(taking.map(({ answer }) => answer))
  const giving = endpoints.filter(({ answer }) => namesCursor(answer) && !answers.has(answer))
  assert.deepEqual(giving, [])
})

function namesCursor(schema: TSchema | undefined): boolean {
  if (!schema) return false
  return [...fieldsIn('', schema)].some(
    ({ path }) => path.length <= 2 && (path.at(-1) === 'next' || path.at(-1) === 'prev'),
  )
}

onEveryStorage((fixture) => {
  const worldOf = async (seed: number): Promise<World> => {
    const app = await fixture.createApp('ada', 'bo', 'cy')
    const room = await app.appServer.opens([app.ada, app.bo, app.cy])
    return { ...app, room, chance: new Chance(seed) }
  }

  for (const seed of seeds)
    it.each(Object.entries(lists))(
      `[LIM-9] %s gives every row that stays once, there and back (seed ${seed})`,
      async (_, listIn) => {
        const world = await worldOf(seed)
        const list = await listIn(world)
        const all = new Set<string>()
        for (const sort of list.sorts ?? [[]]) {
          while (all.size < ROWS) all.add(await list.add())
          const { keys } = await pageOf(list, { sort, limit: list.most ?? 100 })
          const staying = new Set(keys.filter(() => world.chance.next() < 0.5))
          const expected = keys.filter((key) => staying.has(key))
          const disturb = () => disturbed(list, world.chance, all, staying)

          const walked: Page[] = []
          let page = await pageOf(list, { sort, limit: PAGE })
          walked.push(page)
          while (page.next !== undefined && walked.length < PAGES_MAX) {
            await disturb()
            page = await pageOf(list, { sort, limit: PAGE, next: page.next })
            walked.push(page)
          }
          assert.deepEqual(seen(walked, staying), expected, `forward by ${JSON.stringify(sort)}`)

          if (list.names && !list.names.prev) continue
          const back = [page]
          while (page.prev !== undefined && back.length < PAGES_MAX) {
            await disturb()
            page = await pageOf(list, { sort, limit: PAGE, prev: page.prev })
            back.unshift(page)
          }
          assert.deepEqual(seen(back, staying), expected, `back by ${JSON.stringify(sort)}`)
        }
      },
    )

  it.each(Object.entries(lists))('[LIM-9] %s refuses a cursor that is none of its own', async (name, listIn) => {
    const list = await listIn(await worldOf(1))
    for (let i = 0; i < 3; i++) await list.add()
    const { next } = await pageOf(list, { limit: 1 })
    assert.ok(next, name)
    const refuses = async (cursor: string, other: object = {}) => {
      for (const field of list.names ? ['next'] : ['next', 'prev']) {
        const { exception_fields } = await list.who.isRefused(
          4,
          ...callOf(list, { limit: 1, [field]: cursor, ...other }),
        )
        assert.deepEqual(Object.keys(exception_fields), [field], `${name} ${cursor}`)
      }
    }
    const foreign = await (name === 'QueryPolls' ? lists.QuerySegments! : lists.QueryPolls!)(await worldOf(1))
    for (let i = 0; i < 2; i++) await foreign.add()
    await refuses((await pageOf(foreign, { limit: 1 })).next!)
    for (const none of [
      'tea',
      Buffer.from('from 1').toString('base64url'),
      `${next}A`,
      next.slice(1),
      next.slice(0, -2),
    ])
      await refuses(none)
    await refuses(next, list.otherwise)
    const [, sort] = list.sorts ?? []
    if (sort) await refuses(next, { sort })
    const elsewhere = await listIn(await worldOf(1))
    for (let i = 0; i < 2; i++) await elsewhere.add()
    await elsewhere.who.isRefused(4, ...callOf(elsewhere, { limit: 1, next }))
  })
})

function seen(pages: readonly Page[], staying: ReadonlySet<string>): string[] {
  return pages.flatMap(({ keys }) => keys).filter((key) => staying.has(key))
}

/** A few rows come, change and go; not those that stay. */
async function disturbed(list: List, chance: Chance, all: Set<string>, staying: ReadonlySet<string>) {
  for (let i = 0; i < 2; i++) {
    const others = [...all].filter((key) => !staying.has(key))
    const key = others.length > 0 ? chance.oneOf(others) : undefined
    const dice = chance.next()
    if (dice < 0.35 || key === undefined) all.add(await list.add())
    else if (dice < 0.6 && list.change) await list.change(key)
    else if (list.remove) {
      await list.remove(key)
      all.delete(key)
    }
  }
}

interface Asked {
  limit: number
  sort?: SortOption[]
  next?: string
  prev?: string
  /** Another place of the same list. */
  at?: string
}

async function pageOf(list: List, asked: Asked): Promise<Page> {
  const answer = await list.who.does(...callOf(list, asked))
  const { next, [list.names?.prev ?? 'prev']: prev } = (list.page ?? ((same: Answer) => same))(answer)
  return { keys: list.keys(answer), next, prev }
}

function callOf(list: List, { at = list.at, prev, ...asked }: Asked): [method: string, at: string, options: object] {
  const body: Record<string, unknown> = { ...list.fixed, ...asked }
  if (asked.sort?.length === 0 && !(list.fixed && 'sort' in list.fixed)) delete body.sort
  if (prev !== undefined) body[list.names?.asks ?? 'prev'] = prev
  if (list.method !== 'GET') return ['POST', at, { body }]
  if (list.at === '/search') return ['GET', at, { query: { payload: JSON.stringify(body) } }]
  return ['GET', at, { query: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])) }]
}
