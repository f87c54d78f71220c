import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, sign, type TestUser } from '../../testing/test-user.ts'

type Caller = Pick<TestUser, 'does' | 'isRefused'>

const upserts = async (caller: Caller, ...users: { id: string; [field: string]: unknown }[]) =>
  (await caller.does('POST', '/users', { body: { users: Object.fromEntries(users.map((user) => [user.id, user])) } }))
    .users

const patches = async (caller: Caller, id: string, set: object, unset: string[] = []) =>
  (await caller.does('PATCH', '/users', { body: { users: [{ id, set, unset }] } })).users[id]

/** The ids in a user query result, in its order. */
async function finds(caller: Caller, filter: object, options: object = { sort: [{ field: 'id' }] }): Promise<string[]> {
  const payload = JSON.stringify({ filter_conditions: filter, ...options })
  const { users } = await caller.does('GET', '/users', { query: { payload } })
  return users.map((user: { id: string }) => user.id)
}

onEveryStorage((fixture) => {
  it('[USR-1] [USR-4] the app’s server creates users with roles, teams and custom fields', async () => {
    const { appServer } = await fixture.createApp()
    const { status, body } = await appServer.call('POST', '/users', {
      body: { users: { ada: { id: 'ada', name: 'Ada', role: 'admin', teams: ['red'], language: 'en', shoe: 38 } } },
    })
    assert.equal(status, 201)
    const { ada } = body.users
    assert.deepEqual(
      [ada.id, ada.name, ada.role, ada.teams, ada.language, ada.shoe],
      ['ada', 'Ada', 'admin', ['red'], 'en', 38],
    )
    assert.deepEqual([ada.banned, ada.online, ada.invisible, ada.blocked_user_ids], [false, false, false, []])
    assert.equal(ada.created_at, ada.updated_at)
    assert.equal('last_active' in ada, false)
  })

  it('[USR-1] a user has a name, an image and times, and is online while connected', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const revoke_tokens_issued_before = '2001-01-01T00:00:00Z'
    const seen = async (who: Caller) => {
      const payload = JSON.stringify({ filter_conditions: { id: 'ada' } })
      return (await who.does('GET', '/users', { query: { payload } })).users[0]
    }
    const { created_at } = await seen(bo)
    fixture.clock.advance(1_000)
    ada.token = sign(ada.app.secret, { user_id: 'ada', iat: Math.floor(fixture.clock.now() / 1_000) })
    const { updated_at } = await patches(appServer, 'ada', { image: 'a.png', revoke_tokens_issued_before })
    const now = microsOf(new Date(fixture.clock.now()).toISOString())!
    await ada.connects()
    const { last_active, ...user } = await seen(bo)
    assert.deepEqual(
      [user.id, user.name, user.image, user.online, user.created_at, user.updated_at, user.deleted_at],
      ['ada', 'Ada', 'a.png', true, created_at, updated_at, undefined],
    )
    assert.ok(microsOf(updated_at)! > microsOf(created_at)! && microsOf(last_active)! >= now)
    assert.equal((await seen(appServer)).revoke_tokens_issued_before, revoke_tokens_issued_before)
    assert.equal('revoke_tokens_issued_before' in user, false)
    await ada.leaves()
    await eventually(async () => (await seen(bo)).online === false, 'ada is away')
    const gone = await appServer.does('DELETE', '/users/ada')
    assert.ok(gone.user.deleted_at)
  })

  it('[USR-4] an upsert replaces the custom fields, and keeps role, teams, language, privacy and invisible', async () => {
    const { appServer } = await fixture.createApp()
    const privacy_settings = { read_receipts: { enabled: false } }
    const kept = { role: 'moderator', teams: ['red'], teams_role: { red: 'admin' }, language: 'de', invisible: true }
    await upserts(appServer, { id: 'ada', name: 'Ada', image: 'a.png', shoe: 38, privacy_settings, ...kept })
    fixture.clock.advance(10)
    const { ada } = await upserts(appServer, { id: 'ada', hat: 'green' })
    assert.deepEqual([ada.name, ada.image, ada.shoe, ada.hat], [undefined, undefined, undefined, 'green'])
    assert.deepEqual(
      [ada.role, ada.teams, ada.teams_role, ada.language, ada.invisible, ada.privacy_settings],
      ['moderator', ['red'], { red: 'admin' }, 'de', true, privacy_settings],
    )
    assert.ok(microsOf(ada.updated_at)! > microsOf(ada.created_at)!)
  })

  it('server-only user fields are ignored when a client sends them', async () => {
    const { appServer } = await fixture.createApp()
    const wish = { online: true, banned: true, created_at: '2001-01-01T00:00:00Z', unread_count: 7, devices: [{}] }
    const { ada } = await upserts(appServer, { id: 'ada', ...wish })
    assert.deepEqual([ada.online, ada.banned, ada.unread_count, ada.devices], [false, false, 0, []])
    assert.notEqual(ada.created_at, wish.created_at)
  })

  it('[USR-1] a user’s private fields sent back by the client are not stored as public ones', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.does('POST', `${path(room)}/hide`, { body: {} })
    await ada.does('POST', '/push_preferences', { body: { preferences: [{ chat_level: 'none' }] } })
    const { me } = await ada.connects()
    assert.deepEqual([me.latest_hidden_channels, me.push_preferences?.chat_level], [[room], 'none'])
    const back = { ...me, total_unread_count_by_team: { red: 1 } }

    await ada.does('POST', '/users', { body: { users: { ada: back } } })
    await ada.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { latest_hidden_channels: ['x'] } }] } })
    await ada.device().connects({ details: back })
    await ada.does('POST', `${path(room)}/show`, { body: {} })

    const { users } = await bo.does('GET', '/users', { query: { payload: '{"filter_conditions":{"id":"ada"}}' } })
    const own = ['latest_hidden_channels', 'push_preferences', 'total_unread_count_by_team']
    assert.deepEqual(
      own.filter((field) => field in users[0]),
      [],
    )
    assert.equal((await ada.device().connects()).me.latest_hidden_channels, undefined)
  })

  it('an upsert is all or nothing', async () => {
    const { appServer } = await fixture.createApp('ada')
    const users = { bo: { id: 'bo' }, 'not an id': { id: 'not an id' } }
    await appServer.isRefused(4, 'POST', '/users', { body: { users } })
    assert.deepEqual(await finds(appServer, {}), ['ada'])
  })

  it('[USR-21] an id has 1 to 255 letters, digits, @, _ and -; a hundred users go into one call', async () => {
    const { appServer } = await fixture.createApp()
    const long = 'x'.repeat(255)
    const users = await upserts(appServer, { id: long }, { id: 'A-z_0@9' }, { id: '__proto__' })
    assert.deepEqual(Object.keys(users).sort(), ['A-z_0@9', '__proto__', long].sort())
    for (const id of ['', 'a b', 'a:b', '!anon', 'é', 'x'.repeat(256)])
      await appServer.isRefused(4, 'POST', '/users', { body: { users: { [id]: { id } } } })

    const many = (count: number) => ({
      body: { users: Object.fromEntries(Array.from({ length: count }, (_, i) => [`u${i}`, { id: `u${i}` }])) },
    })
    await appServer.does('POST', '/users', many(100))
    await appServer.isRefused(4, 'POST', '/users', many(101))
    await appServer.isRefused(4, 'POST', '/users', many(0))
    await appServer.isRefused(4, 'POST', '/users', { body: { users: { ada: { id: 'bo' } } } })
  })

  it('fields of the wrong type are refused, in an upsert and in a partial update', async () => {
    const { appServer } = await fixture.createApp('ada')
    const wrong = [
      { name: 5 },
      { image: {} },
      { role: 5 },
      { role: 'emperor' },
      { teams: 'red' },
      { teams: [5] },
      { teams: ['x'.repeat(101)] },
      { teams: ['é'.repeat(51)] },
      { language: 5 },
      { invisible: 'yes' },
      { privacy_settings: 5 },
      { privacy_settings: { read_receipts: true } },
      { teams_role: ['red'] },
      { teams_role: { red: 'emperor' } },
    ]
    for (const fields of wrong) {
      await appServer.isRefused(4, 'POST', '/users', { body: { users: { ada: { id: 'ada', ...fields } } } })
      await appServer.isRefused(4, 'PATCH', '/users', { body: { users: [{ id: 'ada', set: fields }] } })
    }
    await appServer.isRefused(22, 'POST', '/users', {
      body: { users: { ada: { id: 'ada', story: 'x'.repeat(5_200) } } },
    })
    await appServer.isRefused(22, 'PATCH', '/users', {
      body: { users: [{ id: 'ada', set: { story: 'x'.repeat(5_200) } }] },
    })
  })

  it('a very long name is accepted and still compared for uniqueness', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/app', { body: { enforce_unique_usernames: 'app' } })
    // Random text, which the database cannot compress.
    const name = randomBytes(15_000).toString('base64url')
    const upsert = (id: string) => ({ body: { users: { [id]: { id, name } } } })
    assert.equal((await appServer.does('POST', '/users', upsert('ada'))).users.ada.name, name)
    await appServer.isRefused(6, 'POST', '/users', upsert('bo'))
  })

  it('a user changes only themselves, and never their role or teams', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    assert.equal((await upserts(ada, { id: 'ada', name: 'Ada L.' })).ada.name, 'Ada L.')
    assert.equal((await upserts(ada, { id: 'ada', name: 'Ada', role: 'user', teams: [] })).ada.role, 'user')
    for (const fields of [{ role: 'admin' }, { teams: ['red'] }, { teams_role: { red: 'admin' } }]) {
      await ada.isRefused(17, 'POST', '/users', { body: { users: { ada: { id: 'ada', ...fields } } } })
      await ada.isRefused(17, 'PATCH', '/users', { body: { users: [{ id: 'ada', set: fields }] } })
    }
    await ada.isRefused(17, 'POST', '/users', { body: { users: { bo: { id: 'bo', name: 'B' } } } })
    await ada.isRefused(17, 'PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'B' } }] } })
    assert.equal((await bo.connects()).me.name, 'Bo')
  })

  it('[USR-5] a partial update sets and unsets single fields, also nested ones', async () => {
    const { appServer } = await fixture.createApp()
    await upserts(appServer, { id: 'ada', name: 'Ada', image: 'a.png', shoe: 38, house: { door: 'red', rooms: 4 } })
    const ada = await patches(appServer, 'ada', { 'house.door': 'blue', 'garden.trees': 3, hat: null }, [
      'shoe',
      'image',
    ])
    assert.deepEqual(
      [ada.name, ada.image, ada.shoe, ada.house, ada.garden, ada.hat],
      ['Ada', undefined, undefined, { door: 'blue', rooms: 4 }, { trees: 3 }, null],
    )
    const again = await patches(appServer, 'ada', { role: 'moderator', invisible: true }, [
      'house.rooms',
      'nothing.here',
    ])
    assert.deepEqual([again.role, again.invisible, again.house], ['moderator', true, { door: 'blue' }])
  })

  it('[USR-5] [HTTP-22] a partial update can unset built-in fields, but not the role', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const privacy_settings = { read_receipts: { enabled: false } }
    const said = { name: 'Ada', language: 'de', invisible: true, teams: ['red'], role: 'moderator', privacy_settings }
    const { role: _, ...ours } = said
    const nulls = Object.fromEntries(Object.keys(ours).map((field) => [field, null]))
    for (const [set, unset] of [[{}, Object.keys(said)] as const, [nulls, []] as const]) {
      await upserts(appServer, { id: 'ada', ...said })
      await ada.isRefused(17, 'PATCH', '/users', { body: { users: [{ id: 'ada', unset: ['teams'] }] } })
      const after = await patches(appServer, 'ada', set, [...unset])
      assert.deepEqual(
        [after.name, after.language, after.invisible, after.teams, after.role, after.privacy_settings],
        [undefined, '', false, [], 'moderator', undefined],
      )
    }
    const revoke_tokens_issued_before = '2026-01-01T00:00:00Z'
    const revoked = await patches(appServer, 'ada', { revoke_tokens_issued_before })
    assert.equal(revoked.revoke_tokens_issued_before, revoke_tokens_issued_before)
    const undone = await patches(appServer, 'ada', {}, ['revoke_tokens_issued_before'])
    assert.equal(undone.revoke_tokens_issued_before, undefined)
  })

  it('[HTTP-23] a field name has no dot, which would address a nested field', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const named = { 'hat.size': 58 }
    const users = { ada: { id: 'ada', ...named } }
    const { exception_fields } = await appServer.isRefused(4, 'POST', '/users', { body: { users } })
    assert.deepEqual(Object.keys(exception_fields), ['hat.size'])
    await ada.isRefused(4, 'POST', '/channels/messaging/tea/query', { body: { data: { members: ['ada'], ...named } } })
    const room = await appServer.opens([ada])
    await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message: { text: 'Hello', ...named } } })
    const member = { user_id: 'ada', ...named }
    await appServer.isRefused(4, 'POST', path(room), { body: { invites: [member] } })
  })

  it('privacy settings merge part by part', async () => {
    const { ada } = await fixture.createApp('ada')
    await patches(ada, 'ada', { privacy_settings: { read_receipts: { enabled: false } } })
    const { privacy_settings } = await patches(ada, 'ada', {
      privacy_settings: { typing_indicators: { enabled: false } },
    })
    assert.deepEqual(privacy_settings, { read_receipts: { enabled: false }, typing_indicators: { enabled: false } })
  })

  it('[HTTP-25] a path leads into privacy settings and team roles, and into no other built-in field', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await patches(bo, 'bo', { privacy_settings: { delivery_receipts: { enabled: false } } })
    const { privacy_settings } = await patches(bo, 'bo', { 'privacy_settings.read_receipts.enabled': false })
    const off = { enabled: false }
    assert.deepEqual(privacy_settings, { delivery_receipts: off, read_receipts: off })
    await ada.sends(room, 'Seen?')
    await bo.reads(room)
    assert.equal((await ada.receivedTypes()).includes('message.read'), false)
    const shown = await patches(bo, 'bo', {}, ['privacy_settings.read_receipts'])
    assert.deepEqual(shown.privacy_settings, { delivery_receipts: off })

    await patches(appServer, 'bo', { teams: ['red', 'blue'], teams_role: { red: 'user' } })
    const { teams_role } = await patches(appServer, 'bo', { 'teams_role.blue': 'moderator' }, ['teams_role.red'])
    assert.deepEqual(teams_role, { blue: 'moderator' })
    const refused = async (code: number, caller: Caller, set: object, unset: string[] = []) =>
      caller.isRefused(code, 'PATCH', '/users', { body: { users: [{ id: 'bo', set, unset }] } })
    await refused(17, bo, { 'teams_role.blue': 'admin' })
    await refused(4, bo, { 'privacy_settings.read_receipts': false })
    await refused(4, bo, { privacy_settings: {}, 'privacy_settings.read_receipts.enabled': false })
    for (const path of ['name.first', 'teams.0', 'mutes.0'])
      for (const [set, unset] of [
        [{ [path]: 'x' }, []],
        [{}, [path]],
      ] as const)
        assert.deepEqual(Object.keys((await refused(4, bo, set, [...unset])).exception_fields), [path])
  })

  it('two partial updates of one user in one call both apply', async () => {
    const { appServer } = await fixture.createApp('ada')
    const users = [
      { id: 'ada', set: { hat: 'red', shoe: 38 } },
      { id: 'ada', set: { hat: 'green' }, unset: ['name'] },
    ]
    const answer = await appServer.does('PATCH', '/users', { body: { users } })
    assert.deepEqual([answer.users.ada.hat, answer.users.ada.shoe, answer.users.ada.name], ['green', 38, undefined])
  })

  it('a contradictory partial update, or one of an unknown user, is refused', async () => {
    const { appServer } = await fixture.createApp('ada')
    const refused = (code: number, users: object[]) => appServer.isRefused(code, 'PATCH', '/users', { body: { users } })
    await refused(4, [{ id: 'ada', set: { hat: 1 }, unset: ['hat'] }])
    await refused(4, [{ id: 'ada', set: { 'hat.size': 1 }, unset: ['hat'] }])
    await refused(4, [{ id: 'ada', set: { hat: 1 }, unset: ['hat.size'] }])
    await refused(4, [{ id: 'ada', set: { name: 'A' }, unset: ['name'] }])
    await refused(4, [{ id: 'ada', set: { 'my hat': 1 } }])
    await refused(4, [{ id: 'ada', set: { 'hat..size': 1 } }])
    await refused(4, [{ id: 'ada', set: { '': 1 } }])
    await refused(4, [])
    await refused(16, [
      { id: 'ada', set: { hat: 1 } },
      { id: 'nobody', set: { hat: 1 } },
    ])
    assert.deepEqual(await finds(appServer, { hat: { $exists: true } }), [])
  })

  it('[USR-3] a Greek name is found by its prefix in lower and upper case', async () => {
    const { appServer } = await fixture.createApp()
    await upserts(appServer, { id: 'kostas', name: 'Κώστας' }, { id: 'vasilis', name: 'ΒΑΣΊΛΗΣ' })
    const find = (text: string) => finds(appServer, { name: { $autocomplete: text } })
    for (const text of ['Κώστας', 'ΚΏΣΤΑΣ', 'κωσ', 'ΚΩΣ']) assert.deepEqual(await find(text), ['kostas'], text)
    for (const text of ['Βασίλης', 'βασίλησ', 'ΒΑΣ', 'βας']) assert.deepEqual(await find(text), ['vasilis'], text)
  })

  it('[USR-3] a name is found however its letters are typed, by users and in channels', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const cases: [name: string, ...typed: string[]][] = [
      ['Ayşe YILDIZ', 'yıldız', 'yildiz', 'Yıldı', 'AYSE'],
      ['Jörg Weiß-Straße', 'STRASSE', 'strasse', 'weiss', 'JORG'],
      ['Łukasz Đorđević', 'lukasz', 'dordevic', 'ŁUK'],
      ['Søren Ærø', 'soren aero', 'SØREN', 'æro'],
      ['Par\u00adley Ｆｕｌｌ', 'parley', 'full', 'par\u200bley'],
      ['محـــمد', 'محمد', 'مُحَمَّد'],
      ['김철수', '철수', '김'],
      ['ガギグ', 'ガギ', 'ｶﾞｷﾞ'],
      ['Team ❤️', '❤', '❤️'],
    ]
    for (const [n, [name, ...typed]] of cases.entries()) {
      await upserts(appServer, { id: `one-${n}`, name })
      const room = await appServer.opens([ada], { name })
      for (const text of typed) {
        assert.deepEqual(await finds(appServer, { name: { $autocomplete: text } }), [`one-${n}`], `${text} is ${name}`)
        const filter_conditions = { name: { $autocomplete: text } }
        const { channels } = await appServer.does('POST', '/channels', { body: { filter_conditions } })
        assert.deepEqual(
          channels.map((found: { channel: { cid: string } }) => found.channel.cid),
          [room],
          `${text} is ${name}`,
        )
      }
    }
  })

  it('[USR-3] every operator finds its matches', async () => {
    const { appServer } = await fixture.createApp()
    await upserts(appServer, { id: 'ada', name: 'Ada Lovelace', role: 'admin', age: 36, tags: ['math', 'poetry'] })
    fixture.clock.advance(1_000)
    const { bo } = await upserts(appServer, {
      id: 'bo',
      name: 'Bo Öström',
      age: 9,
      pet: { name: 'Rex' },
      teams: ['red', 'blue'],
    })
    fixture.clock.advance(1_000)
    await upserts(appServer, { id: 'Cleo', name: '100% Cleo_', age: 10, active: true, teams: ['blue'] })
    const cases: [filter: object, found: string[]][] = [
      [{}, ['Cleo', 'ada', 'bo']],
      [{ id: 'ada' }, ['ada']],
      [{ id: { $eq: 'ada' } }, ['ada']],
      [{ id: { $in: ['ada', 'bo', 'nobody'] } }, ['ada', 'bo']],
      [{ id: { $nin: ['ada'] } }, ['Cleo', 'bo']],
      [{ id: { $in: [] } }, []],
      [{ id: { $gt: 'ada' } }, ['bo']],
      [{ id: { $gte: 'ada', $lt: 'bo' } }, ['ada']],
      [{ id: { $lte: 'Cleo' } }, ['Cleo']],
      [{ id: { $autocomplete: 'cl' } }, ['Cleo']],
      [{ role: 'admin' }, ['ada']],
      [{ role: { $ne: 'admin' } }, ['Cleo', 'bo']],
      [{ role: { $in: ['admin', 'moderator'] } }, ['ada']],
      [{ banned: false }, ['Cleo', 'ada', 'bo']],
      [{ banned: true }, []],
      [{ shadow_banned: true }, []],
      [{ name: 'Ada Lovelace' }, ['ada']],
      [{ name: 'ada lovelace' }, []],
      [{ name: { $autocomplete: 'LOVE' } }, ['ada']],
      [{ name: { $autocomplete: 'ostr bo' } }, ['bo']],
      [{ name: { $autocomplete: 'ÖSTRÖM' } }, ['bo']],
      [{ name: { $autocomplete: 'stro' } }, []],
      [{ name: { $autocomplete: '100%' } }, ['Cleo']],
      [{ name: { $autocomplete: 'cleo_' } }, ['Cleo']],
      [{ name: { $autocomplete: '1_0' } }, []],
      [{ name: { $autocomplete: '%' } }, []],
      [{ name: { $q: 'lovelace ada' } }, ['ada']],
      [{ name: { $q: 'love' } }, []],
      [{ teams: { $contains: 'blue' } }, ['Cleo', 'bo']],
      [{ teams: { $in: ['red', 'green'] } }, ['bo']],
      [{ teams: { $eq: ['blue'] } }, ['Cleo']],
      [{ teams: null }, ['ada']],
      [{ created_at: { $gte: bo.created_at } }, ['Cleo', 'bo']],
      [{ created_at: { $lt: bo.created_at } }, ['ada']],
      [{ created_at: bo.created_at.replace('Z', '+00:00') }, ['bo']],
      [{ updated_at: { $gt: bo.created_at } }, ['Cleo']],
      [{ last_active: { $exists: false } }, ['Cleo', 'ada', 'bo']],
      [{ last_active: null }, ['Cleo', 'ada', 'bo']],
      [{ age: 9 }, ['bo']],
      [{ age: { $gt: 9 } }, ['Cleo', 'ada']],
      [{ age: { $gte: 9, $lte: 10 } }, ['Cleo', 'bo']],
      [{ age: '9' }, []],
      [{ age: { $in: [36, 9] } }, ['ada', 'bo']],
      [{ age: { $ne: 36 } }, ['Cleo', 'bo']],
      [{ active: true }, ['Cleo']],
      [{ active: 1 }, []],
      [{ active: { $exists: false } }, ['ada', 'bo']],
      [{ active: null }, ['ada', 'bo']],
      [{ 'pet.name': 'Rex' }, ['bo']],
      [{ 'pet.name': { $autocomplete: 're' } }, ['bo']],
      [{ tags: { $contains: 'math' } }, ['ada']],
      [{ tags: { $in: ['poetry', 'music'] } }, ['ada']],
      [{ tags: { $nin: ['poetry'] } }, ['Cleo', 'bo']],
      [{ tags: { $eq: ['math', 'poetry'] } }, ['ada']],
      [{ tags: { $eq: ['poetry', 'math'] } }, []],
      [{ $or: [{ id: 'ada' }, { age: 9 }] }, ['ada', 'bo']],
      [{ $and: [{ age: { $lt: 20 } }, { active: true }] }, ['Cleo']],
      [{ $nor: [{ id: 'ada' }, { age: 9 }] }, ['Cleo']],
      [{ id: 'ada', age: 9 }, []],
      [{ $nor: [{ last_active: { $gt: bo.created_at } }] }, ['Cleo', 'ada', 'bo']],
      [{ $nor: [{ 'pet.name': { $autocomplete: 're' } }] }, ['Cleo', 'ada']],
    ]
    for (const [filter, found] of cases) assert.deepEqual(await finds(appServer, filter), found, JSON.stringify(filter))
  })

  it('an invalid filter is refused with 4', async () => {
    const { ada } = await fixture.createApp('ada')
    const wrong = [
      { $xor: [] },
      { $and: {} },
      { $or: [] },
      { $nor: 'x' },
      { $and: ['x'] },
      { id: { $near: 'ada' } },
      { id: 5 },
      { id: { $in: 'ada' } },
      { id: { $in: [5] } },
      { id: { $contains: 'a' } },
      { role: { $autocomplete: 'a' } },
      { banned: 'yes' },
      { banned: { $in: [true] } },
      { created_at: 'yesterday' },
      { created_at: 5 },
      { last_active: { $exists: 'no' } },
      { name: { $autocomplete: 5 } },
      { hat: { $gt: [] } },
      { hat: { $exists: 1 } },
      { hat: { $contains: {} } },
      { hat: { $in: [{}] } },
      { hat: { $eq: { size: 5 } } },
      { hat: { $eq: [{ size: 5 }] } },
      { 'hat..size': 1 },
      { '.hat': 1 },
      { "h'at": 1 },
      { 'h"at': 1 },
      { teams: 5 },
      { teams: { $in: 'red' } },
      { teams: { $contains: ['red'] } },
    ]
    for (const filter_conditions of wrong) {
      const payload = JSON.stringify({ filter_conditions })
      const { status, body } = await ada.call('GET', '/users', { query: { payload } })
      assert.deepEqual([status, body.code], [400, 4], payload)
    }
    const deep = (depth: number): object => (depth === 1 ? { id: 'ada' } : { $and: [deep(depth - 1)] })
    assert.deepEqual(await finds(ada, deep(5)), ['ada'])
    await ada.isRefused(4, 'GET', '/users', { query: { payload: JSON.stringify({ filter_conditions: deep(6) }) } })
    const big = JSON.stringify({ filter_conditions: { id: { $in: Array(600).fill('somebody') } } })
    await ada.isRefused(4, 'GET', '/users', { query: { payload: big } })
    await ada.isRefused(4, 'GET', '/users', { query: { payload: '{' } })
    await ada.isRefused(4, 'GET', '/users', { query: { payload: '[5]' } })
  })

  it('the newest come first, and any field sorts, null last in both directions', async () => {
    const { appServer } = await fixture.createApp()
    await upserts(
      appServer,
      { id: 'ada', name: 'Ada', age: 9, rank: 'b' },
      { id: 'Bo', name: 'Bo', age: 10, rank: 'B' },
    )
    fixture.clock.advance(1_000)
    await upserts(appServer, { id: 'cleo', age: 100 }, { id: 'dan', age: 'old', rank: 'a' })
    const sorted = (...sort: object[]) => finds(appServer, {}, { sort })
    assert.deepEqual(await finds(appServer, {}, {}), ['dan', 'cleo', 'ada', 'Bo'])
    assert.deepEqual(await sorted({ field: 'id', direction: -1 }), ['dan', 'cleo', 'ada', 'Bo'])
    assert.deepEqual(await sorted({ field: 'name' }), ['ada', 'Bo', 'dan', 'cleo'])
    assert.deepEqual(await sorted({ field: 'name', direction: -1 }), ['Bo', 'ada', 'dan', 'cleo'])
    assert.deepEqual(await sorted({ field: 'age', type: 'number' }), ['ada', 'Bo', 'cleo', 'dan'])
    assert.deepEqual(await sorted({ field: 'age', type: 'number', direction: -1 }), ['cleo', 'Bo', 'ada', 'dan'])
    assert.deepEqual(await sorted({ field: 'rank' }), ['Bo', 'dan', 'ada', 'cleo'])
    assert.deepEqual(await sorted({ field: 'created_at' }, { field: 'id' }), ['Bo', 'ada', 'cleo', 'dan'])
    assert.deepEqual(await finds(appServer, {}, { sort: { rank: 1 } }), ['Bo', 'dan', 'ada', 'cleo'])
    for (const sort of [[{ field: '' }], [{ field: 'id', direction: 2 }], [{ field: 'a b' }], [{ field: "a'" }]])
      await appServer.isRefused(4, 'GET', '/users', { query: { payload: JSON.stringify({ sort }) } })
  })

  it('[USR-21] [LIM-5] a query returns 30 users by default, and 100 at most', async () => {
    const { appServer } = await fixture.createApp()
    const ids = Array.from({ length: 60 }, (_, i) => `u${String(i).padStart(2, '0')}`)
    await upserts(appServer, ...ids.map((id) => ({ id })))
    const sort = [{ field: 'id' }]
    assert.deepEqual(await finds(appServer, {}), ids.slice(0, 30))
    assert.deepEqual(await finds(appServer, {}, { sort, limit: 100 }), ids)
    assert.deepEqual(await finds(appServer, {}, { sort, limit: 2, offset: 58 }), ids.slice(58))
    assert.deepEqual(await finds(appServer, {}, { sort, id_gt: 'u57' }), ids.slice(58))
    assert.deepEqual(await finds(appServer, {}, { sort, id_gte: 'u58' }), ids.slice(58))
    assert.deepEqual(await finds(appServer, {}, { sort, id_lt: 'u02' }), ids.slice(0, 2))
    assert.deepEqual(await finds(appServer, {}, { sort, id_lte: 'u01' }), ids.slice(0, 2))
    for (const page of [{ limit: 101 }, { limit: 0 }, { offset: 1001 }, { offset: -1 }, { limit: '5' }])
      await appServer.isRefused(4, 'GET', '/users', { query: { payload: JSON.stringify(page) } })
  })

  it('[AUTH-12] the app’s server and the user themselves see more fields of a user than others do', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await patches(ada, 'ada', { privacy_settings: { read_receipts: { enabled: false } } })
    const seen = async (caller: Caller) =>
      (await caller.does('GET', '/users', { query: { payload: '{"filter_conditions":{"id":"ada"}}' } })).users[0]
    for (const caller of [ada, appServer]) {
      const user = await seen(caller)
      assert.deepEqual([user.invisible, user.privacy_settings], [false, { read_receipts: { enabled: false } }])
    }
    const user = await seen(bo)
    assert.deepEqual([user.invisible, user.privacy_settings, user.devices], [undefined, undefined, undefined])
  })

  it('[USR-20] a deactivated user cannot connect, and is found only when asked for', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { write } = fixture.nodes[0]!.server.database
    const closeOut = async (field: 'deactivated_at' | 'deleted_at') => {
      await write
        .updateTable('users')
        .set({ [field]: 1 })
        .where('app', '=', ada.app.id)
        .where('id', '=', 'bo')
        .execute()
      fixture.nodes[0]!.server.users.clear()
    }
    await closeOut('deactivated_at')
    const { error } = await bo.connects()
    assert.equal(error.code, 5)
    assert.match(error.message, /user \\?"bo\\?" is deactivated/)
    await bo.device().isRefused(5, 'GET', '/app')
    assert.deepEqual(await finds(ada, {}), ['ada'])
    assert.deepEqual(await finds(ada, {}, { include_deactivated_users: true, sort: [{ field: 'id' }] }), ['ada', 'bo'])
    assert.deepEqual(
      (await ada.opensChannel(room)).members.map((member) => member.user_id),
      ['ada', 'bo'],
    )

    await closeOut('deleted_at')
    assert.equal((await bo.device().connects()).error.code, 5)
    assert.deepEqual(await finds(ada, {}, { include_deactivated_users: true }), ['ada'])
  })

  it('users of one app are unknown to another', async () => {
    const { ada } = await fixture.createApp('ada')
    const other = await fixture.createApp('bo')
    assert.deepEqual(await finds(ada, {}), ['ada'])
    await other.appServer.isRefused(16, 'PATCH', '/users', { body: { users: [{ id: 'ada', set: { hat: 1 } }] } })
  })
})

onEveryTransport((fixture) => {
  it('[USR-18] a new name appears wherever the user is shown', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.watches(room)
    await patches(ada, 'ada', { name: 'Ada L.' })
    const { user } = await ada.receives('user.updated')
    assert.equal(user.name, 'Ada L.')
    for (const testUser of [ada, bo]) {
      const nameOfAda = async () =>
        (await testUser.opensChannel(room)).members.find((member) => member.user_id === 'ada')?.user.name
      await eventually(async () => (await nameOfAda()) === 'Ada L.', `${testUser.id} sees the name`)
    }
  })
})
