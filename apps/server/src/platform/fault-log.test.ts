import assert from 'node:assert/strict'
import pino from 'pino'
import { it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { FaultLog } from './fault-log.ts'
import { Outages } from './outbound/outages.ts'

function aLog() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

const away = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

it('an outage is logged once a minute, however many calls fail and in which way', () => {
  const { log, lines } = aLog()
  const clock = new FakeClock()
  const faults = new FaultLog(log, clock)
  for (let i = 0; i < 1_000; i++) faults.report('a call failed', away(), { operation: `Call${i}` })
  assert.equal(lines.length, 1)
  clock.advance(60_000)
  faults.report('a call failed', away(), { operation: 'SendMessage' })
  assert.deepEqual([lines.length, lines[1]!.more], [2, 999])
})

it('other errors are each logged', () => {
  const { log, lines } = aLog()
  const faults = new FaultLog(log, new FakeClock())
  faults.report('a call failed', away())
  faults.report('a background task failed', away())
  faults.report('a call failed', Object.assign(new Error('disk full'), { code: '53100' }))
  faults.report('a call failed', new TypeError('x is undefined'), { operation: 'SendMessage' })
  faults.report('a call failed', new TypeError('x is undefined'), { operation: 'GetMessage' })
  faults.report('a call failed', 'no error at all')
  assert.equal(lines.length, 6)
  for (let i = 0; i < 5_000; i++) faults.report('a call failed', Object.assign(new Error(), { code: `E${i}` }))
  assert.ok(lines.length > 5_000, 'and it remembers only so many')
})

it('a failing external server is logged once, and once more on recovery', () => {
  const { log, lines } = aLog()
  const outages = new Outages(log)
  outages.answered('hook', {}, 'a hook is told again')
  for (let i = 0; i < 1_000; i++) outages.failed('hook', { why: 'status 500' }, 'a hook was not told')
  outages.failed('other', { why: 'status 500' }, 'a hook was not told')
  outages.answered('hook', { webhook: 'h' }, 'a hook is told again')
  outages.answered('hook', { webhook: 'h' }, 'a hook is told again')
  outages.failed('hook', {}, 'a hook was not told')
  assert.deepEqual(
    lines.map(({ msg, failed }) => [msg, failed]),
    [
      ['a hook was not told; it is said again when that is over', undefined],
      ['a hook was not told; it is said again when that is over', undefined],
      ['a hook is told again', 1_000],
      ['a hook was not told; it is said again when that is over', undefined],
    ],
  )
})
