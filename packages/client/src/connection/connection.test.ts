import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { answeredError, ChatError } from '../chat-error.ts'
import { backoffRange, spread } from './backoff.ts'
import { type Alarm, type Connection, type Effect, type Signal, step } from './connection.ts'

const error = (code: number) => answeredError({ code, message: 'no', StatusCode: 401 }, 0)
const refused = (code: number, renewable = true): Signal => ({ type: 'refused', error: error(code), renewable })
const rung = (alarm: Extract<Signal, { type: 'rung' }>['alarm']): Signal => ({ type: 'rung', alarm })

const opened: Signal = { type: 'opened', connectionId: 'c1' }
const toConnected: Signal[] = [{ type: 'connect' }, { type: 'authorized' }, opened]
const toWaiting: Signal[] = [...toConnected, { type: 'lost' }]

/** The state after a list of signals from idle, and the effects of the last one. */
function after(...signals: Signal[]): { connection: Connection; effects: Effect[] } {
  let connection: Connection = { at: 'idle' }
  let effects: Effect[] = []
  for (const signal of signals) [connection, ...effects] = step(connection, signal)
  return { connection, effects }
}

const alarmIn = (effects: Effect[], alarm: string) =>
  effects.find((effect) => effect.do === 'alarm' && effect.alarm === alarm) as
    | Extract<Effect, { do: 'alarm' }>
    | undefined
const does = (effects: Effect[], what: Effect['do']) => effects.some((effect) => effect.do === what)
const calms = (effects: Effect[], alarm: string) =>
  effects.some((effect) => effect.do === 'calm' && effect.alarm === alarm)

describe('the first connection', () => {
  it('loads the token, then opens the socket', () => {
    const asked = after({ type: 'connect' })
    assert.equal(asked.connection.at, 'authorizing')
    assert.deepEqual(
      asked.effects.filter(({ do: what }) => what === 'load'),
      [{ do: 'load', fresh: false }],
    )
    const authorized = after({ type: 'connect' }, { type: 'authorized' })
    assert.equal(authorized.connection.at, 'connecting')
    assert.deepEqual(authorized.effects, [{ do: 'open' }])
  })

  it('[CON-20] is connected only with the first frame, and then pings and listens', () => {
    const { connection, effects } = after(...toConnected)
    assert.deepEqual(connection, { at: 'connected', connectionId: 'c1' })
    assert.equal(alarmIn(effects, 'ping')?.ms, 25_000)
    assert.equal(alarmIn(effects, 'silence')?.ms, 35_000)
    assert.ok(calms(effects, 'confirm'))
    assert.ok(!does(effects, 'recover'), 'there is nothing to recover yet')
  })

  it('[CON-5] waits 15 s in all, however many attempts that takes', () => {
    assert.equal(alarmIn(after({ type: 'connect' }).effects, 'confirm')?.ms, 15_000)
    const retry = after({ type: 'connect' }, { type: 'authorized' }, { type: 'lost' }, rung('retry'))
    assert.equal(retry.connection.at, 'authorizing')
    assert.equal(alarmIn(retry.effects, 'confirm'), undefined)
  })

  it('[CON-12] fails for good when the time is over', () => {
    for (const until of [
      [{ type: 'connect' }],
      [{ type: 'connect' }, { type: 'authorized' }],
      [{ type: 'connect' }, { type: 'authorized' }, { type: 'lost' }],
    ] satisfies Signal[][]) {
      const { connection } = after(...until, rung('confirm'))
      assert.ok(connection.at === 'closed')
      assert.equal(connection.error?.message, 'initial WS connection could not be established')
      assert.equal(connection.error?.transport, true)
      assert.equal(connection.error?.code, 'CLIENT_CONNECTION_FAILED')
    }
  })

  it.each([
    ['refuses for now', refused(9)],
    ['cannot be reached, since the browser is offline', { type: 'offline' } as Signal],
  ])('[CON-12] fails in time where long polling took over and the server %s', (_, signal) => {
    let connection: Connection = { at: 'idle' }
    const due = new Map<Alarm, number>()
    for (const next of [{ type: 'connect' }, { type: 'authorized' }, { type: 'lost' }, signal] as const) {
      const [then, ...effects] = step(connection, next, { fallback: true })
      connection = then
      for (const effect of effects)
        if (effect.do === 'alarm') due.set(effect.alarm, effect.ms)
        else if (effect.do === 'calm') due.delete(effect.alarm)
    }
    assert.equal(connection.at, 'waiting')
    assert.ok(due.has('confirm'), 'somebody waits for it')
    assert.equal(step(connection, rung('confirm'), { fallback: true })[0].at, 'closed')
  })

  it('ends at once when the token cannot be loaded', () => {
    const failure = new ChatError('no token')
    const { connection } = after({ type: 'connect' }, { type: 'unauthorized', error: failure })
    assert.deepEqual(connection, { at: 'closed', error: failure, told: false })
  })

  it('[CON-7] is retried with backoff when the socket fails', () => {
    const { connection, effects } = after({ type: 'connect' }, { type: 'authorized' }, { type: 'lost' })
    assert.ok(connection.at === 'waiting')
    assert.equal(connection.failures, 1)
    assert.deepEqual(alarmIn(effects, 'retry'), { do: 'alarm', alarm: 'retry', ms: 250, upToMs: 1_000 })
  })
})

describe('a healthy connection', () => {
  it('[CON-3] sends a ping every 25 s', () => {
    const { connection, effects } = after(...toConnected, rung('ping'))
    assert.equal(connection.at, 'connected')
    assert.deepEqual(effects, [{ do: 'ping' }, { do: 'alarm', alarm: 'ping', ms: 25_000 }])
  })

  it('[CON-4] restarts its 35 s of silence with every frame, and reconnects when they are over', () => {
    assert.deepEqual(after(...toConnected, { type: 'heard' }).effects, [{ do: 'alarm', alarm: 'silence', ms: 35_000 }])
    const { connection, effects } = after(...toConnected, rung('silence'))
    assert.equal(connection.at, 'waiting')
    assert.ok(does(effects, 'drop') && alarmIn(effects, 'retry'))
  })

  it('[CON-4] checks at once when a sleeping page wakes up after more than 35 s', () => {
    assert.equal(after(...toConnected, { type: 'woke', silentMs: 35_000 }).connection.at, 'connected')
    assert.equal(after(...toConnected, { type: 'woke', silentMs: 35_001 }).connection.at, 'waiting')
  })

  it('[CON-6] announces a loss 5 s later, once, and the return at once', () => {
    const gone = after(...toWaiting)
    assert.equal(alarmIn(gone.effects, 'offline')?.ms, 5_000)
    const announced = after(...toWaiting, rung('offline'))
    assert.deepEqual(announced.effects, [{ do: 'tell', online: false }])
    const back = after(...toWaiting, rung('offline'), rung('retry'), { type: 'authorized' }, opened)
    assert.deepEqual(
      back.effects.filter(({ do: what }) => what === 'tell'),
      [{ do: 'tell', online: true }],
    )
  })

  it('[CON-6] announces nothing when it reconnects before that', () => {
    const { effects } = after(...toWaiting, rung('retry'), { type: 'authorized' }, opened)
    assert.ok(calms(effects, 'offline'))
    assert.ok(!does(effects, 'tell'))
  })

  it('recovers after a reconnect', () => {
    const { effects } = after(...toWaiting, rung('retry'), { type: 'authorized' }, opened)
    assert.ok(does(effects, 'recover'))
  })

  it('waits 15 s for every reconnect, then retries', () => {
    const retry = after(...toWaiting, rung('retry'))
    assert.equal(alarmIn(retry.effects, 'confirm')?.ms, 15_000)
    const late = after(...toWaiting, rung('retry'), { type: 'authorized' }, rung('confirm'))
    assert.ok(late.connection.at === 'waiting')
    assert.equal(late.connection.failures, 2)
    const slowToken = after(...toWaiting, rung('retry'), rung('confirm'))
    assert.equal(slowToken.connection.at, 'waiting')
  })
})

describe('the wait before the next attempt', () => {
  it('[CON-22] is between 250 ms × n and 500 ms × 2^n', () => {
    assert.deepEqual(backoffRange(1), { ms: 250, upToMs: 1_000 })
    assert.deepEqual(backoffRange(2), { ms: 500, upToMs: 2_000 })
    assert.deepEqual(backoffRange(4), { ms: 1_000, upToMs: 8_000 })
  })

  it('[CON-8] never exceeds 25 s', () => {
    for (const n of [6, 20, 100, 1_000]) assert.ok(backoffRange(n).upToMs === 25_000 && backoffRange(n).ms <= 25_000)
  })

  it('[CON-7] is random within its range', () => {
    assert.equal(
      spread({ ms: 250, upToMs: 1_000 }, () => 0),
      250,
    )
    assert.equal(
      spread({ ms: 250, upToMs: 1_000 }, () => 0.5),
      625,
    )
  })

  it('grows with each failure', () => {
    const signals = [...toWaiting]
    for (const n of [2, 3, 4]) {
      signals.push(rung('retry'), { type: 'authorized' }, { type: 'lost' })
      const { connection, effects } = after(...signals)
      assert.ok(connection.at === 'waiting' && connection.failures === n)
      assert.equal(alarmIn(effects, 'retry')?.ms, 250 * n)
    }
  })

  it('[CON-9] is cut to 10 ms when the browser is online again', () => {
    const { connection, effects } = after(...toConnected, { type: 'offline' }, { type: 'online' })
    assert.ok(connection.at === 'waiting' && !connection.offline)
    assert.deepEqual(effects, [{ do: 'alarm', alarm: 'retry', ms: 10 }])
  })

  it('has no end while the browser is offline', () => {
    const { connection, effects } = after(...toConnected, { type: 'offline' })
    assert.ok(connection.at === 'waiting' && connection.offline)
    assert.equal(alarmIn(effects, 'retry'), undefined)
    assert.equal(alarmIn(effects, 'offline')?.ms, 5_000, 'unhealthy at once')
    for (const signal of [{ type: 'authorized' }, { type: 'woke', silentMs: 0 }] as Signal[])
      assert.deepEqual(step(connection, signal), [connection])
    assert.ok(calms(after(...toWaiting, { type: 'offline' }).effects, 'retry'), 'a try that was due is off')
  })

  it('is cut short when the page becomes visible', () => {
    const { effects } = after(...toWaiting, { type: 'woke', silentMs: 0 })
    assert.deepEqual(effects, [{ do: 'alarm', alarm: 'retry', ms: 10 }])
  })

  it('an attempt stops when the browser goes offline', () => {
    for (const until of [[], [{ type: 'authorized' }]] as Signal[][]) {
      const { connection, effects } = after(...toWaiting, rung('retry'), ...until, { type: 'offline' })
      assert.ok(connection.at === 'waiting' && connection.offline)
      assert.ok(does(effects, 'drop'))
      assert.ok(calms(effects, 'confirm'), 'the time of the attempt does not go on')
    }
  })
})

describe('a refusal', () => {
  it('[AUTH-17] of an expired token loads another one and reconnects at once', () => {
    const live = after(...toConnected, refused(40))
    assert.ok(live.connection.at === 'authorizing' && live.connection.fresh)
    assert.ok(live.effects.some((effect) => effect.do === 'load' && effect.fresh))
    const first = after({ type: 'connect' }, { type: 'authorized' }, refused(40))
    assert.ok(first.connection.at === 'authorizing' && first.connection.fresh)
  })

  it('[AUTH-16] of the next token as well waits before it loads another', () => {
    const { connection, effects } = after(...toConnected, refused(40), { type: 'authorized' }, refused(40))
    assert.ok(connection.at === 'waiting' && connection.fresh)
    assert.ok(alarmIn(effects, 'retry'))
    const retry = after(...toConnected, refused(40), { type: 'authorized' }, refused(40), rung('retry'))
    assert.ok(retry.connection.at === 'authorizing' && retry.connection.fresh)
  })

  it('[AUTH-18] of five fresh tokens in a row is final', () => {
    const signals = [...toConnected, refused(40)]
    for (let load = 1; load < 5; load++) signals.push({ type: 'authorized' }, refused(40), rung('retry'))
    assert.equal(after(...signals).connection.at, 'authorizing')
    const { connection } = after(...signals, { type: 'authorized' }, refused(40))
    assert.ok(connection.at === 'closed')
    assert.equal(connection.error?.code, 40)
  })

  it('[AUTH-18] of a fixed token is final', () => {
    const { connection } = after(...toConnected, refused(40, false))
    assert.ok(connection.at === 'closed')
    assert.equal(connection.error?.code, 40)
  })

  it('[AUTH-18] with code 41, 42, 43 or 5 is final', () => {
    for (const code of [41, 42, 43, 5]) {
      assert.equal(after(...toConnected, refused(code)).connection.at, 'closed')
      assert.equal(after({ type: 'connect' }, { type: 'authorized' }, refused(code)).connection.at, 'closed')
    }
  })

  it('with a temporary code is retried', () => {
    for (const code of [-1, 9, 71]) assert.equal(after(...toConnected, refused(code)).connection.at, 'waiting')
  })

  it('that is final is still announced 5 s later', () => {
    const { connection, effects } = after(...toConnected, refused(43))
    assert.equal(alarmIn(effects, 'offline')?.ms, 5_000)
    assert.ok(!calms(effects, 'offline'))
    assert.deepEqual(step(connection, rung('offline')).slice(1), [{ do: 'tell', online: false }])
  })

  it('of the token function itself is retried once there was a connection', () => {
    const failure = new ChatError('no token')
    const { connection } = after(...toConnected, refused(40), { type: 'unauthorized', error: failure })
    assert.ok(connection.at === 'waiting' && connection.fresh)
  })
})

describe('closing', () => {
  it('is possible in every state, and leaves no alarm set', () => {
    for (const until of [[], toConnected.slice(0, 1), toConnected.slice(0, 2), toConnected, toWaiting]) {
      const { connection, effects } = after(...until, { type: 'disconnect' })
      assert.deepEqual(connection, { at: 'closed' })
      assert.ok(does(effects, 'close'))
      for (const alarm of ['confirm', 'ping', 'silence', 'retry', 'offline']) assert.ok(calms(effects, alarm))
    }
  })

  it('can be followed by a new connection', () => {
    assert.equal(after(...toConnected, { type: 'disconnect' }, { type: 'connect' }).connection.at, 'authorizing')
  })

  it('a signal without a meaning in a state changes nothing', () => {
    const { connection } = after(...toConnected)
    for (const signal of [{ type: 'connect' }, { type: 'online' }, { type: 'authorized' }, rung('retry')] as Signal[])
      assert.equal(step(connection, signal)[0], connection)
  })
})

describe('any signals, in any order', () => {
  const signal = fc.constantFrom<Signal>(
    { type: 'connect' },
    { type: 'authorized' },
    { type: 'unauthorized', error: new ChatError('no token') },
    opened,
    { type: 'heard' },
    { type: 'lost' },
    { type: 'online' },
    { type: 'offline' },
    { type: 'woke', silentMs: 40_000 },
    refused(40),
    refused(40, false),
    refused(43),
    refused(71),
    { type: 'disconnect' },
  )
  /** An external signal, or the first, second, … of the alarms that are set. */
  const happening = fc.oneof({ weight: 3, arbitrary: signal }, { weight: 2, arbitrary: fc.nat(4) })

  it('some signal always leads on, and no alarm is set that should not be', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        let connection: Connection = { at: 'idle' }
        const set = new Set<Alarm>()
        let isLoading = false
        let hasSocket = false
        for (const happened of happenings) {
          const rings = typeof happened === 'number' ? [...set][happened] : undefined
          if (typeof happened === 'number' && !rings) continue
          if (rings) set.delete(rings)
          const [next, ...effects] = step(connection, rings ? rung(rings) : (happened as Signal))
          if (next.at !== 'authorizing') isLoading = false
          for (const effect of effects) {
            if (effect.do === 'alarm') set.add(effect.alarm)
            if (effect.do === 'calm') set.delete(effect.alarm)
            if (effect.do === 'load') isLoading = true
            if (effect.do === 'open') hasSocket = true
            if (effect.do === 'drop' || effect.do === 'close') hasSocket = false
          }
          connection = next
          const is = (...alarms: Alarm[]) => alarms.every((alarm) => set.has(alarm))
          switch (connection.at) {
            case 'authorizing':
              assert.ok(isLoading && !hasSocket && is('confirm'))
              break
            case 'connecting':
              assert.ok(hasSocket && is('confirm'))
              break
            case 'connected':
              assert.ok(hasSocket && is('ping', 'silence') && !set.has('confirm') && !set.has('offline'))
              break
            case 'waiting':
              assert.ok(!hasSocket && connection.offline !== set.has('retry'))
              assert.ok(connection.again ? connection.told || is('offline') : is('confirm'))
              break
            default:
              assert.ok(!hasSocket && !['confirm', 'ping', 'silence', 'retry'].some((alarm) => set.has(alarm as Alarm)))
          }
          if (connection.at !== 'connected') assert.ok(!set.has('ping') && !set.has('silence'))
          if (connection.at !== 'waiting') assert.ok(!set.has('retry'))
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
