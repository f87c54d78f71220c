import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import type { Bus } from './bus.ts'
import type { Connection } from './connection.ts'
import { Hub, type HubSources } from './hub.ts'
import type { UnreadState } from './online-user.ts'
import type { Publication } from './publication.ts'

const app = 'app'
const room = 'messaging:tea'

it('events that the bus delivers out of order reach clients in order', async () => {
  const { hub, busMessage, bo, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  busMessage.deliver(posted(1))
  busMessage.deliver(posted(3))
  assert.deepEqual(bo.received(), ['message 1'])

  busMessage.deliver(posted(2))
  clock.advance(100)

  assert.deepEqual(bo.received(), ['message 1', 'message 2', 'message 3'])
})

it('an event without a number does not overtake those that wait', async () => {
  const { hub, busMessage, bo, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  busMessage.deliver(posted(1))
  busMessage.deliver(posted(3))
  busMessage.deliver(posted(0))
  assert.deepEqual(bo.received(), ['message 1'])

  busMessage.deliver(posted(2))
  clock.advance(100)

  assert.deepEqual(bo.received(), ['message 1', 'message 2', 'message 3', 'message 0'])
})

it('an event that the bus lost is read from the log, and no event is delivered twice', async () => {
  const { hub, busMessage, bo, log, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  busMessage.deliver(posted(1))
  log.push(posted(1), posted(2), posted(3))
  busMessage.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.received(), ['message 1', 'message 2', 'message 3'])
  busMessage.deliver(posted(2))
  busMessage.deliver(posted(4))
  assert.deepEqual(bo.received(), ['message 1', 'message 2', 'message 3', 'message 4'])
})

it('what arrives while the log is being read comes after it', async () => {
  const { hub, busMessage, bo, log, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  busMessage.deliver(posted(1))
  busMessage.deliver(posted(3))
  log.push(posted(2), posted(3))
  log.isSlow()
  clock.advance(100)

  busMessage.deliver(posted(4))
  busMessage.deliver(posted(5))
  log.answers()
  await log.wasRead()

  assert.deepEqual(bo.received(), ['message 1', 'message 2', 'message 3', 'message 4', 'message 5'])
})

it('the loss of the very first event after a user began to watch is noticed', async () => {
  const { hub, busMessage, bo, log, clock } = await aNode()
  log.push(posted(1))
  await hub.watch(bo.connection, [room])
  log.push(posted(2), posted(3))
  busMessage.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.received(), ['message 2', 'message 3'])
})

it('a new watcher does not receive earlier events, however late they come', async () => {
  const { hub, busMessage, bo, log, unreadStates, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 1, unread: 0, counts: true })
  log.push(posted(2), posted(3))
  await hub.watch(bo.connection, [room])
  log.push(posted(4))
  unreadStates.set(room, { seq: 4, ordinal: 1, unread: 3, counts: true })
  busMessage.deliver(posted(2))
  busMessage.deliver(posted(4))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(
    bo.received().map((words) => words.split(',')[0]),
    ['message 4'],
  )
})

it('a member who does not watch receives a lost message too, with the current totals', async () => {
  const { busMessage, bo, log, unreadStates, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 1, unread: 0, counts: true })
  log.push(posted(2), posted(3))
  unreadStates.set(room, { seq: 3, ordinal: 1, unread: 2, counts: true })
  busMessage.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.received(), ['notice of 2, 2 unread', 'notice of 3, 2 unread'])
  assert.deepEqual(bo.totals(), { unread: 2, channels: 1 })
})

it('a reader’s own event waits for the events before it, so that its totals are right', async () => {
  const { busMessage, bo } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
  const read: Publication = {
    ...event(3),
    effects: [{ do: 'read', user: 'bo', ordinal: 2, unread: 0 }],
    personal: [{ users: ['bo'], body: words('all read'), totals: true }],
  }

  busMessage.deliverTo('bo', read)
  busMessage.deliver(read)
  assert.deepEqual(bo.received(), [])
  busMessage.deliver(posted(2))

  assert.deepEqual(bo.received(), ['notice of 2, 2 unread', 'all read, 0 unread'])
})

it('an unread state that an event has overtaken during the read is read again', async () => {
  const { busMessage, bo, unreadStates } = await aNode()
  unreadStates.set(room, { seq: 1, ordinal: 1, unread: 0, counts: true })
  // The second reading makes up for what the first one missed; this event overtakes it.
  unreadStates.duringReading(2, () => {
    unreadStates.set(room, { seq: 2, ordinal: 1, unread: 1, counts: true })
    busMessage.deliver(posted(2))
  })

  await bo.comes()

  assert.deepEqual(bo.totals(), { unread: 1, channels: 1 })
})

it('two devices that connect at the same moment are given the same totals', async () => {
  const { hub, unreadStates } = await aNode()
  unreadStates.set(room, { seq: 1, ordinal: 0, unread: 1, counts: true })

  const [first, second] = await Promise.all([hub.attach(device('bo').connection), hub.attach(device('bo').connection)])

  assert.deepEqual(first!.totals, { unread: 1, channels: 1 })
  assert.deepEqual(second!.totals, { unread: 1, channels: 1 })
})

it('messages sent while a new member’s subscription is being made are not lost', async () => {
  const { busMessage, bo, unreadStates } = await aNode()
  await bo.comes()
  const joined: Publication = {
    ...event(7),
    effects: [{ do: 'join', user: 'bo', ordinal: 4, counts: true }],
    personal: [{ users: ['bo'], body: words('welcome'), totals: true }],
  }
  unreadStates.set(room, { seq: 8, ordinal: 4, unread: 1, counts: true })

  busMessage.deliverTo('bo', joined)
  await busMessage.settles()

  assert.deepEqual(bo.received(), ['welcome, 0 unread'])
  assert.deepEqual(bo.totals(), { unread: 1, channels: 1 })
})

it('a removed member receives no more events, also when only the log has the removal', async () => {
  const { hub, busMessage, bo, log, unreadStates, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
  await hub.watch(bo.connection, [room])
  log.push(event(2), posted(3))
  unreadStates.delete(room)
  busMessage.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.received(), [])
  assert.deepEqual(bo.totals(), { unread: 0, channels: 0 })
})

it('after the bus was away all connections resync', async () => {
  const { hub, bo, log, unreadStates, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 1, unread: 0, counts: true })
  await hub.watch(bo.connection, [room])
  log.push(posted(2))
  unreadStates.set(room, { seq: 2, ordinal: 1, unread: 1, counts: true })

  await hub.catchUp()
  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.received(), ['message 2, 1 unread'])
  assert.deepEqual(bo.totals(), { unread: 1, channels: 1 })
})

it('the last event, after which nothing comes, is read from the log once its number is known', async () => {
  const { hub, bo, busMessage, log, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  busMessage.deliver(posted(1))
  log.push(posted(1), posted(2))
  hub.expect([app, room, 1])
  clock.advance(100)
  assert.deepEqual(bo.received(), ['message 1'])

  hub.expect([app, room, 2])
  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.received(), ['message 1', 'message 2'])
  // It comes after all.
  busMessage.deliver(posted(2))
  assert.deepEqual(bo.received(), ['message 1', 'message 2'])
})

it('an event whose number comes first is awaited', async () => {
  const { hub, bo, busMessage, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  busMessage.deliver(posted(1))
  hub.expect([app, room, 2])
  busMessage.deliver(posted(2))
  clock.advance(100)
  assert.deepEqual(bo.received(), ['message 1', 'message 2'])
})

it('the newest number of each channel is published once', async () => {
  const { hub } = await aNode()
  hub.publish([posted(1), posted(2), posted(0)])
  assert.deepEqual(hub.takeNewest(), [[app, room, 2]])
  assert.deepEqual(hub.takeNewest(), [])
})

it('a node that catches up does not look after one user after the other', async () => {
  const { hub, busMessage, sources } = await aNode()
  const people = ['ada', 'bo', 'cy'].map((id) => device(id).connection)
  for (const connection of people) await hub.attach(connection)
  const { unreadStates } = sources
  let underWay = 0
  const most: number[] = []
  sources.unreadStates = async (...asked) => {
    most.push(++underWay)
    await busMessage.settles()
    underWay -= 1
    return unreadStates(...asked)
  }
  await hub.catchUp()
  assert.equal(Math.max(...most), people.length)
})

describe('a user who disconnects', () => {
  it('leaves nothing behind once their last connection has gone', async () => {
    const { hub, busMessage, noted, unreadStates, bo } = await aNode()
    const [first, second] = [device('ada'), device('ada')]
    unreadStates.set(room, { seq: 1, ordinal: 0, unread: 1, counts: true })
    for (const { connection } of [first, second]) await hub.attach(connection)
    hub.follow(first.connection, ['bo'])
    await hub.watch(first.connection, [room])
    assert.deepEqual(noted, ['ada comes', 'ada has 1', 'ada has 2', 'ada begins watching'])
    assert.deepEqual(busMessage.subjects.toSorted(), [channelSubject, userSubject('ada')].toSorted())

    hub.detach(first.connection)
    assert.deepEqual(noted.splice(0).slice(4), ['ada stops watching', 'ada has 1'])
    assert.deepEqual([hub.connectionsOf(app, 'ada'), hub.connections.size, busMessage.subjects.length], [1, 1, 2])
    hub.sendToFollowers(app, 'bo', words('bo is here'))
    hub.detach(second.connection)
    hub.detach(second.connection)
    assert.deepEqual(noted, ['ada has 0', 'ada leaves'])
    assert.deepEqual([hub.user(app, 'ada'), hub.usersHere(app), hub.connections.size], [undefined, [], 0])
    assert.deepEqual(busMessage.subjects, [])
    assert.deepEqual([...first.received(), ...second.received()], [])
    assert.equal(hub.user(app, bo.connection.userId), undefined)
  })

  it('comes again as if for the first time', async () => {
    const { hub, noted, bo, unreadStates } = await aNode()
    await bo.belongs({ seq: 1, ordinal: 0, unread: 2, counts: true })
    hub.detach(bo.connection)
    unreadStates.set(room, { seq: 4, ordinal: 0, unread: 5, counts: true })
    await bo.comes()
    assert.deepEqual(noted, ['bo comes', 'bo has 1', 'bo has 0', 'bo leaves', 'bo comes', 'bo has 1'])
    assert.equal(bo.totals().unread, 5)
  })

  it('and is anonymous never counted as present', async () => {
    const { hub, noted, busMessage } = await aNode()
    const { connection } = device('!anon-1', { anonymous: true })
    assert.equal(await hub.attach(connection), undefined)
    assert.equal(hub.connections.size, 1)
    hub.detach(connection)
    assert.deepEqual([noted, busMessage.subjects, hub.connections.size], [[], [], 0])
  })
})

describe('the recipients of an event', () => {
  it('followers receive the presence of others, and not their own', async () => {
    const { hub } = await aNode()
    const [ada, adasPhone, cy] = [device('ada'), device('ada'), device('cy')]
    for (const { connection } of [ada, adasPhone, cy]) await hub.attach(connection)
    for (const { connection } of [ada, cy]) hub.follow(connection, ['ada', 'dee'])
    hub.sendToFollowers(app, 'ada', words('ada is away'))
    hub.sendToFollowers('another app', 'ada', words('another ada'))
    hub.sendToFollowers(app, 'bo', words('bo is away'))
    assert.deepEqual([ada.received(), adasPhone.received(), cy.received()], [[], [], ['ada is away']])
    assert.equal(hub.deliveries, 1)
  })

  it('all who know a user receive it once each', async () => {
    const { hub } = await aNode()
    const [ada, bo, cy, dee, eve] = ['ada', 'bo', 'cy', 'dee', 'eve'].map((id) => device(id))
    for (const each of [ada!, bo!, cy!, dee!, eve!]) await hub.attach(each.connection)
    hub.follow(bo!.connection, ['ada'])
    await Promise.all([bo!, cy!].map(({ connection }) => hub.watch(connection, [room])))
    await hub.watch(dee!.connection, ['messaging:den'])
    hub.sendToAllWhoKnow(app, 'ada', [room], words('ada has a new name'))
    const received = [ada, bo, cy, dee, eve].map((each) => each!.received().length)
    assert.deepEqual(received, [1, 1, 1, 0, 0])
  })

  it('a user receives it on every connection, watchers on all but those of one of them', async () => {
    const { hub } = await aNode()
    const [bo, bosPhone, cy] = [device('bo'), device('bo'), device('cy')]
    for (const { connection } of [bo, bosPhone, cy]) await hub.attach(connection)
    hub.sendToUser(app, 'bo', words('hello'))
    await Promise.all([bosPhone, cy].map(({ connection }) => hub.watch(connection, [room])))
    hub.sendToWatchers(app, room, words('cy types'), 'cy')
    hub.sendToWatchers(app, room, words('to all'), undefined)
    hub.sendToWatchers(app, 'messaging:den', words('to none'), undefined)
    hub.send([bo.connection], app, words('this one'))
    assert.deepEqual(
      [bo.received(), bosPhone.received(), cy.received()],
      [['hello', 'this one'], ['hello', 'cy types', 'to all'], ['to all']],
    )
    assert.deepEqual(hub.usersHere(app).toSorted(), ['bo', 'cy'])
    assert.deepEqual(hub.usersHere('another app'), [])
  })

  it('an event is not for the member it leaves out, for those it names none of, nor for those who do not see it', async () => {
    const { hub, busMessage, unreadStates } = await aNode()
    unreadStates.set(room, { seq: 1, ordinal: 0, unread: 0, counts: false })
    const members = ['ada', 'bo', 'cy'].map((id) => device(id))
    for (const { connection } of members) await hub.attach(connection)
    await hub.watch(members[2]!.connection, [room])
    const both = { watchers: words('watched'), others: { body: words('noticed') } }
    const received = (publication: Partial<Publication>, seq: number) => {
      const before = members.map((each) => each.received().length)
      busMessage.deliver({ ...event(seq), ...both, ...publication })
      return members.map((each, i) => each.received().slice(before[i]))
    }
    assert.deepEqual(received({}, 2), [['noticed'], ['noticed'], ['watched']])
    assert.deepEqual(received({ others: { body: words('noticed'), except: 'ada' } }, 3), [[], ['noticed'], ['watched']])
    assert.deepEqual(received({ except: 'cy' }, 4), [['noticed'], ['noticed'], []])
    assert.deepEqual(received({ except: 'ada' }, 5), [['noticed'], ['noticed'], ['watched']])
    assert.deepEqual(received({ only: ['bo'] }, 6), [[], ['noticed'], []])
    assert.deepEqual(received({ only: ['cy'] }, 7), [[], [], ['watched']])
    for (const user of ['ada', 'cy'])
      received({ effects: [{ do: 'hideHistory', user, to: 5 }] }, user === 'ada' ? 8 : 9)
    assert.deepEqual(received({ about: 5 }, 10), [[], ['noticed'], []])
    assert.deepEqual(received({ about: 6 }, 11), [['noticed'], ['noticed'], ['watched']])
    // All members see what is posted now.
    assert.deepEqual(received({ about: 12, at: 12 }, 12), [['noticed'], ['noticed'], ['watched']])
  })

  it('totals come to whom they are for, and a notice of what changed only to those for whom it did', async () => {
    const { hub, busMessage, unreadStates } = await aNode()
    unreadStates.set(room, { seq: 1, ordinal: 0, unread: 1, counts: true })
    const [ada, bo, cy] = [device('ada'), device('bo'), device('cy')]
    for (const { connection } of [ada, bo, cy]) await hub.attach(connection)
    await Promise.all([ada, bo].map(({ connection }) => hub.watch(connection, [room])))
    busMessage.deliver({ ...event(2), watchers: words('read'), totals: { only: 'bo' } })
    busMessage.deliver({ ...event(3), watchers: words('plain') })
    const others = { body: words('changed'), onlyChanged: true } as const
    busMessage.deliver({ ...event(4), others })
    const count: Publication['effects'] = [{ do: 'count', ordinal: 9, author: 'ada', postedAt: 4 }]
    busMessage.deliver({ ...event(5), others, effects: count })
    assert.deepEqual(
      [ada.received(), bo.received(), cy.received()],
      [['read', 'plain'], ['read, 1 unread', 'plain'], ['changed, 2 unread']],
    )
  })

  it('users whose count went down receive it, and no others', async () => {
    const { busMessage, bo } = await aNode()
    await bo.belongs({ seq: 1, ordinal: 0, unread: 2, counts: true })
    const lowered = { user: 'bo', body: words('fewer') }
    const read = (unread: number): Publication['effects'] => [{ do: 'read', user: 'bo', ordinal: 9, unread }]
    busMessage.deliver({ ...event(2), lowered, effects: read(2) })
    busMessage.deliver({ ...event(3), lowered, effects: read(3) })
    busMessage.deliver({ ...event(4), lowered: { ...lowered, user: 'ada' }, effects: read(2) })
    assert.deepEqual(bo.received(), [])
    busMessage.deliver({ ...event(5), lowered, effects: read(1) })
    assert.deepEqual(bo.received(), ['fewer, 1 unread'])
  })

  it('a watcher with their own body of an event receives it once', async () => {
    const { hub, busMessage, unreadStates } = await aNode()
    unreadStates.set(room, { seq: 1, ordinal: 0, unread: 0, counts: true })
    const [screen, phone] = [device('bo'), device('bo')]
    for (const { connection } of [screen, phone]) await hub.attach(connection)
    await hub.watch(screen.connection, [room])
    const personal = { users: ['bo'], body: words('only elsewhere'), unwatched: true }
    busMessage.deliverTo('bo', { ...event(0), personal: [personal, { ...personal, users: ['ada'] }] })
    assert.deepEqual([screen.received(), phone.received()], [[], ['only elsewhere']])
  })
})

describe('users gone from a channel', () => {
  it('are none, once it is closed', async () => {
    const { hub, busMessage, bo } = await aNode()
    await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
    await hub.watch(bo.connection, [room])
    busMessage.deliver({ ...event(2), watchers: words('gone'), effects: [{ do: 'close' }] })
    assert.deepEqual([bo.received(), bo.totals()], [['gone'], { unread: 0, channels: 0 }])
    assert.deepEqual(busMessage.subjects, [userSubject('bo')])
    assert.equal(bo.connection.watching.size, 0)
  })

  it('are the removed member, and no other user', async () => {
    const { hub, busMessage, bo, unreadStates } = await aNode()
    await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
    const cy = device('cy')
    await hub.attach(cy.connection)
    for (const { connection } of [bo, cy]) await hub.watch(connection, [room])
    unreadStates.delete(room)
    busMessage.deliver({ ...event(2), watchers: words('bo is gone'), effects: [{ do: 'leave', user: 'bo' }] })
    busMessage.deliver(posted(3))
    assert.deepEqual([bo.received(), cy.received()], [['bo is gone'], ['bo is gone', 'message 3, 2 unread']])
    assert.deepEqual([bo.totals().unread, hub.watchersOf(app, room)], [0, ['cy']])
  })
})

describe('watchers on other nodes', () => {
  it('are asked for once by a node where a user begins to watch, and published by it', async () => {
    const { hub, busMessage, bo, noted } = await aNode()
    const ask = [channelSubject, { from: 'here', ask: 'watchers' }]
    await hub.watch(bo.connection, [room])
    assert.deepEqual(busMessage.sent, [[channelSubject, { from: 'here', watch: 'bo', on: true }], ask])
    const phone = device('bo')
    await hub.watch(phone.connection, [room])
    assert.equal(busMessage.sent.length, 2)
    busMessage.delivered({ watchers: ['ada', 'cy'], invisible: ['cy'], to: 'here' })
    busMessage.delivered({ watchers: ['dee'], to: 'yonder' })
    assert.deepEqual([hub.watcherCount(app, room), hub.watchersShown(app, room)], [2, ['bo', 'ada']])
    assert.deepEqual(hub.watchersOf(app, room), ['bo', 'ada', 'cy'])
    assert.deepEqual(noted, ['bo begins watching', 'ada begins watching'])
    hub.nodeGone('yonder')
    assert.equal(hub.watcherCount(app, room), 2)
    hub.nodeGone('there')
    assert.deepEqual(hub.watchersOf(app, room), ['bo'])
    hub.unwatch(phone.connection, room)
    assert.equal(busMessage.sent.length, 2)
    hub.unwatch(bo.connection, room)
    assert.deepEqual(busMessage.sent.slice(2), [[channelSubject, { from: 'here', watch: 'bo', on: false }]])
    assert.deepEqual(busMessage.subjects, [])
  })

  it('are reported by this node when asked, and its own messages are ignored', async () => {
    const { hub, busMessage, bo } = await aNode()
    hub.setInvisible(app, 'cy', true)
    await Promise.all([bo.connection, device('cy').connection].map((each) => hub.watch(each, [room])))
    busMessage.sent.length = 0
    busMessage.delivered({ from: 'here', ask: 'watchers' })
    busMessage.delivered({ from: 'here', publication: posted(1) })
    assert.deepEqual([busMessage.sent, bo.received()], [[], []])
    busMessage.delivered({ ask: 'watchers' })
    const answer = { from: 'here', watchers: ['bo', 'cy'], invisible: ['cy'], to: 'there' }
    assert.deepEqual(busMessage.sent, [[channelSubject, answer]])
    busMessage.delivered({ watch: 'dee', on: true, invisible: true })
    busMessage.delivered({ watch: 'eve', on: true })
    assert.deepEqual(hub.watchersShown(app, room), ['bo', 'eve'])
    busMessage.delivered({ watch: 'eve', on: false })
    assert.deepEqual(hub.watchersOf(app, room), ['cy', 'bo', 'dee'])
  })

  it('are asked for by all callers at once, and dropped where no user watches', async () => {
    const { hub, busMessage, clock } = await aNode()
    const asked = [hub.whoWatches(app, room), hub.whoWatches(app, room)]
    await busMessage.settles()
    assert.equal(busMessage.sent.length, 1)
    busMessage.delivered({ watchers: ['ada'], to: 'here' })
    clock.advance(0)
    assert.deepEqual(await Promise.all(asked), [['ada'], ['ada']])
    assert.deepEqual([busMessage.subjects, hub.knowsWatchers(app, room)], [[], false])
  })

  it('are cached where this node did not ask', async () => {
    const { hub } = await aNode()
    assert.deepEqual([hub.watcherCount(app, room), hub.watchersOf(app, room)], [0, []])
    hub.glimpsed(app, room, { count: 3, ids: ['ada', 'bo'] })
    assert.deepEqual(
      [hub.watcherCount(app, room), hub.watchersShown(app, room), hub.watchersOf(app, room)],
      [3, ['ada', 'bo'], ['ada', 'bo']],
    )
    assert.deepEqual(hub.cachedWatchers(app, room), { count: 3, ids: ['ada', 'bo'] })
    hub.glimpsed(app, room, { count: 200, ids: Array.from({ length: 150 }, (_, i) => `user-${i}`) })
    assert.deepEqual([hub.cachedWatchers(app, room).count, hub.cachedWatchers(app, room).ids.length], [200, 100])
  })

  it('are away for others while invisible, which is published where they watch', async () => {
    const { hub, noted, bo } = await aNode()
    await hub.watch(bo.connection, [room])
    noted.length = 0
    hub.setInvisible('another app', 'bo', true)
    hub.setInvisible(app, 'ada', true)
    assert.deepEqual(noted, [])
    for (const on of [true, true, false, false]) hub.setInvisible(app, 'bo', on)
    assert.deepEqual(noted, ['bo stops watching', 'bo begins watching'])
  })
})

describe('broadcasts to other nodes', () => {
  it('an event goes to its channel, and to those it is for or who come and go', async () => {
    const { hub, busMessage, bo } = await aNode()
    await hub.watch(bo.connection, [room])
    busMessage.sent.length = 0
    const publication: Publication = {
      ...event(1),
      watchers: words('news'),
      others: { body: () => words('notice') },
      lowered: { user: 'ada', body: () => words('fewer') },
      personal: [{ users: ['ada', 'bo'], body: words('you') }],
      effects: [
        { do: 'join', user: 'cy', ordinal: 0, counts: true },
        { do: 'leave', user: 'dee' },
        { do: 'read', user: 'eve', ordinal: 1, unread: 0 },
      ],
      quiet: { user: 'fay', users: [], channels: [] },
    }
    hub.publish([publication])
    const spoken = {
      ...publication,
      others: { body: words('notice') },
      lowered: { user: 'ada', body: words('fewer') },
    }
    const sent = { from: 'here', commits: 7, publication: spoken }
    assert.deepEqual(busMessage.sent, [
      [channelSubject, sent],
      ...['fay', 'ada', 'bo', 'cy', 'dee'].map((userId) => [userSubject(userId), { ...sent, userId }]),
    ])
    assert.deepEqual(bo.received(), ['news'])
    busMessage.sent.length = 0
    hub.publish([{ ...event(0), cid: null, personal: [{ users: ['bo'], body: words('you') }] }])
    assert.deepEqual(
      busMessage.sent.map(([subject]) => subject),
      [userSubject('bo')],
    )
  })

  it('how often a node has committed is noted', async () => {
    const { hub, busMessage, bo, noted } = await aNode()
    await hub.watch(bo.connection, [room])
    noted.length = 0
    busMessage.delivered({ publication: posted(1), commits: 12 })
    busMessage.delivered({ publication: posted(2), commits: 0 })
    assert.deepEqual(noted, ['there has committed 12'])
  })

  it('numbers that are gone begin again', async () => {
    const { hub, busMessage, bo } = await aNode()
    await hub.watch(bo.connection, [room])
    hub.publish([posted(1), posted(2)])
    hub.reset()
    busMessage.deliver(posted(1))
    assert.deepEqual([bo.received(), hub.takeNewest()], [['message 1', 'message 2', 'message 1'], []])
  })
})

describe('reloaded unread states', () => {
  it('are those of the app’s channels whose rules changed', async () => {
    const { hub, bo, unreadStates } = await aNode()
    await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
    unreadStates.set(room, { seq: 1, ordinal: 0, unread: 0, counts: false })
    await hub.reloadUnreadStates('another app', () => true)
    await hub.reloadUnreadStates(app, (cid) => cid !== room)
    assert.equal(bo.totals().unread, 1)
    await hub.reloadUnreadStates(app, (cid) => cid === room)
    assert.equal(bo.totals().unread, 0)
  })

  it('are those of the named users who are here', async () => {
    const { hub, bo, unreadStates } = await aNode()
    await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
    unreadStates.set('messaging:den', { seq: 5, ordinal: 0, unread: 2, counts: true })
    await hub.reloadUnreadStatesOfUsers(app, ['ada'])
    await hub.reloadUnreadStatesOfUsers('another app', ['bo'])
    assert.deepEqual(bo.totals(), { unread: 1, channels: 1 })
    await hub.reloadUnreadStatesOfUsers(app, ['ada', 'bo'])
    assert.deepEqual(bo.totals(), { unread: 3, channels: 2 })
  })
})

/** The node `here` of a cluster; everything on the bus is delivered by hand, as if `there` had sent it. */
async function aNode() {
  const clock = new FakeClock()
  const busMessage = new BusMessage()
  const log = new Log()
  const unreadStates = new UnreadStates()
  const noted: string[] = []
  const sources: HubSources = {
    unreadStates: async () => unreadStates.read(),
    mutes: async () => ({ users: [], channels: [] }),
    newestSeqs: async () => new Map([[room, log.events.at(-1)?.seq ?? 0]]),
    eventsAfter: (_, __, seq) => log.read(seq),
    watchingChanged: (_, __, id, watching) => void noted.push(`${id} ${watching ? 'begins' : 'stops'} watching`),
    arrived: (_, id) => void noted.push(`${id} comes`),
    left: (_, id) => void noted.push(`${id} leaves`),
    counted: (_, id, count) => void noted.push(`${id} has ${count}`),
    withoutHidden: (text) => text,
    inWords: (_, text) => text,
    failed: assert.ifError,
    commits: () => 7,
    receivedCommits: (node, number) => void noted.push(`${node} has committed ${number}`),
  }
  // Waiting for other nodes' watchers would be waiting for none.
  const impatient = {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    micros: () => clock.micros(),
    after: (ms: number, task: () => void) => clock.after(ms === 50 ? 0 : ms, task),
  }
  const hub = new Hub('here', impatient, busMessage, sources)
  const screen = device('bo')
  const bo = {
    ...screen,
    comes: () => hub.attach(screen.connection),
    /** Connects as a member with this unread state in the room. */
    async belongs(unreadState: UnreadState) {
      unreadStates.set(room, unreadState)
      await hub.attach(screen.connection)
    },
    totals: () => ({ ...hub.user(app, 'bo')!.totals }),
  }
  return { clock, busMessage, log, unreadStates, sources, noted, hub, bo }
}

const channelSubject = `app.${app}.channel.${Buffer.from(room).toString('base64url')}`

function userSubject(userId: string): string {
  return `app.${app}.user.${Buffer.from(userId).toString('base64url')}`
}

function event(seq: number): Publication {
  return { app, cid: room, seq, at: seq }
}

function posted(seq: number): Publication {
  return {
    ...event(seq),
    watchers: words(`message ${seq}`),
    others: { except: 'ada', body: words(`notice of ${seq}`) },
    totals: 'members',
    effects: [{ do: 'count', ordinal: seq, author: 'ada', postedAt: seq }],
  }
}

function words(text: string): string {
  return JSON.stringify({ text })
}

/** A bus whose messages the test delivers by hand. */
class BusMessage implements Bus {
  #subscriptions = new Map<string, (text: string) => void>()
  /** The messages sent on the bus, by subject. */
  readonly sent: [subject: string, busMessage: unknown][] = []

  /** What this node listens to. */
  get subjects(): string[] {
    return [...this.#subscriptions.keys()]
  }

  publish(subject: string, text: string) {
    this.sent.push([subject, JSON.parse(text)])
  }

  subscribe(subject: string, receive: (text: string) => void) {
    this.#subscriptions.set(subject, receive)
    return () => void this.#subscriptions.delete(subject)
  }

  async request(): Promise<string> {
    throw new Error('no node is there')
  }

  serve() {}
  async settled() {}
  onReturn() {}
  async close() {}

  /** An event arrives on the channel's subject. */
  deliver(publication: Publication) {
    this.#deliver(channelSubject, { publication })
  }

  /** What concerns one user arrives on that user's subject. */
  deliverTo(userId: string, publication: Publication) {
    this.#deliver(userSubject(userId), { publication, userId })
  }

  /** Any other message of another node about the channel. */
  delivered(busMessage: object) {
    this.#deliver(channelSubject, busMessage)
  }

  async settles() {
    await new Promise((resolve) => setImmediate(resolve))
  }

  #deliver(subject: string, busMessage: object) {
    this.#subscriptions.get(subject)?.(JSON.stringify({ from: 'there', ...busMessage }))
  }
}

/** The event log, which answers at once unless it is slow. */
class Log {
  readonly events: Publication[] = []
  #wait: Promise<void> | undefined
  #answer = () => {}

  push(...events: Publication[]) {
    this.events.push(...events.map(({ effects: _, ...event }) => event))
  }

  isSlow() {
    this.#wait = new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  answers() {
    this.#answer()
  }

  async read(seq: number): Promise<Publication[]> {
    const found = this.events.filter((event) => event.seq > seq)
    await this.#wait
    return found
  }

  async wasRead() {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The unread states in the database. */
class UnreadStates extends Map<string, UnreadState> {
  #readings = 0
  #during = new Map<number, () => void>()

  duringReading(count: number, happens: () => void) {
    this.#during.set(count, happens)
  }

  read(): Map<string, UnreadState> {
    const read = new Map([...this].map(([cid, unreadState]) => [cid, { ...unreadState }]))
    this.#readings += 1
    this.#during.get(this.#readings)?.()
    return read
  }
}

/** A connection that keeps its events, as `<text>` or `<text>, <n> unread`. */
function device(userId: string, { anonymous = false } = {}) {
  const frames: string[] = []
  const connection = {
    id: Math.random().toString(36),
    app,
    userId,
    anonymous,
    watching: new Set<string>(),
    following: new Set<string>(),
    send(frame: Buffer) {
      const { text, total_unread_count } = JSON.parse(frame.subarray(frame.indexOf('{')).toString())
      frames.push(total_unread_count === undefined ? text : `${text}, ${total_unread_count} unread`)
    },
  }
  return { connection: connection as unknown as Connection, received: () => [...frames] }
}
