/** Whatever was loaded and whatever was missed, an open channel and its thread are whole again after a break. */
import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { Channel } from '../channels/channel.ts'
import type { LocalMessage } from '../messages/local-message.ts'
import { currentSet, latestSet, type MessageSets } from '../messages/message-sets.ts'
import type { Message } from '../shapes.ts'
import { aConnectedWorld, settle } from '../testing/fake-server.ts'
import { HistoryServer, PARENT } from '../testing/history-server.ts'
import { seeded } from '../testing/seeded.ts'
import { ada, bo, me } from '../testing/wire.ts'
import type { Thread } from '../threads/thread.ts'

const CASES = Number(process.env.BREAK_CASES ?? 2_000)
const FIRST_SEED = Number(process.env.BREAK_SEED ?? 1)

const recoveries = ['with the missed events', 'without them', 'by the application', 'by watching again'] as const

interface Story {
  /** Messages before the channel is opened, while it is open, and during the break. */
  before: number
  live: number
  missed: number
  /** How many times the reader pages back, or where they jump to: a share of the history. */
  pagesBack: number
  jumpsTo: number | undefined
  /** How many times they page forward again; a share of those who jumped go to the newest. */
  pagesForward: number
  goesToNewest: boolean
  isThread: boolean
  recovery: (typeof recoveries)[number]
  /** Share of messages that are edited or deleted during the break; the application's own pages do not show these. */
  changes: number
}

describe('after a break of the connection', () => {
  it(`[CON-24] what is loaded is what a fresh fetch gives, without a gap, in ${CASES} random cases`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
      const random = seeded(seed)
      const story = storyOf(random)
      try {
        await play(story, random)
      } catch (error) {
        throw new Error(`BREAK_SEED=${seed} ${JSON.stringify(story)}`, { cause: error })
      }
    }
  }, 600_000)
})

function storyOf(random: () => number): Story {
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const often = (share: number) => random() < share
  const recovery = recoveries[upTo(3)]!
  return {
    before: upTo(often(0.5) ? 30 : 120),
    live: upTo(40),
    missed: upTo(often(0.5) ? 30 : 160),
    pagesBack: often(0.4) ? upTo(3) : 0,
    jumpsTo: often(0.2) ? random() : undefined,
    pagesForward: often(0.3) ? upTo(3) : 0,
    goesToNewest: often(0.2),
    isThread: often(0.4),
    recovery,
    changes: often(0.3) && !recovery.startsWith('by') ? random() * 0.3 : 0,
  }
}

async function play(story: Story, random: () => number) {
  const { isThread, recovery } = story
  const world = await aConnectedWorld({ recoverStateOnReconnect: recovery !== 'by the application' })
  const { client, server, clock } = world
  const history = new HistoryServer(server)
  history.knowsMissed = recovery === 'with the missed events'
  const all = isThread ? history.replies : history.messages
  const posts = (count: number) => {
    for (let i = 0; i < count; i++) history.posts(random() < 0.5 ? ada : bo, isThread ? PARENT : undefined)
  }
  posts(story.before)

  const tea = client.channel('messaging', 'tea')
  await tea.watch()
  tea.subscribe(() => {})
  const thread = isThread ? await client.getThread(PARENT) : undefined
  thread?.show()
  const reader = readerOf(tea, thread)
  posts(story.live)
  if (random() < 0.3) await tea.send({ text: 'mine', ...(isThread && { parent_id: PARENT }) })
  let hasReadBack = false
  for (let page = 0; page < story.pagesBack; page++) {
    hasReadBack ||= reader.shown().hasOlder
    await reader.loadOlder()
  }
  const target = story.jumpsTo === undefined ? undefined : all[Math.floor(story.jumpsTo * all.length)]
  if (target) {
    await reader.jumpTo(target.id)
    hasReadBack = true
  }
  for (let page = 0; page < story.pagesForward; page++) {
    const { hasNewer } = reader.shown()
    await reader.loadNewer()
    if (hasNewer && !reader.shown().hasNewer) hasReadBack = false
  }
  if (story.goesToNewest) {
    await reader.jumpTo('latest')
    hasReadBack = false
  }
  isWhole(reader.sets(), all)

  const seen = reader.shown().messages

  thread?.hide()
  if (recovery === 'by watching again') await tea.stopWatching()
  else server.socket.breaks()
  history.isHeard = false
  posts(story.missed)
  for (const message of [...all]) {
    if (random() > story.changes || message.id === PARENT) continue
    if (random() < 0.5) history.edits(message)
    else history.removes(message)
  }
  if (recovery !== 'by watching again') {
    clock.advance(250)
    await settle()
    server.socket.confirms(me(ada), `c${server.sockets.length}`)
    await settle()
  }
  // A reply that arrives before the thread is loaded again hides nothing.
  if (isThread && history.isHeard) posts(1)
  thread?.show()
  await settle()
  if (recovery.startsWith('by')) {
    await tea.watch()
    if (isThread) posts(1)
    await thread?.reload()
  }
  clock.advance(5_000)
  await settle()
  isWhole(reader.sets(), all)

  if (!hasReadBack) assert.ok(reader.shown().latest, 'whoever stood at the newest end stands there again')
  const kept = seen.filter(({ id }) => all.some((message) => message.id === id)).map(({ id }) => id)
  const shown = new Set(reader.shown().messages.map(({ id }) => id))
  if (hasReadBack)
    assert.deepEqual(
      kept.filter((id) => !shown.has(id)),
      [],
      'whoever read back keeps the place',
    )
  posts(2)
  if (reader.shown().latest) assert.equal(reader.shown().messages.at(-1)?.id, all.at(-1)?.id, 'what is new is shown')

  await pages(reader, all, 'newer')
  await pages(reader, all, 'older')
  posts(1)
  assert.deepEqual(
    reader.shown().messages.map(({ id, text }) => [id, text]),
    all.map(({ id, text }) => [id, text]),
  )
  await client.disconnectUser()
}

/** Paging in one direction visits every message once, and ends. */
async function pages(reader: Reader, all: readonly Message[], direction: 'older' | 'newer') {
  for (let page = 0; page < 20; page++) {
    const { messages, hasOlder, hasNewer } = reader.shown()
    if (!(direction === 'older' ? hasOlder : hasNewer)) break
    await (direction === 'older' ? reader.loadOlder() : reader.loadNewer())
    const now = reader.shown().messages.map(({ id }) => id)
    assert.equal(new Set(now).size, now.length)
    assert.ok(
      messages.every(({ id }) => now.includes(id)),
      'a page takes nothing away',
    )
  }
  const edge = direction === 'older' ? reader.shown().messages[0] : reader.shown().messages.at(-1)
  assert.equal(edge?.id, (direction === 'older' ? all[0] : all.at(-1))?.id, `the ${direction} end is reached`)
}

interface Reader {
  sets(): MessageSets
  shown(): ReturnType<typeof currentSet>
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
  jumpTo(target: string): Promise<void>
}

function readerOf(tea: Channel, thread: Thread | undefined): Reader {
  const sets = () => (thread ? (tea.state.threads[PARENT]?.sets ?? []) : tea.state.sets)
  return {
    sets,
    shown: () => currentSet(sets()),
    loadOlder: () => (thread ?? tea).loadOlder(),
    loadNewer: () => (thread ?? tea).loadNewer(),
    async jumpTo(target) {
      await tea.jumpTo(target, thread && { parentId: PARENT })
    },
  }
}

/** Every set is a run of the server's messages, as they are now. */
function isWhole(sets: MessageSets, all: readonly Message[]) {
  const text = ({ id, text }: LocalMessage | Message) => `${id} ${text}`
  for (const { messages, hasOlder, hasNewer } of sets) {
    const from = all.findIndex(({ id }) => id === messages[0]?.id)
    if (messages.length === 0) continue
    assert.deepEqual(messages.map(text), all.slice(from, from + messages.length).map(text), 'a set has no gap')
    if (from > 0) assert.ok(hasOlder, 'older ones can be loaded')
    if (from + messages.length < all.length) assert.ok(hasNewer, 'newer ones can be loaded')
  }
  assert.equal(sets.filter((set) => set.current).length, 1)
  const latest = latestSet(sets)?.messages.at(-1)
  if (latest) assert.equal(latest.id, all.at(-1)?.id)
}
