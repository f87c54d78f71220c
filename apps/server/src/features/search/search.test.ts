import assert from 'node:assert/strict'
import type { SearchResult } from '@parley/protocol/search'
import { sql } from 'kysely'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { indexEarlierMessages } from './index-earlier-messages.ts'

type Searcher = TestUser | AppServer

const DAY_MS = 86_400_000

const search = (testUser: Searcher, payload: object) =>
  testUser.does('GET', '/search', { query: { payload: JSON.stringify(payload) } })

/** The texts a search returns, in order. */
async function texts(testUser: Searcher, payload: object): Promise<string[]> {
  const { results } = await search(testUser, payload)
  return results.map(({ message }: SearchResult) => message.text)
}

const isRefused = (testUser: Searcher, code: number, payload: object) =>
  testUser.isRefused(code, 'GET', '/search', { query: { payload: JSON.stringify(payload) } })

onEveryStorage((fixture) => {
  it('[SRCH-1] finds messages by their terms, in the channels matching a filter, newest first', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const kitchen = await appServer.opens([ada, bo], { name: 'Kitchen' })
    const garden = await appServer.opens([ada, bo], { name: 'Garden' })
    await ada.sends(kitchen, 'Tea is ready.')
    const { id } = await bo.sends(garden, 'Who wants TEA?')
    await bo.sends(garden, 'Teapots are for sale')
    await bo.sends(garden, 'A reply about tea', { parent_id: id })
    const mine = { members: { $in: ['ada'] } }

    const answer = await search(ada, { filter_conditions: mine, query: 'tea' })
    assert.deepEqual(
      answer.results.map(({ message }: SearchResult) => [message.text, message.channel.name, message.user.id]),
      [
        ['A reply about tea', 'Garden', 'bo'],
        ['Who wants TEA?', 'Garden', 'bo'],
        ['Tea is ready.', 'Kitchen', 'ada'],
      ],
    )
    assert.equal(answer.next, undefined)
    assert.equal(answer.results_warning, undefined)
    assert.deepEqual(await texts(ada, { filter_conditions: { cid: kitchen }, query: 'tea' }), ['Tea is ready.'])
    assert.deepEqual(await texts(ada, { filter_conditions: { name: 'Garden' }, query: 'tea wants' }), [
      'Who wants TEA?',
    ])
    assert.deepEqual(await texts(ada, { filter_conditions: mine, query: 'coffee' }), [])
    assert.deepEqual(await texts(ada, { filter_conditions: mine, query: '…!' }), [])
    assert.deepEqual(await texts(ada, { filter_conditions: { name: 'Cellar' }, query: 'tea' }), [])
  })

  it('[SRCH-1] finds terms in every script, with and without accents, spaces and punctuation', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const cases: [said: string, sought: string[], not: string[]][] = [
      ['Zoë’s Café, déjà-vu!', ['zoe', 'CAFE', 'deja vu', 'café', 'Vu déjà'], ['caf', 'dejavu']],
      ['東京都に行きました。', ['東京', '京都', '行きました', '東京都に', '都'], ['大阪', '東都']],
      ['コーヒーが好き', ['コーヒー', 'ｺｰﾋｰ', '好き'], ['ヒコ']],
      ['我们明天在北京见面', ['北京', '明天', '见'], ['京北']],
      ['한국어를 배워요', ['한국어', '배워요', '국어'], ['어국']],
      ['ภาษาไทยง่ายมาก', ['ไทย', 'ภาษา'], ['ยไท']],
      ['Привет, Ёлка', ['привет', 'елка', 'ЁЛКА'], ['елк']],
      ['مُحَمَّد قال مرحبا', ['محمد', 'مرحبا'], ['محم']],
      ['Straße nach İstanbul', ['straße', 'STRASSE', 'ISTANBUL', 'ıstanbul'], ['stra']],
      ['YILDIZ Aydın’da, Łódź, Søren, Ærø', ['yıldız', 'aydin', 'AYDIN', 'lodz', 'LODZ', 'soren', 'aero'], ['yıl']],
      ['soft\u00adware over\u200bflow', ['software', 'overflow', 'soft\u00adware'], ['ware']],
      ['Γειά σου ΣΊΣΥΦΟΣ', ['σισυφος', 'Σίσυφοσ'], ['σισ']],
      ['I ❤️ it ☎ 🇹🇷🎉', ['❤', '❤️', '☎️', '🇹🇷', '🎉', 'it ☎'], ['🇯🇵', '💔']],
      ['می‌خواهم کتـــاب', ['میخواهم', 'کتاب'], ['کتا']],
      ['Ｆｕｌｌ ｗｉｄｔｈ', ['full width'], ['ful']],
      ['Well done👍🏽 all', ['👍', 'done 👍'], ['👎']],
      ["Don't pay 3.14 by foo_bar@mail.com", ["don't", '3.14', 'foo bar', 'mail.com'], ['dont']],
      [`Llanfair${'pwll'.repeat(40)}`, [`llanfair${'pwll'.repeat(40)}`], ['llanfair']],
      ['it said "OR" and NOT (near) * or : #', ['or', '"OR"', 'not near', 'NOT'], ['nor', '#']],
    ]
    for (const [said, sought, not] of cases) {
      const room = await appServer.opens([ada])
      await ada.sends(room, said)
      const found = (query: string) => texts(ada, { filter_conditions: { cid: room }, query })
      for (const query of sought) assert.deepEqual(await found(query), [said], `${query} in ${said}`)
      for (const query of not) assert.deepEqual(await found(query), [], `${query} in ${said}`)
    }
  })

  it('[SRCH-1] finds prefixes of terms', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'Éclairs tomorrow')
    await ada.sends(room, 'Declare it')
    await ada.sends(room, '東京タワー')
    const found = (text: object) =>
      texts(ada, { filter_conditions: { cid: room }, message_filter_conditions: { text } })
    assert.deepEqual(await found({ $autocomplete: 'ecl' }), ['Éclairs tomorrow'])
    assert.deepEqual(await found({ $autocomplete: 'tom écl' }), ['Éclairs tomorrow'])
    assert.deepEqual(await found({ $autocomplete: 'clair' }), [])
    assert.deepEqual(await found({ $autocomplete: 'タ' }), ['東京タワー'])
    assert.deepEqual(await found({ $q: 'ecl' }), [])
    assert.deepEqual(await found({ $autocomplete: '' }), ['東京タワー', 'Declare it', 'Éclairs tomorrow'])
    await isRefused(ada, 4, { filter_conditions: { cid: room }, message_filter_conditions: { text: { $q: 1 } } })
    await isRefused(ada, 4, { filter_conditions: { cid: room }, message_filter_conditions: { text: { $like: 'a' } } })
  })

  it('[SRCH-1] finds messages by every filter field', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const first = await ada.sends(room, 'one apple', { mentioned_users: ['bo'], colour: 'red', size: { cm: 7 } })
    await bo.sends(room, 'two apples', { attachments: [{ type: 'image', image_url: 'a.png' }], silent: true })
    await bo.sends(room, 'three pears', { parent_id: first.id })
    await ada.does('PUT', `/messages/${first.id}`, { body: { set: { pinned: true } } })
    const found = (filter: object, sort?: object[]) =>
      texts(bo, { filter_conditions: { cid: room }, message_filter_conditions: filter, ...(sort && { sort }) })
    const cases: [filter: object, found: string[]][] = [
      [{ id: first.id }, ['one apple']],
      [{ text: 'one apple' }, ['one apple']],
      [{ text: { $in: ['one apple', 'three pears'] } }, ['three pears', 'one apple']],
      [{ text: { $gt: 'three' } }, ['two apples', 'three pears'].reverse()],
      [{ type: 'reply' }, ['three pears']],
      [{ parent_id: { $exists: false } }, ['two apples', 'one apple']],
      [{ parent_id: first.id }, ['three pears']],
      [{ reply_count: { $gte: 1 } }, ['one apple']],
      [{ attachments: { $exists: true } }, ['two apples']],
      [{ 'attachments.type': { $in: ['image', 'file'] } }, ['two apples']],
      [{ 'mentioned_users.id': { $contains: 'bo' } }, ['one apple']],
      [{ 'user.id': { $eq: 'bo' } }, ['three pears', 'two apples']],
      [{ created_at: { $lte: first.created_at } }, ['one apple']],
      [{ updated_at: { $lt: first.created_at } }, []],
      [{ pinned: true }, ['one apple']],
      [{ pinned: false }, ['three pears', 'two apples']],
      [{ colour: 'red' }, ['one apple']],
      [{ 'size.cm': { $gt: 6 } }, ['one apple']],
      [{ $or: [{ text: { $q: 'pears' } }, { colour: 'red' }] }, ['three pears', 'one apple']],
      [{ $and: [{ text: { $q: 'apple' } }, { 'user.id': 'ada' }] }, ['one apple']],
      [{ $and: [{ text: { $autocomplete: 'app' } }], text: { $q: 'two' } }, ['two apples']],
      [{ $nor: [{ text: { $autocomplete: 'appl' } }] }, ['three pears']],
      [{ text: { $q: 'apple', $ne: 'one apple' } }, []],
      [{}, ['three pears', 'two apples', 'one apple']],
    ]
    for (const [filter, expected] of cases) assert.deepEqual(await found(filter), expected, JSON.stringify(filter))
    assert.deepEqual(await found({}, [{ field: 'created_at', direction: 1 }]), [
      'one apple',
      'two apples',
      'three pears',
    ])
    assert.deepEqual(await found({}, [{ field: 'text' }]), ['one apple', 'three pears', 'two apples'])
    assert.deepEqual(await found({}, [{ field: 'colour', direction: -1 }, { field: 'created_at' }]), [
      'one apple',
      'two apples',
      'three pears',
    ])
    assert.deepEqual(await found({}, [{ field: 'relevance' }]), ['one apple', 'two apples', 'three pears'])
  })

  it('[SRCH-1] exact phrase matches come first', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (const text of ['green tea', 'tea from green leaves', 'Green tea, please', 'tea for green people'])
      await ada.sends(room, text)
    const filter_conditions = { cid: room }
    const all = ['Green tea, please', 'green tea', 'tea for green people', 'tea from green leaves']
    assert.deepEqual(await texts(ada, { filter_conditions, query: 'green tea' }), all)
    assert.deepEqual(await texts(ada, { filter_conditions, query: 'green tea', limit: 2, offset: 1 }), all.slice(1, 3))
    const byTime = [{ field: 'created_at', direction: -1 }]
    assert.deepEqual(await texts(ada, { filter_conditions, query: 'green tea', sort: byTime }), [
      'tea for green people',
      'Green tea, please',
      'tea from green leaves',
      'green tea',
    ])
  })

  it('[SRCH-6] [SRCH-7] returns pages of at most a hundred messages', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (let i = 0; i < 105; i++) await ada.sends(room, `tea ${i}`)
    const names = Array.from({ length: 105 }, (_, i) => `tea ${104 - i}`)
    const ask = { filter_conditions: { cid: room }, query: 'tea' }
    const shown = ({ results }: { results: SearchResult[] }) => results.map(({ message }) => message.text)

    const first = await search(ada, ask)
    assert.deepEqual(shown(first), names.slice(0, 100))
    assert.equal(first.previous, undefined)
    const second = await search(ada, { ...ask, next: first.next })
    assert.deepEqual(shown(second), names.slice(100))
    assert.equal(second.next, undefined)
    assert.deepEqual(shown(await search(ada, { ...ask, next: second.previous })), names.slice(0, 100))
    const sort = [{ field: 'created_at', direction: 1 }]
    assert.deepEqual(await texts(ada, { ...ask, sort, limit: 2, offset: 3 }), ['tea 3', 'tea 4'])
    const third = await search(ada, { ...ask, sort, limit: 2, offset: 3 })
    assert.deepEqual(shown(await search(ada, { ...ask, sort, limit: 2, next: third.next })), ['tea 5', 'tea 6'])
    assert.deepEqual(await texts(ada, { ...ask, offset: 105 }), [])

    const { message } = await isRefused(ada, 4, { ...ask, offset: 1, next: first.next })
    assert.match(message, /Cannot specify offset with next/)
    await isRefused(ada, 4, { ...ask, next: 'elsewhere' })
    for (const limit of [1, 100]) assert.deepEqual(shown(await search(ada, { ...ask, limit })), names.slice(0, limit))
    for (const limit of [-1, 0, 1.5, 101, '10']) await isRefused(ada, 4, { ...ask, limit })
    await isRefused(ada, 4, { ...ask, offset: 1001 })
  })

  it('[SRCH-8] pages through all matches, those with the phrase first, while messages come and go', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (let i = 0; i < 130; i++) await ada.sends(room, i % 40 === 0 ? `green tea ${i}` : `tea, green ${i}`)
    const ask = { filter_conditions: { cid: room }, query: 'green tea', limit: 30 }
    const placed = ({ results }: { results: SearchResult[] }) =>
      results.map(({ message }) => Number(message.text!.split(' ').at(-1)))
    // Of the newest hundred those with the phrase come first; an older one with it stays where it is.
    const weighed = Array.from({ length: 100 }, (_, i) => 129 - i)
    const all = [
      ...weighed.filter((i) => i % 40 === 0),
      ...weighed.filter((i) => i % 40 !== 0),
      ...Array.from({ length: 30 }, (_, i) => 29 - i),
    ]

    const pages = [await search(ada, ask)]
    while (pages.at(-1)!.next) {
      await ada.sends(room, 'green tea, newer: 999')
      const [gone] = pages.at(-1)!.results
      await ada.does('DELETE', `/messages/${gone!.message.id}`)
      pages.push(await search(ada, { ...ask, next: pages.at(-1)!.next }))
    }
    assert.deepEqual(pages.flatMap(placed), all)

    const gone = new Set(pages.slice(0, -1).map((page) => placed(page)[0]))
    const back: number[] = placed(pages.at(-1)!)
    for (let page = pages.at(-1)!; page.previous; back.unshift(...placed(page)))
      page = await search(ada, { ...ask, next: page.previous })
    assert.deepEqual(
      back,
      all.filter((i) => !gone.has(i)),
    )

    const [first, second] = [await search(ada, { ...ask, offset: 40 }), await search(ada, { ...ask, offset: 120 })]
    assert.deepEqual(
      placed(await search(ada, { ...ask, next: first.next })),
      placed(await search(ada, { ...ask, offset: 70 })),
    )
    assert.equal(second.next, undefined)
  })

  it('[SRCH-6] takes exactly one of query and message filter, and a channel filter', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const filter_conditions = { cid: room }
    await isRefused(ada, 4, { filter_conditions })
    await isRefused(ada, 4, { filter_conditions, query: '' })
    await isRefused(ada, 4, { filter_conditions, query: 'tea', message_filter_conditions: { pinned: true } })
    await isRefused(ada, 4, { filter_conditions: {}, query: 'tea' })
    await isRefused(ada, 4, { query: 'tea' })
    await isRefused(ada, 4, { filter_conditions: [], query: 'tea' })
    await isRefused(ada, 4, { filter_conditions, query: 7 })
    await isRefused(ada, 4, { filter_conditions, message_filter_conditions: { 'user.name': { $lt: [] } } })
    await isRefused(ada, 4, { filter_conditions, query: 'tea', sort: [{ field: 'attachments' }] })
  })

  it('[SRCH-7] searches only channels the caller may read', async () => {
    const { ada, bo, eve, appServer } = await fixture.createApp('ada', 'bo', 'eve')
    const ours = await appServer.opens([ada, bo])
    const stream = await appServer.opens([ada], {}, 'livestream')
    const quiet = await appServer.opens([ada, bo], {}, 'gaming')
    const closed = await appServer.opens([ada, bo])
    for (const room of [ours, stream, quiet, closed]) await ada.sends(room, `tea in ${room}`)
    await appServer.does('POST', path(closed), { body: { data: { disabled: true } } })
    const everywhere = { type: { $in: ['messaging', 'livestream', 'gaming'] } }
    const found = async (testUser: Searcher) =>
      new Set(await texts(testUser, { filter_conditions: everywhere, query: 'tea' }))
    const said = (...rooms: string[]) => new Set(rooms.map((room) => `tea in ${room}`))

    assert.deepEqual(await found(bo), said(ours, stream))
    assert.deepEqual(await found(eve), said(stream))
    assert.deepEqual(await found(appServer), said(ours, stream, closed))
    assert.deepEqual(await texts(eve, { filter_conditions: { cid: ours }, query: 'tea' }), [])
    await appServer.does('POST', path(ours), { body: { remove_members: ['bo'] } })
    assert.deepEqual(await found(bo), said(stream))
    const ofBo = { filter_conditions: { joined: true }, query: 'tea', user_id: 'bo' }
    assert.deepEqual(await texts(appServer, ofBo), [`tea in ${closed}`])
    await isRefused(appServer, 4, { filter_conditions: { joined: true }, query: 'tea' })
  })

  it('[SRCH-7] [PERM-10] a user whose role is named like a property of every object searches as others do', async () => {
    const { ada, bo, eve, appServer } = await fixture.createApp('ada', 'bo', 'eve')
    const [ours, open] = [await appServer.opens([ada, bo]), await appServer.opens([ada], {}, 'livestream')]
    for (const room of [ours, open]) await ada.sends(room, `tea in ${room}`)
    const filter_conditions = { type: { $in: ['messaging', 'livestream'] } }
    for (const role of ['constructor', 'toString', '__proto__']) {
      await appServer.does('POST', '/roles', { body: { name: role } })
      await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { role } }] } })
      await appServer.does('PATCH', '/users', {
        body: { users: [{ id: 'eve', set: { teams: ['north'], teams_role: JSON.parse(`{"north":"${role}"}`) } }] },
      })
      assert.deepEqual(await texts(bo, { filter_conditions, query: 'tea' }), [`tea in ${ours}`], role)
      assert.deepEqual(await texts(eve, { filter_conditions, query: 'tea' }), [`tea in ${open}`], role)
    }
  })

  it('[SRCH-7] skips messages that are deleted, system, shadowed, truncated or from before the user’s history', async () => {
    const { ada, bo, cyd, appServer } = await fixture.createApp('ada', 'bo', 'cyd')
    const room = await appServer.opens([ada, bo])
    const found = (testUser: Searcher) => texts(testUser, { filter_conditions: { cid: room }, query: 'tea' })
    await ada.sends(room, 'tea one')
    const two = await ada.sends(room, 'tea two')
    const three = await ada.sends(room, 'tea three')
    await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'tea of the system', type: 'system', user_id: 'ada' } },
    })
    await ada.does('DELETE', `/messages/${two.id}`)
    assert.deepEqual(await found(bo), ['tea three', 'tea one'])
    await appServer.does('POST', `/messages/${two.id}/undelete`, { body: { undeleted_by: 'ada' } })
    assert.deepEqual(await found(bo), ['tea three', 'tea two', 'tea one'])
    await ada.does('DELETE', `/messages/${two.id}`, { query: { delete_for_me: 'true' } })
    assert.deepEqual(await found(ada), ['tea three', 'tea one'])
    assert.deepEqual(await found(bo), ['tea three', 'tea two', 'tea one'])
    await ada.does('DELETE', `/messages/${two.id}`, { query: { hard: 'true' } })
    assert.deepEqual(await found(bo), ['tea three', 'tea one'])

    await appServer.does('POST', path(room), { body: { add_members: ['cyd'], hide_history: true } })
    await ada.sends(room, 'tea four')
    assert.deepEqual(await found(cyd), ['tea four'])

    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', banned_by_id: 'ada', shadow: true, type: 'messaging', id: room.split(':')[1] },
    })
    await bo.sends(room, 'tea in the shadow')
    assert.deepEqual(await found(ada), ['tea four', 'tea three', 'tea one'])
    assert.deepEqual(await found(bo), ['tea in the shadow', 'tea four', 'tea three', 'tea one'])
    assert.deepEqual(await found(appServer), ['tea four', 'tea three', 'tea one'])

    await appServer.does('POST', `${path(room)}/truncate`, { body: { truncated_at: three.created_at } })
    assert.deepEqual(await found(ada), ['tea four', 'tea three'])
    await appServer.does('POST', `${path(room)}/truncate`, { body: { hard_delete: true } })
    assert.deepEqual(await found(ada), [])
    await ada.sends(room, 'tea at last')
    assert.deepEqual(await found(ada), ['tea at last'])
    await appServer.does('DELETE', path(room))
    assert.deepEqual(await texts(ada, { filter_conditions: { type: 'messaging' }, query: 'tea' }), [])
  })

  it('[SRCH-7] finds restricted messages only for their audience', async () => {
    const { ada, bo, cyd, appServer } = await fixture.createApp('ada', 'bo', 'cyd')
    const room = await appServer.opens([ada, bo, cyd])
    const message = { text: 'tea for two', user_id: 'ada', restricted_visibility: ['bo'] }
    await appServer.does('POST', `${path(room)}/message`, { body: { message } })
    const found = (testUser: Searcher) => texts(testUser, { filter_conditions: { cid: room }, query: 'tea' })
    for (const testUser of [ada, bo, appServer]) assert.deepEqual(await found(testUser), ['tea for two'])
    assert.deepEqual(await found(cyd), [])
  })

  it('[SRCH-7] finds messages in hidden channels, but not in blocked ones', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'tea')
    const found = () => texts(ada, { filter_conditions: { members: { $in: ['ada'] } }, query: 'tea' })
    await ada.does('POST', `${path(room)}/hide`, { body: {} })
    assert.deepEqual(await found(), ['tea'])
    await ada.does('POST', '/users/block', { body: { blocked_user_id: 'bo' } })
    assert.deepEqual(await found(), [])
  })

  it('an edited message is found by its new text only', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'tea')
    const found = (query: string) => texts(ada, { filter_conditions: { cid: room }, query })
    await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'coffee' } } })
    assert.deepEqual([await found('tea'), await found('coffee')], [[], ['coffee']])
    await ada.does('POST', `/messages/${id}`, { body: { message: { text: 'juice' } } })
    assert.deepEqual([await found('coffee'), await found('juice')], [[], ['juice']])
    await ada.does('PUT', `/messages/${id}`, { body: { set: { pinned: true } } })
    assert.deepEqual(await found('juice'), ['juice'])
  })

  it('finds messages from days, weeks and years ago', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const said: string[] = []
    for (const days of [700, 300, 80, 40, 20, 12, 3, 1, 0]) {
      await ada.sends(room, `tea, ${days} days before the next`)
      said.unshift(`tea, ${days} days before the next`)
      fixture.clock.advance(days * DAY_MS)
    }
    // As in an app with many messages, which is searched window by window.
    const { write } = fixture.nodes[0]!.server.database
    await sql`update channels set counted = 50000 where cid = ${room}`.execute(write)
    const ask = { filter_conditions: { cid: room }, query: 'tea' }
    assert.deepEqual(await texts(ada, ask), said)
    for (const limit of [1, 3, 6])
      assert.deepEqual(await texts(ada, { ...ask, limit, offset: 2 }), said.slice(2, 2 + limit))
    assert.deepEqual(await texts(ada, { ...ask, sort: [{ field: 'created_at', direction: 1 }] }), said.toReversed())
  })

  it('indexes messages that are older than the index, and continues after an interruption', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await Promise.all(Array.from({ length: 250 }, (_, i) => ada.sends(room, `tea ${i}`)))
    const { server } = fixture.nodes[0]!
    const { write, dialect } = server.database
    const emptied = {
      sqlite: sql`insert into message_words (message_words) values ('delete-all')`,
      postgres: sql`delete from message_words`,
    }
    await emptied[dialect.name].execute(write)
    const found = async () => {
      const pages = [0, 100, 200].map((offset) =>
        texts(ada, { filter_conditions: { cid: room }, query: 'tea', offset }),
      )
      return (await Promise.all(pages)).flat().length
    }
    assert.equal(await found(), 0)

    await sql`insert into unindexed_after (app, id) values (${ada.app.id}, '')`.execute(write)
    let rounds = 0
    await indexEarlierMessages(server, () => rounds++ === 1)
    const some = await found()
    assert.ok(some > 0 && some < 250, `${some} were found`)
    await indexEarlierMessages(server, () => false)
    assert.equal(await found(), 250)
    assert.deepEqual((await sql`select * from unindexed_after`.execute(write)).rows, [])
  })

  it('reports when there are more channels than it searches', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'tea')
    const { write } = fixture.nodes[0]!.server.database
    const copies = (table: string, columns: string[], changed: Record<string, string>) => {
      const all = columns.map((name) => changed[name] ?? name).join()
      return sql
        .raw(`insert into ${table} (${columns.join()})
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 500)
          select ${all} from ${table}, n where cid = '${room}'`)
        .execute(write)
    }
    const columnsOf = async (table: 'channels' | 'members') =>
      Object.keys(
        (await write.selectFrom(table).selectAll().where('cid', '=', room).executeTakeFirstOrThrow()) as object,
      )
    await copies('channels', await columnsOf('channels'), {
      cid: "cid || '-' || i",
      id: "id || '-' || i",
      activity_at: 'activity_at + i',
    })
    await copies('members', await columnsOf('members'), { cid: "cid || '-' || i" })

    const answer = await search(ada, { filter_conditions: { members: { $in: ['ada'] } }, query: 'tea' })
    assert.deepEqual(answer.results, [])
    assert.equal(answer.results_warning.channel_search_count, 500)
    assert.equal(new Set(answer.results_warning.channel_search_cids).size, 500)
    assert.equal(answer.results_warning.channel_search_cids.includes(room), false)
    assert.equal(typeof answer.results_warning.warning_code, 'number')
    assert.deepEqual(await texts(ada, { filter_conditions: { cid: room }, query: 'tea' }), ['tea'])
  })
})

onEveryTransport((fixture) => {
  it('a new message is found at once by others, on any node', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (const testUser of [ada, bo]) await testUser.sends(room, `tea from ${testUser.id}`)
    const expected = ['tea from bo', 'tea from ada']
    for (const testUser of [ada, bo])
      assert.deepEqual(await texts(testUser, { filter_conditions: { cid: room }, query: 'tea' }), expected)
  })
})
