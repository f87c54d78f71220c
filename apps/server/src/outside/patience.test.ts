import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { Patience } from './patience.ts'

/** Its clock stands still, so that a pause ends exactly when the story says so. */
function aPatience() {
  const clock = new FakeClock()
  clock.stop(1_800_000_000_000)
  const patience = new Patience(clock)
  const fails = (who: string, times: number) => {
    for (let i = 0; i < times; i++) patience.failed(who)
  }
  return { clock, patience, fails }
}

describe('whether somebody else’s server is asked', () => {
  it('is so until it failed ten times in a row', () => {
    const { patience, fails } = aPatience()
    fails('tea', 9)
    assert.equal(patience.mayAsk('tea'), true)
    patience.answered('tea')
    fails('tea', 9)
    assert.deepEqual([patience.mayAsk('tea'), patience.mayAsk('tea')], [true, true], 'an answer begins the row again')
    fails('tea', 1)
    assert.equal(patience.mayAsk('tea'), false)
    assert.equal(patience.mayAsk('coffee'), true, 'others are asked all the while')
  })

  it('is tried once after half a minute, and nobody else asks meanwhile', () => {
    const { clock, patience, fails } = aPatience()
    fails('tea', 10)
    clock.advance(29_999)
    assert.equal(patience.mayAsk('tea'), false)
    clock.advance(1)
    assert.deepEqual([patience.mayAsk('tea'), patience.mayAsk('tea'), patience.mayAsk('tea')], [true, false, false])
    // Who tried never came back with an answer: half a minute later somebody else tries.
    clock.advance(29_999)
    assert.equal(patience.mayAsk('tea'), false)
    clock.advance(1)
    assert.deepEqual([patience.mayAsk('tea'), patience.mayAsk('tea')], [true, false])
  })

  it('is not so for another half minute when the one try fails, and is so for all when it succeeds', () => {
    const { clock, patience, fails } = aPatience()
    fails('tea', 10)
    clock.advance(30_000)
    assert.equal(patience.mayAsk('tea'), true)
    clock.advance(5_000)
    fails('tea', 1)
    clock.advance(29_999)
    assert.equal(patience.mayAsk('tea'), false)
    clock.advance(1)
    assert.equal(patience.mayAsk('tea'), true)
    patience.answered('tea')
    assert.deepEqual([patience.mayAsk('tea'), patience.mayAsk('tea')], [true, true])
    fails('tea', 9)
    assert.equal(patience.mayAsk('tea'), true, 'what was before is forgotten')
  })
})
