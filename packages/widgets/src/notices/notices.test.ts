import { FakeClock } from '@parley/client/testing'
import { expect, it } from 'vitest'
import { Notices } from './notices.ts'

function someNotices() {
  const clock = new FakeClock()
  const notices = new Notices(clock)
  const shown = () => notices.snapshot().map(({ key, times }) => `${key} ×${times}`)
  return { clock, notices, shown }
}

it('a notice disappears after six seconds', () => {
  const { clock, notices, shown } = someNotices()
  notices.show('error', 'send.failed')
  clock.advance(5_999)
  expect(shown()).toEqual(['send.failed ×1'])
  clock.advance(1)
  expect(shown()).toEqual([])
})

it('stays while it is hovered or has focus', () => {
  const { clock, notices, shown } = someNotices()
  const { id } = notices.show('error', 'send.failed')
  notices.pause(id)
  clock.advance(60_000)
  expect(shown()).toEqual(['send.failed ×1'])
  notices.resume(id)
  clock.advance(6_000)
  expect(shown()).toEqual([])
})

it('stays until it is answered if it has an action', () => {
  const { clock, notices, shown } = someNotices()
  notices.show('info', 'message.unavailable', { action: { label: 'retry', run: () => {} } })
  clock.advance(60_000)
  expect(shown()).toEqual(['message.unavailable ×1'])
})

it('disappears after its own time if its action is available elsewhere, too', () => {
  const { clock, notices, shown } = someNotices()
  notices.show('success', 'flag.done', { action: { label: 'undo', run: () => {} }, lifeMs: 10_000 })
  clock.advance(9_999)
  expect(shown()).toEqual(['flag.done ×1'])
  clock.advance(1)
  expect(shown()).toEqual([])
})

it('a repeated notice increments its counter and starts its time again', () => {
  const { clock, notices, shown } = someNotices()
  notices.show('error', 'send.failed')
  clock.advance(5_000)
  notices.show('error', 'send.failed')
  expect(shown()).toEqual(['send.failed ×2'])
  clock.advance(5_000)
  expect(shown()).toEqual(['send.failed ×2'])
  clock.advance(1_000)
  expect(shown()).toEqual([])
})
