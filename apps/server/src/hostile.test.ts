/**
 * Random input to every endpoint and every socket. The server may refuse it; it must not crash, have an internal error,
 * or show another user's data.
 *
 * `HOSTILE_RUNS=2000 HOSTILE_SEED=1 npm test -- hostile` runs longer, and repeats a run.
 */
import assert from 'node:assert/strict'
import { createConnection as connectTcp } from 'node:net'
import fc, { type Arbitrary } from 'fast-check'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Endpoint } from './chat/api/endpoint.ts'
import { endpoints } from './operations.ts'
import { type Fixture, onEveryStorage } from './testing/fixture.ts'
import type { AppServer, ReceivedEvent, TestUser } from './testing/test-user.ts'

/** Calls per run; each is one endpoint with some odd input. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 200)
const CALLS_PER_TOWN = 50
/** The timeout grows with the number of calls. */
const TIME_LIMIT_MS = 20_000 + RUNS * 100
const seeded = process.env.HOSTILE_SEED === undefined ? {} : { seed: Number(process.env.HOSTILE_SEED) }
/** Texts of another tenant and of another channel. They must not appear in any response. */
const SECRET = 'the-secret-of-the-other-company'
const HIDDEN = 'the-secret-of-the-closed-room'

/** Texts that have broken software before. */
const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    'null',
    'undefined',
    'true',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    '../../etc/passwd',
    '%00',
    '%zz',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202eevil',
    '\ufeff',
    'İ',
    'ß',
    'e\u0301\u0301\u0301\u0301',
    '👩‍👩‍👧‍👧',
    "'; drop table messages; --",
    '" or 1=1 --',
    '$where',
    '{{7*7}}',
    '<img src=x onerror=alert(1)>',
    '/giphy cats',
    '/ban @ada',
    '@ada',
    'messaging:',
    ':',
    'messaging:nowhere',
    '*',
    '2024-02-30T25:61:61Z',
    '+275760-09-13T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '0000-01-01T00:00:00Z',
    'https://',
    'javascript:alert(1)',
    'http://[::1]/',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('a', '🙂', '\u0000', ' ').map((sign) => sign.repeat(6_000)),
)
const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 1.5, 300, 301, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, 5e-324),
  fc.integer(),
)
const { odd } = fc.letrec<{ odd: unknown }>((tie) => ({
  odd: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    oddText,
    oddNumber,
    fc.constantFrom(null, true, false, {}, []),
    fc.array(tie('odd'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('__proto__', 'constructor', 'id', 'type', 'user', '$eq', '$or'), oddText),
      tie('odd'),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
    fc.constantFrom(40, 1_100, 2_400).map(nested),
    fc.constant(Array(1_000).fill('x')),
  ),
}))

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = i % 9 === 0 ? { a: value } : [value]
  return value
}

/** A value that fits the schema, so that a call passes validation; ids are those of the test. */
function fitting(schema: TSchema, key = ''): Arbitrary<unknown> {
  const shape = schema as Record<string, unknown> & TSchema
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (Array.isArray(shape.enum)) return fc.constantFrom(...shape.enum)
  if (Array.isArray(shape.anyOf)) return fc.oneof(...shape.anyOf.map((one: TSchema) => fitting(one, key)))
  switch (shape.type) {
    case 'object': {
      if (shape.patternProperties) {
        const [value] = Object.values(shape.patternProperties as Record<string, TSchema>)
        return fc.dictionary(fc.constantFrom('ada', 'bo', 'mood', 'a.b', 'name', 'image_action'), fitting(value!), {
          maxKeys: 3,
          noNullPrototype: true,
        })
      }
      const properties = Object.entries((shape.properties ?? {}) as Record<string, TSchema>)
      const required = (shape.required ?? []) as string[]
      const model = Object.fromEntries(properties.map(([name, value]) => [name, fitting(value, name)]))
      return fc.record(model, { requiredKeys: required, noNullPrototype: true })
    }
    case 'array':
      return fc.array(fitting(shape.items as TSchema, singular(key)), { maxLength: 3 })
    case 'string':
      return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...namesFor(key)) }, { weight: 1, arbitrary: oddText })
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 30 }), oddNumber.map(Math.trunc))
    case 'number':
      return oddNumber
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(filter, odd)
  }
}

const singular = (key: string) => key.replace(/s$/, '')

/** Ids that exist in the test, own and foreign, for a field or a path parameter. */
function namesFor(key: string): string[] {
  if (key === 'type') return ['messaging', 'messaging', 'team', 'like', 'regular']
  if (/cid/.test(key)) return ['messaging:town-hall', 'messaging:closed-room', 'messaging:secret-room']
  if (/message|parent/.test(key)) return ['welcome', 'hidden-message', 'secret-message']
  if (/user|member|target|banned_by|invite|moderator/.test(key)) return ['bo', 'eve', 'ada', 'nina']
  if (key === 'id')
    return ['town-hall', 'closed-room', 'secret-room', 'welcome', 'hidden-message', 'secret-message', 'bo', 'nina']
  if (/_at$|time|before|after|expires|since/.test(key)) return ['2024-01-01T00:00:00Z', '2030-01-01T00:00:00Z']
  if (/limit|offset/.test(key)) return ['1', '10', '0', '-1', 'many']
  if (/^(watch|state|presence|hard|server_side|web)$/.test(key)) return ['true', 'false']
  return ['hello', 'like', 'giphy', 'ban', 'en', 'messaging', 'messaging:town-hall', 'bo']
}

const fields =
  `id cid name type role team members member.user.name user_id user.id channel_cid channel_id parent_id text
  attachments attachments.type mentioned_users.id created_at updated_at last_message_at last_updated last_active
  member_count frozen disabled muted hidden has_unread joined invite archived pinned blocked banned teams score reason
  mood a.b pinned_at expires poll_id option_id is_closed created_by_user_id reply_count participant_count
  created_by_id last_read filter_tags`.split(/\s+/)
const filterValue = fc.oneof(
  fc.constantFrom('ada', 'bo', 'messaging', SECRET, HIDDEN, '2024-01-01T00:00:00Z', 'cats'),
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false),
  fc.array(fc.oneof(oddText, oddNumber, fc.constant(null)), { maxLength: 3 }),
  odd,
)
const operators = '$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $autocomplete $q $near'.split(' ')
const { filter } = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    fc.dictionary(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fields) }, { weight: 1, arbitrary: oddText }),
      fc.oneof(
        filterValue,
        fc.dictionary(fc.constantFrom(...operators), filterValue, { maxKeys: 2, noNullPrototype: true }),
      ),
      { maxKeys: 3, noNullPrototype: true },
    ),
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { maxLength: 3 }))
      .map(([operator, filters]) => ({ [operator]: filters })),
  ),
}))

/** A valid value with one part replaced, removed, or added. */
function mutated(value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(value, fc.nat(), odd, fc.constantFrom('keep', 'keep', 'exchange', 'add', 'drop'))
    .map(([whole, where, other, how]) => {
      if (how === 'keep') return whole
      const copy = structuredClone(whole)
      const places = placesIn(copy)
      const place = places[where % places.length]
      if (!place) return how === 'exchange' ? other : copy
      if (how === 'drop') delete place.parent[place.key]
      else define(place.parent, how === 'add' ? `${place.key}x` : place.key, other)
      return copy
    })
}

function placesIn(value: unknown, levels = 8): { parent: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null || levels === 0) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key], levels - 1)])
}

function define(parent: Record<string, unknown>, key: string, value: unknown) {
  if (Array.isArray(parent)) parent.push(value)
  else Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true })
}

interface OddCall {
  method: string
  address: string
  query: Record<string, string>
  body: string | undefined
}

function calls(among: readonly Endpoint[]): Arbitrary<OddCall> {
  return fc.nat({ max: among.length - 1 }).chain((i) => {
    const endpoint = among[i]!
    const params = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
    const values = fc.tuple(
      ...params.map((name) =>
        fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...namesFor(name)) }, { weight: 1, arbitrary: oddText }),
      ),
    )
    const query = endpoint.query ? mutated(fitting(endpoint.query)) : fc.constant({})
    const payload = endpoint.payload ? mutated(fitting(endpoint.payload)) : fc.constant(undefined)
    const body = endpoint.body ? mutated(fitting(endpoint.body)) : fc.constant(undefined)
    const quirk = fc.constantFrom('none', 'none', 'none', 'none', 'twice', 'broken', 'escaped')
    return fc.tuple(values, query, payload, body, quirk).map(([values, query, payload, body, quirk]) => {
      let i = 0
      const address = endpoint.path.replace(/:\w+/g, () => encoded(String(values[i++])))
      const texts: Record<string, string> = {}
      for (const [name, value] of Object.entries((query ?? {}) as object))
        texts[name] = typeof value === 'string' ? value : JSON.stringify(value)
      if (payload !== undefined) texts.payload = JSON.stringify(payload)
      return { method: endpoint.method, address, query: texts, body: quirked(body, quirk) }
    })
  })
}

const queries = endpoints.filter(({ body, payload }) => /filter/.test(JSON.stringify(body ?? payload ?? {})))

/** A query with a filter. */
function asking({ method, path, payload }: Endpoint, filter: object, inMessages: boolean): OddCall {
  const among = inMessages ? { cid: 'messaging:town-hall' } : filter
  const named = { filter, filter_conditions: among, ...(inMessages && { message_filter_conditions: filter }) }
  const json = JSON.stringify({ ...named, type: 'messaging', id: 'town-hall', limit: 3 })
  const address = path.replace(/:(\w+)/g, (_, name) => encoded(namesFor(name)[0]!))
  return payload
    ? { method, address, query: { payload: json }, body: undefined }
    : { method, address, query: {}, body: json }
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E') || '%20'
}

/** JSON that `JSON.stringify` does not produce: duplicate keys, truncated text, lone surrogates. */
function quirked(body: unknown, quirk: string): string | undefined {
  if (body === undefined) return undefined
  const text = JSON.stringify(body)
  if (quirk === 'twice' && text.startsWith('{') && text.length > 2) return `${text.slice(0, -1)},${text.slice(1)}`
  if (quirk === 'broken') return text.slice(0, Math.floor(text.length / 2))
  if (quirk === 'escaped') return text.replace(/a/g, '\\u0061').replace(/e/g, '\\ud83d')
  return text
}

vi.setConfig({ testTimeout: TIME_LIMIT_MS })

onEveryStorage((fixture) => {
  const faults: unknown[] = []
  const note = (error: unknown) => faults.push(error)
  let nina: TestUser
  let town: Town | undefined
  let left = 0
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
    nina = await neighbours(fixture)
  })
  afterAll(() => {
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
  })

  /** Calls may destroy the fixture: deleted users, disabled channels. So it is created again now and then. */
  async function theTown(): Promise<Town> {
    if (left === 0) {
      if (town) nothingLeaked(town)
      town = await aTown(fixture)
    }
    left = (left + CALLS_PER_TOWN - 1) % CALLS_PER_TOWN
    return town!
  }

  /** A caller who sent a secret may receive it, and an app's server has access to everything. */
  function nothingLeaked({ bo, isSpoilt }: Town) {
    const told = JSON.stringify(bo.events)
    if (!isSpoilt) for (const secret of [SECRET, HIDDEN]) assert.ok(!told.includes(secret), `bo was told: ${told}`)
  }

  async function allIsWell() {
    if (town) nothingLeaked(town)
    const { ann, appServer } = await fixture.createApp('ann')
    assert.equal((await ann.sends(await appServer.opens([ann]), 'All is well')).text, 'All is well')
    assert.equal((await nina.opensChannel('messaging:secret-room')).messages[0]?.text, SECRET)
    assert.deepEqual(faults, [])
  }

  async function survives({ method, address, query, body }: OddCall, caller: TestUser | AppServer, isServer: boolean) {
    const { status, body: answer } = await caller.call(method, address, {
      query,
      ...(body !== undefined && { body }),
    })
    const text = JSON.stringify(answer)
    assert.ok(status < 500, `${method} ${address} → ${status} ${text}`)
    if (status >= 400) assert.equal(answer.StatusCode, status)
    // An error may repeat the input; found data would appear without having been sent.
    const asked = `${address}${JSON.stringify(query)}${body ?? ''}`
    if (isServer || asked.includes(SECRET) || asked.includes(HIDDEN)) town!.isSpoilt = true
    if (!asked.includes(SECRET)) assert.ok(!text.includes(SECRET), `${address} told of another company: ${text}`)
    if (!isServer && !asked.includes(HIDDEN))
      assert.ok(!text.includes(HIDDEN), `${address} told ${JSON.stringify(query)} ${body} of a closed room: ${text}`)
    assert.deepEqual(faults, [])
  }

  it('no endpoint fails on any input of a user, and none shows what the user may not see', async () => {
    await fc.assert(
      fc.asyncProperty(calls(endpoints), async (call) => survives(call, (await theTown()).stranger(), false)),
      { numRuns: RUNS, ...seeded },
    )
    await allIsWell()
  })

  it('no endpoint fails on any input of a server, and none shows data of another tenant', async () => {
    await fc.assert(
      fc.asyncProperty(calls(endpoints), async (call) => survives(call, (await theTown()).appServer, true)),
      { numRuns: RUNS, ...seeded },
    )
    await allIsWell()
  })

  it('no stored value breaks the queries of other users', async () => {
    const { appServer } = await aTown(fixture)
    const [ada, bo] = [appServer.user('ada'), appServer.user('bo')]
    const dots = (depth: number) => Array(depth).fill('a').join('.')
    for (const depth of [40, 90, 1_100, 2_400, 100_000]) {
      const deep = nested(depth)
      const stored = [
        await ada.call('POST', '/users', { body: { users: { ada: { id: 'ada', deep } } } }),
        await ada.call('POST', '/channels/messaging/town-hall/message', { body: { message: { text: 'Hi', deep } } }),
        await appServer.call('PATCH', '/channels/messaging/town-hall', { body: { set: { deep } } }),
        await appServer.call('PATCH', '/users', { body: { users: [{ id: 'bo', set: { deep } }] } }),
        await appServer.call('PATCH', '/users', { body: { users: [{ id: 'bo', set: { [dots(depth)]: 'deep' } }] } }),
      ]
      for (const { status, body } of stored)
        assert.ok(status < 400 || [4, 22].includes(body.code), JSON.stringify(body))
      const filters = [{ 'deep.a': 'x' }, { mood: { $in: ['x'] } }, { deep: { $contains: 'x' } }, { deep }]
      for (const filter_conditions of filters.slice(0, depth > 10_000 ? 3 : 4)) {
        const query = { payload: JSON.stringify({ filter_conditions }) }
        const body = { filter_conditions }
        for (const found of [await bo.call('GET', '/users', { query }), await bo.call('POST', '/channels', { body })])
          assert.ok(found.status < 400 || [4, 24].includes(found.body.code), JSON.stringify(found.body))
      }
    }
  })

  it('every filter succeeds or is refused with 4', async () => {
    const asked = fc.tuple(fc.nat({ max: queries.length - 1 }), filter, fc.boolean(), fc.boolean())
    await fc.assert(
      fc.asyncProperty(asked, async ([i, filter, inMessages, byServer]) => {
        const { appServer, stranger } = await theTown()
        const call = asking(queries[i]!, filter, inMessages)
        await survives(call, byServer ? appServer : stranger(), byServer)
      }),
      { numRuns: RUNS, ...seeded },
    )
  })

  it('long lists work like short ones', async () => {
    const { appServer, stranger } = await theTown()
    const many = Array.from({ length: 1_200 }, (_, i) => i % 10)
    const conditions = [{ $in: many }, { $nin: many }, { $q: many.join(' ') }, { $autocomplete: many.join(' ') }, many]
    for (const query of queries)
      for (const condition of conditions)
        for (const name of ['id', 'mood']) {
          const call = asking(query, { [name]: condition }, query.name === 'Search')
          await survives(call, name === 'id' ? appServer : stranger(), name === 'id')
        }
    const wide = { $or: Array.from({ length: 500 }, () => ({ a: 1 })) }
    for (const query of queries) await survives(asking(query, wide, false), appServer, true)
  })

  it('no duration exceeds a hundred years', async () => {
    const { appServer, stranger } = await theTown()
    const testUser = stranger()
    for (const time of [2 ** 53, 1e15, 1e308]) {
      const target = { target_user_id: 'eve', target_id: 'ada', channel_cid: 'messaging:town-hall' }
      const body = JSON.stringify({ ...target, banned_by_id: 'ada', timeout: time, expiration: time })
      for (const address of ['/moderation/ban', '/moderation/mute', '/moderation/mute/channel'])
        for (const caller of [appServer, testUser])
          await survives({ method: 'POST', address, query: {}, body }, caller, caller === appServer)
    }
  })

  it('a socket survives every frame, and every way to open one', async () => {
    const frames = fc.oneof(
      odd.map((value) => JSON.stringify(value) ?? ''),
      oddText,
      fc.constantFrom(
        '[',
        '[{"type":"health.check"}',
        '{"type":{"type":"health.check"}}',
        '[[[{"type":"health.check"}]]]',
      ),
    )
    const openings = fc.record({
      json: fc.oneof(
        odd.map((value) => JSON.stringify(value) ?? ''),
        mutated(fc.constant({ user_id: 'bo', user_details: { id: 'bo' } })).map((value) => JSON.stringify(value) ?? ''),
      ),
      token: fc.constantFrom('', 'a.b.c', 'bo', 'bo’s own'),
      authType: fc.constantFrom('jwt', 'anonymous', '', '__proto__'),
    })
    await fc.assert(
      fc.asyncProperty(openings, fc.array(frames, { maxLength: 5 }), async ({ json, token, authType }, said) => {
        const { appServer } = await theTown()
        const url = new URL(`${appServer.url.replace(/^http/, 'ws')}/connect`)
        const query = {
          json,
          authorization: token === 'bo’s own' ? appServer.user('bo').token : token,
          'stream-auth-type': authType,
          api_key: appServer.app.key,
        }
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value.toWellFormed())
        for (const told of await listen(url, said)) assert.ok(!JSON.stringify(told).includes(SECRET))
        assert.deepEqual(faults, [])
      }),
      { numRuns: Math.ceil(RUNS / 8), ...seeded },
    )
    await allIsWell()
  })

  it('bytes that are not HTTP get a response or a closed connection', async () => {
    const line = fc.constantFrom(
      'GET / HTTP/1.1',
      'GET // HTTP/1.1',
      'POST /channels HTTP/1.1',
      'OPTIONS * HTTP/1.1',
      'GET http://elsewhere/ HTTP/1.1',
      'GET /connect HTTP/1.1',
      'PRI * HTTP/2.0',
      'GET /%zz?%=%&=& HTTP/1.0',
    )
    const header = fc.constantFrom(
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Content-Length: 2',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
      'Content-Encoding: gzip',
      'Content-Type: multipart/form-data; boundary=',
      'Expect: 100-continue',
      'X: \u0000',
    )
    const bytes = fc
      .tuple(line, fc.array(header, { maxLength: 6 }), fc.uint8Array({ maxLength: 40 }))
      .map(([line, headers, rest]) => Buffer.concat([Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n`), rest]))
    await fc.assert(
      fc.asyncProperty(bytes, async (bytes) => {
        await throwAt(nina.url, bytes)
        assert.deepEqual(faults, [])
      }),
      { numRuns: Math.ceil(RUNS / 4), ...seeded },
    )
    await allIsWell()
  })
})

interface Town {
  appServer: AppServer
  /** A user who is a member in some channels, or in none. */
  stranger(): TestUser
  /** A connected user, who receives the events of the others. */
  bo: TestUser
  isSpoilt: boolean
}

/** A tenant with a room, and a private room without some of the users, beside a tenant with secrets. */
async function aTown(fixture: Fixture): Promise<Town> {
  const { ada, bo, eve, appServer } = await fixture.createApp('ada', 'bo', 'eve')
  await appServer.does('POST', '/channels/messaging/town-hall/query', { body: roomOf('Town hall', 'ada', 'bo') })
  await appServer.does('POST', '/channels/messaging/closed-room/query', { body: roomOf(HIDDEN, 'ada') })
  await ada.sends('messaging:town-hall', 'Welcome https://example.org', { id: 'welcome', mood: 'good' })
  await ada.sends('messaging:closed-room', HIDDEN, { id: 'hidden-message', mood: HIDDEN })
  await bo.sends('messaging:town-hall', 'Thank you', { parent_id: 'welcome' })
  await bo.connects()
  let turn = 0
  return { appServer, stranger: () => (turn++ % 3 === 0 ? eve : bo), bo, isSpoilt: false }
}

async function neighbours(fixture: Fixture): Promise<TestUser> {
  const { nina, appServer } = await fixture.createApp('nina')
  await appServer.does('POST', '/channels/messaging/secret-room/query', { body: roomOf(SECRET, 'nina') })
  await nina.sends('messaging:secret-room', SECRET, { mood: SECRET, id: 'secret-message' })
  return nina
}

function roomOf(name: string, ...members: string[]) {
  return { data: { name, members, created_by_id: members[0] } }
}

/** Opens a socket, sends text, and returns the frames received up to the health check response, or the end. */
function listen(url: URL, said: readonly string[]): Promise<ReceivedEvent[]> {
  const heard: ReceivedEvent[] = []
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    const speak = () => {
      for (const text of said) socket.send(text)
    }
    socket.on('open', speak)
    socket.on('message', (data) => {
      const event: ReceivedEvent = JSON.parse(String(data))
      heard.push(event)
      if (event.me) {
        // A frame sent before the greeting is ignored.
        speak()
        socket.send('[{"type":"health.check"}]')
      } else if (event.type === 'connection.error' || event.type === 'health.check') socket.close()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}

/** Sends bytes and ends its half; resolves when the server has ended too. */
function throwAt(url: string, bytes: Uint8Array): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connectTcp({ host: hostname, port: Number(port) }, () => socket.end(bytes))
    socket.on('data', (data) => {
      // A successful request may have opened a socket that would stay.
      if (data.includes('101 Switching')) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}
