import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

/** Its clock stands still, so that a pause ends exactly when the story says so. */
function aBreaker() {
  const clock = new FakeClock()
  clock.stop(1_800_000_000_000)
  const breaker = new CircuitBreaker(clock)
  const fails = (who: string, times: number) => {
    for (let i = 0; i < times; i++) breaker.failed(who)
  }
  return { clock, breaker, fails }
}

describe('whether somebody else’s server is asked', () => {
  it('is so until it failed ten times in a row', () => {
    const { breaker, fails } = aBreaker()
    fails('tea', 9)
    assert.equal(breaker.allowsCall('tea'), true)
    breaker.answered('tea')
    fails('tea', 9)
    assert.deepEqual(
      [breaker.allowsCall('tea'), breaker.allowsCall('tea')],
      [true, true],
      'an answer begins the row again',
    )
    fails('tea', 1)
    assert.equal(breaker.allowsCall('tea'), false)
    assert.equal(breaker.allowsCall('coffee'), true, 'others are asked all the while')
  })

  it('is tried once after half a minute, and nobody else asks meanwhile', () => {
    const { clock, breaker, fails } = aBreaker()
    fails('tea', 10)
    clock.advance(29_999)
    assert.equal(breaker.allowsCall('tea'), false)
    clock.advance(1)
    assert.deepEqual(
      [breaker.allowsCall('tea'), breaker.allowsCall('tea'), breaker.allowsCall('tea')],
      [true, false, false],
    )
    // Who tried never came back with an answer: half a minute later somebody else tries.
    clock.advance(29_999)
    assert.equal(breaker.allowsCall('tea'), false)
    clock.advance(1)
    assert.deepEqual([breaker.allowsCall('tea'), breaker.allowsCall('tea')], [true, false])
  })

  it('is not so for another half minute when the one try fails, and is so for all when it succeeds', () => {
    const { clock, breaker, fails } = aBreaker()
    fails('tea', 10)
    clock.advance(30_000)
    assert.equal(breaker.allowsCall('tea'), true)
    clock.advance(5_000)
    fails('tea', 1)
    clock.advance(29_999)
    assert.equal(breaker.allowsCall('tea'), false)
    clock.advance(1)
    assert.equal(breaker.allowsCall('tea'), true)
    breaker.answered('tea')
    assert.deepEqual([breaker.allowsCall('tea'), breaker.allowsCall('tea')], [true, true])
    fails('tea', 9)
    assert.equal(breaker.allowsCall('tea'), true, 'what was before is forgotten')
  })
})
