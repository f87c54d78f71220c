import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { type Connection, NAMELESS } from './connection.ts'
import { CACHED_WATCHER_IDS, WatcherCache } from './watcher-cache.ts'
import { Watchers } from './watchers.ts'

/** An anonymous user. */
const anonymous = `${NAMELESS}-1`

describe('the watchers of a channel', () => {
  it('are published once when their first connection begins, and when the last one stops', () => {
    const { watchers, here, anywhere } = aChannel()
    const [phone, laptop] = [connection('bo'), connection('bo')]
    watchers.add(phone)
    watchers.add(laptop)
    watchers.remove(phone)
    assert.deepEqual([here, anywhere], [['bo begins'], ['bo begins']])
    watchers.remove(phone)
    assert.equal(watchers.has('bo'), true)
    watchers.remove(laptop)
    assert.deepEqual(
      [here, anywhere, watchers.has('bo')],
      [['bo begins', 'bo stops'], ['bo begins', 'bo stops'], false],
    )
  })

  it('is still there as long as they watch on another node', () => {
    const { watchers, here, anywhere } = aChannel()
    const phone = connection('bo')
    watchers.noteThere('there', 'bo', true)
    watchers.add(phone)
    watchers.remove(phone)
    assert.deepEqual([here, anywhere], [['bo begins', 'bo stops'], ['bo begins']])
    watchers.noteThere('yonder', 'bo', true)
    watchers.noteThere('there', 'bo', false)
    assert.deepEqual([watchers.has('bo'), anywhere], [true, ['bo begins']])
    watchers.noteThere('yonder', 'bo', false)
    assert.deepEqual(anywhere, ['bo begins', 'bo stops'])
  })

  it('is counted once, wherever they watch; those without a name by their connections, and not named', () => {
    const { watchers, anywhere } = aChannel()
    for (const id of ['ada', 'bo', anonymous]) watchers.add(connection(id))
    watchers.noteAllThere('there', ['bo', 'cy'])
    watchers.noteAllThere('yonder', ['cy'])
    assert.equal(watchers.count, 4)
    assert.deepEqual(watchers.ids, ['bo', 'ada', 'cy'])
    assert.deepEqual(watchers.idsHere, ['ada', 'bo', anonymous])
    assert.deepEqual(anywhere, ['ada begins', 'bo begins', 'cy begins'])
  })

  it('is neither counted nor shown while they are invisible', () => {
    const invisible = new Set(['bo', 'dee'])
    const { watchers } = aChannel(invisible)
    for (const id of ['ada', 'bo']) watchers.add(connection(id))
    assert.deepEqual([watchers.count, watchers.shown, watchers.ids], [1, ['ada'], ['bo', 'ada']])
    invisible.clear()
    assert.deepEqual([watchers.count, watchers.shown], [2, ['bo', 'ada']])
  })

  it('are on another node the ones it reports, and no others', () => {
    const { watchers, anywhere } = aChannel()
    watchers.noteAllThere('there', ['ada', 'bo'])
    watchers.noteAllThere('there', ['bo', 'cy'])
    assert.deepEqual(watchers.ids, ['bo', 'cy'])
    assert.deepEqual(anywhere, ['ada begins', 'bo begins', 'ada stops', 'cy begins'])
  })

  it('are none on a node that was asked again and does not answer', () => {
    const { watchers } = aChannel()
    watchers.noteAllThere('there', ['ada'])
    watchers.noteAllThere('yonder', ['bo'])
    watchers.forgetSilent()
    assert.deepEqual(watchers.ids, ['ada', 'bo'])
    watchers.doubt()
    watchers.noteAllThere('yonder', ['bo'])
    watchers.forgetSilent()
    assert.deepEqual(watchers.ids, ['bo'])
  })
})

describe('cached watchers of another node', () => {
  const cachedWatchers = { count: 2, ids: ['bo', 'ada'] }

  it('is believed for a minute', () => {
    const clock = new FakeClock()
    const watcherCache = new WatcherCache(clock)
    watcherCache.keep('tea', cachedWatchers)
    clock.advance(59_999)
    assert.equal(watcherCache.of('tea')?.count, 2)
    clock.advance(1)
    assert.equal(watcherCache.of('tea'), undefined)
    assert.equal(watcherCache.of('den'), undefined)
  })

  it('are kept for a thousand channels, the latest reported', () => {
    const watcherCache = new WatcherCache(new FakeClock())
    for (let i = 0; i < 1_000; i++) watcherCache.keep(`${i}`, cachedWatchers)
    watcherCache.keep('0', cachedWatchers)
    assert.ok(watcherCache.of('1'))
    watcherCache.keep('1000', cachedWatchers)
    assert.deepEqual(
      ['0', '1', '2', '1000'].map((key) => watcherCache.of(key) !== undefined),
      [true, false, true, true],
    )
    assert.equal(CACHED_WATCHER_IDS, 100)
  })
})

function aChannel(invisible: ReadonlySet<string> = new Set()) {
  const here: string[] = []
  const anywhere: string[] = []
  const into = (list: string[]) => (id: string, watching: boolean) =>
    void list.push(`${id} ${watching ? 'begins' : 'stops'}`)
  return { watchers: new Watchers({ here: into(here), anywhere: into(anywhere) }, invisible), here, anywhere }
}

function connection(userId: string): Connection {
  return { userId } as Connection
}
