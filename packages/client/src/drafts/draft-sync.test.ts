import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { calls } from '../on-demand.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { aConnectedWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'
import { aChannel, ada, aMessage, anEvent, messages, posted } from '../testing/wire.ts'
import { DraftSync } from './draft-sync.ts'

const DRAFT = '/channels/messaging/tea/draft'
const SEND = '/channels/messaging/tea/message'
const NOW = '2026-01-05T12:00:00.000001Z'

function aDraft(text: string, created_at: string, id = 'elsewhere') {
  return { channel_cid: 'messaging:tea', created_at, message: { id, text, attachments: [], mentioned_users: [] } }
}

interface Opening {
  storage?: Map<string, unknown>
  /** A draft that she has written on another device. */
  there?: object | undefined
  /** The text that she types before the sync starts. */
  writes?: string
}

/** Ada opens a channel. */
async function adaOpens({ storage, there, writes: early }: Opening = {}) {
  const clock = new FakeClock()
  await calls.fetch()
  const world = await aConnectedWorld({ clock, ...(storage && { storage }) })
  const { server } = world
  server.answers(
    'POST',
    '/channels/messaging/tea/query',
    aChannel({}, { messages: messages(1, 2), draft: there } as object),
  )
  let writes = 0
  server.answers('POST', DRAFT, ({ body }: Call) => ({
    draft: aDraft(body.message.text, NOW.replace('1Z', `${++writes + 1}Z`), body.message.id),
  }))
  server.answers('POST', SEND, ({ body }: Call) => ({
    message: aMessage(body.message.id, { ...body.message, user: ada, mentioned_users: [] }),
  }))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  const { composer } = tea
  if (early) composer.setText(early)
  if (early) composer.saveDraft()
  const sync = new DraftSync(composer)
  composer.restoreDraft()
  return {
    ...world,
    clock,
    composer,
    sync,
    /** Types, and pauses. */
    async types(text: string) {
      composer.setText(text)
      composer.saveDraft()
      clock.advance(2_000)
      await settle()
    },
    /** Another device writes a draft, or deletes it. */
    async hears(draft: object | undefined) {
      const gone = { draft: aDraft('', NOW) }
      server.socket.says(draft ? anEvent('draft.updated', { draft }) : anEvent('draft.deleted', gone))
      await settle()
      composer.restoreDraft()
    },
    given: () => server.callsTo('POST', DRAFT).map(({ body }) => body.message.text),
    taken: () => server.callsTo('DELETE', DRAFT).length,
    stands: () => [composer.snapshot().text, composer.snapshot().otherDraft?.text],
  }
}

describe('a draft on the server', () => {
  it('is stored shortly after the last keystroke, and deleted with the last character', async () => {
    const { composer, types, clock, given, taken } = await adaOpens()
    composer.setText('H')
    composer.saveDraft()
    clock.advance(1_999)
    await types('Hello')
    assert.deepEqual(given(), ['Hello'])
    composer.saveDraft()
    clock.advance(10_000)
    await settle()
    assert.deepEqual([given().length, taken()], [1, 0])
    await types('')
    assert.equal(taken(), 1)
  })

  it('of a thread keeps whether the reply is shown in the channel, here and on the server', async () => {
    const storage = new Map<string, unknown>()
    const { client, server, clock, composer } = await adaOpens({ storage })
    const tea = client.channel('messaging', 'tea')
    const inThread = tea.composerIn('m1')
    new DraftSync(inThread)
    const given = () =>
      server.callsTo('POST', DRAFT).map(({ body: { message } }) => [message.parent_id, message.show_in_channel])
    const rests = async () => {
      inThread.saveDraft()
      clock.advance(2_000)
      await settle()
    }
    inThread.setText('For all of you')
    await rests()
    inThread.setShowInChannel(true)
    await rests()
    inThread.setShowInChannel(false)
    await rests()
    inThread.setShowInChannel(true)
    await rests()
    assert.deepEqual(
      given(),
      [false, true, false, true].map((shown) => ['m1', shown]),
    )
    // In the channel itself there is no such choice.
    composer.setText('Hello')
    composer.saveDraft()
    clock.advance(2_000)
    await settle()
    assert.deepEqual(given().at(-1), [undefined, undefined])

    // After a reload, the choice is kept; after sending, it is reset.
    const again = await adaOpens({ storage })
    const restored = again.client.channel('messaging', 'tea').composerIn('m1')
    restored.restoreDraft()
    assert.deepEqual([restored.snapshot().text, restored.snapshot().showInChannel], ['For all of you', true])
    await restored.send()
    assert.equal(again.server.callsTo('POST', SEND)[0]?.body.message.show_in_channel, true)
    assert.deepEqual([restored.snapshot().text, restored.snapshot().showInChannel], ['', false])
  })

  it('of a thread that was written elsewhere also has the choice to show the reply in the channel', async () => {
    for (const show_in_channel of [true, false, undefined]) {
      const { client, server } = await adaOpens()
      const inThread = client.channel('messaging', 'tea').composerIn('m1')
      new DraftSync(inThread)
      inThread.restoreDraft()
      const draft = aDraft('From the desk', NOW)
      const message = { ...draft.message, parent_id: 'm1', ...(show_in_channel !== undefined && { show_in_channel }) }
      server.socket.says(anEvent('draft.updated', { draft: { ...draft, parent_id: 'm1', message } }))
      await settle()
      inThread.restoreDraft()
      const { text, showInChannel } = inThread.snapshot()
      assert.deepEqual([text, showInChannel], ['From the desk', show_in_channel ?? false])
    }
  })

  it('of another device is shown, and can be continued here', async () => {
    const { stands, hears, types, given } = await adaOpens({ there: aDraft('Dear', NOW) })
    assert.deepEqual(stands(), ['Dear', undefined])
    await types('Dear all')
    assert.deepEqual(given(), ['Dear all'])
    await hears(aDraft('Dear all of you', '2026-01-05T13:00:00Z'))
    assert.deepEqual(stands(), ['Dear all of you', undefined])
  })

  it('is newer by its time, however many zeros that leaves out', async () => {
    const { hears, stands } = await adaOpens({ there: aDraft('Soup', '2026-01-05T11:00:00Z') })
    await hears(aDraft('Soup or', '2026-01-05T11:00:00.5Z'))
    await hears(aDraft('Soup or salad', '2026-01-05T11:00:00.75Z'))
    assert.deepEqual(stands(), ['Soup or salad', undefined])
  })

  it('is not restored by the event of the user’s own change', async () => {
    const { server, hears, composer, types, stands } = await adaOpens()
    await types('Hello')
    const { id } = server.callsTo('POST', DRAFT)[0]!.body.message
    composer.setText('Hello, Bo')
    await hears(aDraft('Hello', '2026-01-05T12:00:00.000002Z', id))
    assert.deepEqual(stands(), ['Hello, Bo', undefined])
  })

  it('that was sent here is not restored, though the server has it a little longer', async () => {
    const { composer, types, hears, stands, taken } = await adaOpens({ there: aDraft('Dear', NOW) })
    await types('Dear all')
    await composer.send()
    composer.restoreDraft()
    assert.deepEqual(stands(), ['', undefined])
    await hears(undefined)
    assert.deepEqual([stands(), taken()], [['', undefined], 0])
  })

  it('is deleted when its message has failed: that waits in the message list', async () => {
    const { server, composer, types, taken } = await adaOpens()
    await types('Hello')
    server.answers('POST', SEND, new Refusal(4, 400, 'no'))
    await composer.send()
    await settle()
    assert.equal(taken(), 1)
  })

  it('is not lost with a failed message while the user types on', async () => {
    const { server, composer, types, given, taken, stands } = await adaOpens()
    await types('Hello')
    const held = server.holds('POST', SEND)
    const sending = composer.send()
    await types('And another thing')
    await held.break()
    assert.equal((await sending)?.status, 'failed')
    await settle()
    assert.deepEqual([given(), taken()], [['Hello', 'And another thing'], 0])
    composer.restoreDraft()
    assert.deepEqual(stands(), ['And another thing', undefined])
  })

  it('that was sent elsewhere before the server confirmed it here is deleted here', async () => {
    const { server, types, stands } = await adaOpens()
    const held = server.holds('POST', DRAFT)
    await types('Dear Bo')
    server.socket.says(posted(aMessage('sent', { user: ada, minute: 5, text: 'Dear Bo' })))
    await settle()
    assert.deepEqual(stands(), ['', undefined])
    await held.give({ draft: aDraft('Dear Bo', NOW) })
    assert.deepEqual(stands(), ['', undefined])
  })

  it('takes over text that was typed before the sync started', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaOpens({ storage })
    await first.types('Dear')
    const there = aDraft('Dear', '2026-01-05T12:00:00.000002Z')
    const { composer, types, given } = await adaOpens({ storage, there, writes: 'Dear all' })
    assert.equal(composer.snapshot().text, 'Dear all')
    await types('Dear all')
    assert.deepEqual(given(), ['Dear all'])
  })

  it('that was edited elsewhere and then sent is deleted here as well', async () => {
    const { types, hears, stands } = await adaOpens()
    await types('Hello')
    await hears(aDraft('Hello there', '2026-01-05T13:00:00Z'))
    await hears(undefined)
    assert.deepEqual(stands(), ['', 'Hello there'])
  })

  it('that was deleted elsewhere but is edited here becomes the draft again', async () => {
    const { sync, clock, composer, types, hears, stands, given } = await adaOpens()
    await types('Hello')
    await hears(aDraft('Hello there', '2026-01-05T13:00:00Z'))
    await hears(undefined)
    sync.exchange()
    composer.restoreDraft()
    clock.advance(2_000)
    await settle()
    assert.deepEqual(
      [stands(), given()],
      [
        ['Hello there', undefined],
        ['Hello', 'Hello there'],
      ],
    )
  })

  it('that was sent or deleted elsewhere is deleted here, unless the user is typing', async () => {
    const { server, hears, stands, types } = await adaOpens({ there: aDraft('Dear', NOW) })
    server.socket.says(posted(aMessage('sent', { user: ada, minute: 5, text: 'Dear Bo' })))
    await settle()
    assert.deepEqual(stands(), ['', undefined])
    await hears(aDraft('Again', '2026-01-05T13:00:00Z'))
    await hears(undefined)
    assert.deepEqual(stands(), ['', 'Again'])
    await types('My own words')
    await hears(undefined)
    assert.equal(stands()[0], 'My own words')
  })
})

describe('two drafts of one channel', () => {
  it('are both kept: the one being written, and the other beside it, for a day', async () => {
    const { composer, sync, clock, hears, stands, given } = await adaOpens()
    composer.setText('Written on the train')
    await hears(aDraft('Written at the desk', '2026-01-05T13:00:00Z'))
    assert.deepEqual(stands(), ['Written on the train', 'Written at the desk'])
    sync.exchange()
    assert.deepEqual(stands(), ['Written at the desk', 'Written on the train'])
    clock.advance(2_000)
    await settle()
    assert.deepEqual(given(), ['Written at the desk'])
    clock.advance(24 * 3_600_000)
    composer.restoreDraft()
    assert.deepEqual(stands(), ['Written at the desk', undefined])
  })

  it('the newer one is shown when the channel is opened, and the older one can be deleted', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaOpens({ storage })
    first.composer.setText('Offline')
    first.composer.saveDraft()
    const { sync, stands } = await adaOpens({ storage, there: aDraft('Newer', '2036-01-05T13:00:00Z') })
    assert.deepEqual(stands(), ['Newer', 'Offline'])
    sync.forgetOther()
    assert.deepEqual(stands(), ['Newer', undefined])
  })

  it('are one when one was edited from the other', async () => {
    const { composer, hears, stands } = await adaOpens()
    composer.setText('Dear all, this is')
    await hears(aDraft('Dear all', '2026-01-05T13:00:00Z'))
    assert.deepEqual(stands(), ['Dear all, this is', undefined])
  })
})

describe('on a real server', () => {
  let server: RealServer
  beforeAll(async () => {
    server = await startRealServer()
  })
  afterAll(() => server.stop())

  it('a draft continues on another device, in the channel and in a thread', async () => {
    await server.company.upsertUsers([{ id: 'ada', name: 'Ada' }])
    const room = `tea-${crypto.randomUUID()}`
    await server.company.channel('messaging', room, { created_by_id: 'ada', members: ['ada'] }).create()
    const at = async () => {
      const channel = (await server.connects('ada', { storage: new Map() })).channel('messaging', room)
      await channel.watch()
      return { channel }
    }
    const [desk, train] = [await at(), await at()]
    const parent = await desk.channel.send({ text: 'Where?' })
    await until(train.channel, ({ messages }) => messages.length === 1)
    for (const place of [undefined, parent.id]) {
      const [here, there] = [desk.channel.composerIn(place), train.channel.composerIn(place)]
      new DraftSync(here)
      new DraftSync(there)
      here.setText(`Half a thought ${place}`)
      here.saveDraft()
      const isThere = () => (place ? train.channel.state.messages[0]?.draft : train.channel.state.draft)
      await until(train.channel, () => isThere() !== undefined)
      there.restoreDraft()
      assert.equal(there.snapshot().text, `Half a thought ${place}`)
      await there.send()
      await until(
        desk.channel,
        () => (place ? desk.channel.state.messages[0] : desk.channel.state)?.draft === undefined,
      )
      here.restoreDraft()
      await until(here, ({ text }) => text === '')
    }
  })
})
