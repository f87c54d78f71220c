/**
 * Privilege escalation: sends every field that gives rights, in every call that accepts it, as every kind of caller. A
 * right that is refused, or that no call accepts, is not there afterwards.
 * @see administration.md 3, messaging.md 4.2, 4.7, 4.9
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'vitest'
import { type Fixture, onEveryStorage } from './testing/fixture.ts'
import { type AppServer, path, type TestUser } from './testing/test-user.ts'

const everybody = [
  ...['server', 'admin', 'moderator', 'owner', 'member', 'channelModerator', 'invited', 'banned', 'guestMember'],
  ...['stranger', 'guest', 'anonymous'],
] as const
type Who = (typeof everybody)[number]

/** A custom role with every permission in a channel. */
const RULER = 'ruler'

/** The channel types: one with the defaults, and one in which creating a channel does not give its owner all rights. */
const types = ['messaging', 'office'] as const
type Type = (typeof types)[number]

const server: readonly Who[] = ['server']
const nobody: readonly Who[] = []
const users: readonly Who[] = ['owner', 'member', 'channelModerator', 'invited', 'banned', 'stranger']
/** Callers who may change the members of a room, and so promote moderators [administration.md 3.5]. */
const masters: Record<Type, readonly Who[]> = {
  messaging: ['server', 'admin', 'moderator', 'owner', 'channelModerator'],
  office: ['server', 'admin', 'moderator', 'channelModerator'],
}
/** Callers who may create a channel, and may change the members of their own channel. */
const makers: Record<Type, readonly Who[]> = {
  messaging: ['server', 'admin', 'moderator', ...users],
  office: ['server', 'admin', 'moderator'],
}

interface Scene {
  type: Type
  cid: string
  /** The cid of this caller's new channel. */
  fresh: string
  /** The caller, or the user the server acts for. */
  self: string
  /** The user to receive a right, not yet a member. */
  newcomer: string
}

interface Deed {
  /** The callers who may give the right the call names; for all others nothing changes. */
  may: (type: Type) => readonly Who[]
  ask: [method: string, at: (scene: Scene) => string, body: (scene: Scene) => object]
  /** The user and channel whose role is checked; the newcomer and the room by default. */
  gives?: (scene: Scene) => { cid?: string; user: string; role: string }
  /** The call itself succeeds, and the field is ignored. */
  ignored?: true
}

const room: Deed['ask'][1] = ({ cid }) => path(cid)
const fresh: Deed['ask'][1] = ({ type, fresh }) => `/channels/${type}/${fresh}/query`
const distinct: Deed['ask'][1] = ({ type }) => `/channels/${type}/query`
const asMaker = ({ self }: Scene) => ({ created_by_id: self })
const made = ({ type, fresh, newcomer }: Scene) => ({ cid: `${type}:${fresh}`, user: newcomer })

/** The ways to name a user with a role, by the role. */
function namings(role: string, { newcomer }: Scene): Record<string, object> {
  return {
    'by id': { user_id: newcomer, channel_role: role },
    'by user': { user: { id: newcomer }, channel_role: role },
  }
}

function deeds(role: 'channel_moderator' | typeof RULER): Record<string, Deed> {
  const isModerator = role === 'channel_moderator'
  const inRoom = (type: Type) => (isModerator ? masters[type] : server)
  const asMaking = (type: Type) => (isModerator ? makers[type] : server)
  const found: Record<string, Deed> = {}
  for (const naming of ['by id', 'by user']) {
    const one = (scene: Scene) => namings(role, scene)[naming]!
    for (const field of ['members', 'invites'])
      found[`make a channel, ${field} ${naming}`] = {
        may: asMaking,
        ask: ['POST', fresh, (scene) => ({ data: { ...asMaker(scene), [field]: [one(scene)] } })],
        gives: (scene) => ({ ...made(scene), role }),
      }
    for (const field of ['add_members', 'invites'])
      found[`${field} ${naming}`] = { may: inRoom, ask: ['POST', room, (scene) => ({ [field]: [one(scene)] })] }
    found[`data.invites ${naming}`] = {
      may: inRoom,
      ask: ['POST', room, (scene) => ({ data: { name: 'Room', invites: [one(scene)] } })],
    }
    found[`set.invites ${naming}`] = {
      may: inRoom,
      ask: ['PATCH', room, (scene) => ({ set: { invites: [one(scene)] } })],
    }
  }
  found['make a channel for oneself'] = {
    may: asMaking,
    ask: [
      'POST',
      fresh,
      (scene) => ({ data: { ...asMaker(scene), members: [{ user_id: scene.self, channel_role: role }] } }),
    ],
    gives: (scene) => ({ ...made(scene), user: scene.self, role }),
  }
  found['make a channel of its members'] = {
    may: asMaking,
    ask: [
      'POST',
      distinct,
      (scene) => ({
        data: { ...asMaker(scene), members: [scene.self, { user_id: scene.newcomer, channel_role: role }] },
      }),
    ],
    gives: ({ newcomer }) => ({ cid: 'distinct', user: newcomer, role }),
  }
  found['add_members oneself'] = {
    may: (type) => inRoom(type).filter((who) => who === 'admin' || who === 'moderator'),
    ask: ['POST', room, ({ self }) => ({ add_members: [{ user_id: self, channel_role: role }] })],
    gives: ({ self }) => ({ user: self, role }),
    // An existing member does not change.
    ignored: true,
  }
  found.assign_roles = {
    may: () => server,
    ask: ['POST', room, () => ({ assign_roles: [{ user_id: 'author', channel_role: role }] })],
    gives: () => ({ user: 'author', role }),
  }
  found['assign_roles oneself'] = {
    may: () => nobody,
    ask: ['POST', room, () => ({ assign_roles: [{ user_id: 'nobody', channel_role: role }] })],
  }
  found['assign_roles to a newcomer'] = {
    may: () => server,
    ask: [
      'POST',
      room,
      ({ newcomer }) => ({ add_members: [newcomer], assign_roles: [{ user_id: newcomer, channel_role: role }] }),
    ],
  }
  for (const own of [false, true])
    found[`set.channel_role${own ? ' of oneself' : ''}`] = {
      may: () => server,
      ask: [
        'PATCH',
        (scene) => `${room(scene)}/member/${own ? scene.self : 'author'}`,
        () => ({ set: { channel_role: role } }),
      ],
      gives: () => ({ user: 'author', role }),
    }
  if (isModerator) {
    found.add_moderators = { may: inRoom, ask: ['POST', room, ({ newcomer }) => ({ add_moderators: [newcomer] })] }
    found['add_moderators of a member'] = {
      may: inRoom,
      ask: ['POST', room, () => ({ add_moderators: ['author'] })],
      gives: () => ({ user: 'author', role }),
    }
    found.demote_moderators = {
      may: inRoom,
      ask: ['POST', room, () => ({ demote_moderators: ['other'] })],
      gives: () => ({ user: 'other', role: 'channel_member' }),
    }
  }
  return found
}

/** Member, user and channel flags that no client can set. */
const marks = {
  role: 'owner',
  is_moderator: true,
  status: 'accepted',
  invited: false,
  banned: false,
  shadow_banned: false,
  own_capabilities: ['delete-channel'],
  permissions: ['update-message'],
  grants: { channel_member: ['update-message'] },
}
const rank = { role: RULER, teams: ['red'], teams_role: { red: 'admin' } }

const ignoredMarks: Record<string, Deed> = {
  'marks of a member that is added': {
    may: () => nobody,
    ask: ['POST', room, ({ newcomer }) => ({ add_members: [{ user_id: newcomer, ...marks }] })],
  },
  'a rank of a user that is added': {
    may: () => nobody,
    ask: ['POST', room, ({ newcomer }) => ({ add_members: [{ user: { id: newcomer, ...rank } }] })],
  },
  'marks of oneself': {
    may: () => nobody,
    ask: ['PATCH', (scene) => `${room(scene)}/member`, () => ({ set: marks })],
  },
  'marks of somebody else': {
    may: () => nobody,
    ask: ['PATCH', (scene) => `${room(scene)}/member/author`, () => ({ set: marks })],
  },
  'an owner': {
    may: () => nobody,
    ask: ['POST', room, ({ self }) => ({ data: { created_by_id: self, created_by: { id: self, ...rank } } })],
  },
  'an owner, by a partial update': {
    may: () => nobody,
    ask: ['PATCH', room, ({ self }) => ({ set: { created_by_id: self, own_capabilities: ['delete-channel'] } })],
  },
  'on behalf of the owner': {
    may: () => nobody,
    ask: ['POST', room, ({ self }) => ({ user_id: 'owner', user: { id: 'owner' }, add_moderators: ['nobody', self] })],
  },
}

const overrides = { grants: { channel_member: ['update-message', 'delete-message'], user: ['read-channel'] } }
const forTheServer: Record<string, Deed> = {
  'grants of a channel': {
    may: () => server,
    ask: ['POST', room, () => ({ data: { config_overrides: overrides } })],
    gives: () => ({ user: '#grants', role: JSON.stringify(overrides.grants) }),
  },
  'grants of a channel, by a partial update': {
    may: () => server,
    ask: ['PATCH', room, () => ({ set: { config_overrides: overrides } })],
    gives: () => ({ user: '#grants', role: JSON.stringify(overrides.grants) }),
  },
  'grants within, by a partial update': {
    may: () => server,
    ask: ['PATCH', room, () => ({ set: { 'config_overrides.grants': overrides.grants } })],
    gives: () => ({ user: '#grants', role: JSON.stringify(overrides.grants) }),
  },
  'grants of a channel that is made': {
    may: () => server,
    ask: ['POST', fresh, (scene) => ({ data: { ...asMaker(scene), config_overrides: overrides } })],
    gives: (scene) => ({ ...made(scene), user: '#grants', role: JSON.stringify(overrides.grants) }),
  },
  'grants of a type': {
    may: () => nobody,
    ask: ['PUT', ({ type }) => `/channeltypes/${type}`, () => ({ grants: { nobody: ['create-message'] } })],
  },
  'grants of the app': {
    may: () => nobody,
    ask: ['PATCH', () => '/app', () => ({ grants: { nobody: ['search-user'] } })],
  },
  'a batch of channels': {
    may: () => nobody,
    ask: [
      'PUT',
      () => '/channels/batch',
      ({ cid }) => ({ operation: 'assignRoles', filter: { cids: { $eq: cid } }, members: [{ user_id: 'nobody' }] }),
    ],
  },
  'a line of an import': { may: () => nobody, ask: ['POST', () => '/imports', () => ({ path: 'nowhere.jsonl' })] },
}

const replaced = (id: string, fields: object) => ({ users: { [id]: { id, name: 'Name', ...fields } } })
const patched = (id: string, set: object) => ({ users: [{ id, set }] })
/** User fields that only the app's server sets. */
const ranks: Record<string, Deed> = {}
for (const [field, value] of Object.entries(rank))
  for (const [whom, idOf] of [
    ['oneself', ({ self }: Scene) => self],
    ['somebody else', () => 'author'],
    ['somebody new', ({ newcomer }: Scene) => `new-${newcomer}`],
  ] as const) {
    ranks[`${field} of ${whom}`] = {
      may: () => nobody,
      ask: ['POST', () => '/users', (scene) => replaced(idOf(scene), { [field]: value })],
    }
    if (whom === 'somebody new') continue
    ranks[`${field} of ${whom}, by a partial update`] = {
      may: () => nobody,
      ask: ['PATCH', () => '/users', (scene) => patched(idOf(scene), { [field]: value })],
    }
  }
ranks['a role in a team'] = {
  may: () => nobody,
  ask: ['PATCH', () => '/users', ({ self }) => patched(self, { 'teams_role.red': 'admin' })],
}
ranks['marks of oneself as a user'] = {
  may: () => nobody,
  ask: [
    'POST',
    () => '/users',
    ({ self }) => replaced(self, { banned: false, shadow_banned: false, own_capabilities: ['x'], permissions: ['y'] }),
  ],
  ignored: true,
}

/** Fields only the server sets are not sent by it where they would apply: other tests cover that. */
const unaskedOfServer = new Set(Object.keys({ ...ignoredMarks, ...ranks }))

class Hall {
  readonly appServer: AppServer
  readonly people: Record<string, TestUser>
  #newcomers = 0
  constructor(appServer: AppServer, people: Record<string, TestUser>) {
    this.appServer = appServer
    this.people = people
  }

  static async open(fixture: Fixture): Promise<Hall> {
    const names = [
      'admin',
      'moderator',
      'owner',
      'member',
      'channelModerator',
      'invited',
      'banned',
      'stranger',
    ] as const
    const { appServer, ...people } = await fixture.createApp(...names, 'author', 'other')
    await appServer.does('POST', '/roles', { body: { name: RULER } })
    const { grants } = await appServer.does('GET', '/channeltypes/messaging')
    await appServer.does('POST', '/channeltypes', { body: { name: 'office', polls: true } })
    for (const type of types) {
      const own = type === 'office' && {
        user: grants.user.filter((id: string) => !/^(create-channel|update-channel-members-owner)$/.test(id)),
      }
      await appServer.does('PUT', `/channeltypes/${type}`, { body: { grants: { [RULER]: grants.admin, ...own } } })
    }
    const roles = ['admin', 'moderator'].map((id) => ({ id, set: { role: id } }))
    await appServer.does('PATCH', '/users', { body: { users: roles } })
    const guests: Record<string, TestUser> = {}
    for (const id of ['guest', 'guestMember']) {
      const { user } = await appServer.user('author').does('POST', '/guest', { body: { user: { id } } })
      guests[id] = appServer.user(user.id)
    }
    const anonymous = appServer.user('anonymous')
    anonymous.token = ''
    return new Hall(appServer, { ...people, ...guests, anonymous })
  }

  async room(type: Type): Promise<string> {
    const { appServer, people } = this
    const of = (...names: string[]) => names.map((name) => people[name]!)
    const members = of('owner', 'author', 'member', 'banned', 'guestMember')
    const cid = await appServer.opens(members, { invites: [people.invited!.id] }, type)
    await appServer.does('POST', path(cid), { body: { add_moderators: ['channelModerator', 'other'] } })
    const [, id] = cid.split(':')
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'banned', banned_by_id: 'owner', type, id },
    })
    return cid
  }

  async newcomer(): Promise<string> {
    this.#newcomers += 1
    const id = `newcomer-${this.#newcomers}`
    await this.appServer.createUsers(id)
    return id
  }

  /** Role and membership of every user in a channel, its owner and its grant overrides; null where there is none. */
  async powersIn(cid: string): Promise<Record<string, unknown>> {
    const payload = JSON.stringify({ filter_conditions: { cid }, state: true })
    const { channels } = await this.appServer.does('POST', '/channels', {
      body: { ...JSON.parse(payload), user_id: undefined },
    })
    const [state] = channels
    if (!state) return {}
    const members = state.members.map((member: Record<string, unknown>) => [
      member.user_id,
      [member.channel_role, member.status, member.banned, member.role, member.is_moderator],
    ])
    const { created_by, config_overrides, team } = state.channel
    return {
      ...Object.fromEntries(members),
      '#owner': created_by.id,
      '#team': team,
      '#grants': state.channel.config.grants ?? config_overrides?.grants,
    }
  }

  /** The app-level role of every user. */
  async ranks(): Promise<unknown> {
    const { users } = await this.appServer.does('GET', '/users', {
      query: { payload: JSON.stringify({ filter_conditions: { id: { $in: this.#known() } }, limit: 100 }) },
    })
    return users.map(({ id, role, teams, teams_role, banned }: Record<string, unknown>) => [
      ...[id, role, teams, teams_role, banned],
    ])
  }

  #known(): string[] {
    const own = Object.values(this.people).map(({ id }) => id)
    return [...own, ...Array.from({ length: 20 }, (_, i) => `new-newcomer-${this.#newcomers - i}`)]
  }

  scene(who: Who, type: Type, cid: string, newcomer: string): Scene {
    const self = who === 'server' ? 'author' : this.people[who]!.id
    return { type, cid, fresh: `fresh-${randomUUID()}`, self, newcomer }
  }

  /** @returns the error code, or 0, and the cid of the response */
  async asks(who: Who, { ask: [method, at, body] }: Deed, scene: Scene) {
    const caller = who === 'server' ? this.appServer : this.people[who]!
    const answer = await caller.call(method, at(scene), { body: body(scene) })
    return { code: answer.status < 300 ? 0 : (answer.body.code as number), cid: answer.body.channel?.cid as string }
  }
}

onEveryStorage((fixture) => {
  for (const type of types)
    it(`[PERM-23] [MEM-4] [MEM-6] nobody gives a right that is not theirs to give, in channels of type ${type}`, async () => {
      const hall = await Hall.open(fixture)
      const wrong: string[] = []
      let asked = 0
      const all = {
        ...Object.fromEntries(
          Object.entries(deeds('channel_moderator')).map(([key, deed]) => [`moderator: ${key}`, deed]),
        ),
        ...Object.fromEntries(Object.entries(deeds(RULER)).map(([key, deed]) => [`ruler: ${key}`, deed])),
        ...ignoredMarks,
        ...forTheServer,
        ...(type === 'messaging' && ranks),
      }
      for (const [key, deed] of Object.entries(all)) {
        const may = deed.may(type)
        const cid = await hall.room(type)
        const newcomer = await hall.newcomer()
        const [before, were] = [await hall.powersIn(cid), await hall.ranks()]
        for (const who of everybody) {
          if (may.includes(who) || (who === 'server' && unaskedOfServer.has(key))) continue
          const scene = hall.scene(who, type, cid, newcomer)
          const { code, cid: answered } = await hall.asks(who, deed, scene)
          asked += 1
          const gives = deed.gives?.(scene)
          const isRanked = key in ignoredMarks
          if (code === 0 && !deed.ignored && !isRanked) wrong.push(`${key} by ${who}: let in`)
          // Where a user may create a channel, it does not get a right that the user may not give.
          if (code !== 0 && gives?.cid !== undefined && gives.cid !== 'distinct') {
            const there = await hall.powersIn(gives.cid)
            if (Object.keys(there).length > 0) wrong.push(`${key} by ${who}: a channel was made`)
          }
          if (code === 0 && answered && isRanked) {
            // A caller who may add members did, with default rights only.
            const now = await hall.powersIn(cid)
            const role = now[newcomer] as unknown[] | undefined
            if (role && role[0] !== 'channel_member') wrong.push(`${key} by ${who}: ${JSON.stringify(role)}`)
            if (role) await hall.appServer.does('POST', path(cid), { body: { remove_members: [newcomer] } })
          }
        }
        const [after, are] = [await hall.powersIn(cid), await hall.ranks()]
        const changed = Object.keys({ ...before, ...after }).filter(
          (id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]),
        )
        if (changed.length > 0) wrong.push(`${key}: changed ${changed.map((id) => `${id} ${after[id]}`)}`)
        if (JSON.stringify(are) !== JSON.stringify(were)) wrong.push(`${key}: the ranks changed`)
        for (const who of may) {
          const own = await hall.room(type)
          const scene = hall.scene(who, type, own, await hall.newcomer())
          const { code, cid: answered } = await hall.asks(who, deed, scene)
          asked += 1
          const {
            cid: where = own,
            user,
            role,
          } = deed.gives?.(scene) ?? {
            user: scene.newcomer,
            role: key.startsWith('ruler') ? RULER : 'channel_moderator',
          }
          if (code !== 0) wrong.push(`${key} by ${who}: ${code} in place of success`)
          const powers = await hall.powersIn(where === 'distinct' ? answered : where)
          const got = user === '#grants' ? JSON.stringify(powers[user]) : (powers[user] as unknown[] | undefined)?.[0]
          if (got !== role) wrong.push(`${key} by ${who}: ${user} is ${got} in place of ${role}`)
        }
      }
      console.info(`rights in ${type}: ${asked} cells`)
      assert.deepEqual(wrong, [])
    }, 300_000)

  it('[PERM-23] [AUTH-11] no client connects with a role of its own choice', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    await appServer.does('POST', '/roles', { body: { name: RULER } })
    const own = { ...rank, banned: false, own_capabilities: ['delete-channel'] }
    const ranked = ({ role, teams, teams_role }: Record<string, unknown>) => [role, teams, teams_role]
    assert.deepEqual(ranked((await ada.connects({ details: own })).me), ['user', [], undefined])
    assert.deepEqual(ranked((await appServer.user('new').connects({ details: own })).me), ['user', [], undefined])
    const { user } = await ada.does('POST', '/guest', { body: { user: { id: 'han', ...own } } })
    assert.deepEqual(ranked(user), ['guest', [], undefined])
    const query = { payload: JSON.stringify({ filter_conditions: { id: { $in: ['ada', 'new', user.id] } } }) }
    for (const known of (await appServer.does('GET', '/users', { query })).users)
      assert.deepEqual(ranked(known), [known.id === user.id ? 'guest' : 'user', [], undefined])
  })
})
