import { FakeClock } from '@parley/client/testing'
import { expect, it } from 'vitest'
import { Notices } from './notices.ts'

function someNotices() {
  const clock = new FakeClock()
  const notices = new Notices(clock)
  const shown = () => notices.snapshot().map(({ key, times }) => `${key} ×${times}`)
  return { clock, notices, shown }
}

it('a notice goes by itself after six seconds', () => {
  const { clock, notices, shown } = someNotices()
  notices.show('error', 'send.failed')
  clock.advance(5_999)
  expect(shown()).toEqual(['send.failed ×1'])
  clock.advance(1)
  expect(shown()).toEqual([])
})

it('stays while somebody looks at it', () => {
  const { clock, notices, shown } = someNotices()
  const { id } = notices.show('error', 'send.failed')
  notices.pause(id)
  clock.advance(60_000)
  expect(shown()).toEqual(['send.failed ×1'])
  notices.resume(id)
  clock.advance(6_000)
  expect(shown()).toEqual([])
})

it('stays until it is answered when it offers something', () => {
  const { clock, notices, shown } = someNotices()
  notices.show('info', 'message.unavailable', { action: { label: 'retry', run: () => {} } })
  clock.advance(60_000)
  expect(shown()).toEqual(['message.unavailable ×1'])
})

it('goes after its own time when what it offers is found elsewhere, too', () => {
  const { clock, notices, shown } = someNotices()
  notices.show('success', 'flag.done', { action: { label: 'undo', run: () => {} }, lifeMs: 10_000 })
  clock.advance(9_999)
  expect(shown()).toEqual(['flag.done ×1'])
  clock.advance(1)
  expect(shown()).toEqual([])
})

it('the same notice again counts up and begins its time anew', () => {
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
