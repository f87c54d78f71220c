import { expect, it } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import { ChatClock } from './chat-clock.server.ts'

const THERE = 1_800_000_000_000

/** Sends a request at a moment; its response takes this long in each direction. */
function asks(clock: ChatClock, set: (elapsed: number) => void, at: number, { way, back }: Record<string, number>) {
  set(at + way! + back!)
  clock.hear(String(THERE + at + way!), at)
}

it('is known between two bounds, by the response with the shortest round trip', () => {
  let elapsed = 0
  const set = (now: number) => {
    elapsed = now
  }
  const clock = new ChatClock(() => elapsed)
  expect(clock.isKnown).toBe(false)
  const holds = (exactness: number) => {
    expect(clock.atLeast()).toBeLessThanOrEqual(THERE + elapsed)
    expect(clock.atMost()).toBeGreaterThanOrEqual(THERE + elapsed)
    expect(clock.atMost() - clock.atLeast()).toBeLessThanOrEqual(exactness)
  }
  asks(clock, set, 1_000, { way: 2_000, back: 3 })
  holds(2_004)
  asks(clock, set, 4_000, { way: 3, back: 5 })
  holds(9)
  // A slower response is ignored until the better one is old.
  asks(clock, set, 5_000, { way: 1, back: 900 })
  holds(9)
  asks(clock, set, 70_000, { way: 1, back: 900 })
  holds(902)
})

it('is this machine’s until the chat server has sent a valid time', () => {
  const clock = new ChatClock(() => 0)
  for (const said of [null, '', 'soon', '-5', '1.5', '0']) clock.hear(said, 0)
  expect(clock.isKnown).toBe(false)
  expect(Math.abs(clock.atLeast() - now().getTime())).toBeLessThan(60_000)
})
