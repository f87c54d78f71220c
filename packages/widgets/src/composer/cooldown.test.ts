import type { ChannelState } from '@parley/client'
import { expect, it } from 'vitest'
import { cooledAt, secondsLeft } from './cooldown.ts'

const sentAt = new Date('2026-01-05T09:00:00.000Z')

function aChannel(cooldown: number, capabilities: string[] = []) {
  const messages = [{ id: 'a', user: { id: 'ada' }, created_at: sentAt, status: 'received', type: 'regular' }]
  const data = { cooldown, own_capabilities: capabilities }
  return { data, sets: [{ latest: true, messages }], threads: {} } as unknown as ChannelState
}

it('[CHN-52] counts from the last own message, and moderators are exempt', () => {
  expect(cooledAt(aChannel(30), 'ada')).toBe(sentAt.getTime() + 30_000)
  expect(cooledAt(aChannel(30, ['skip-slow-mode']), 'ada')).toBe(0)
  expect(cooledAt(aChannel(30), 'bo')).toBe(0)
  expect(cooledAt(aChannel(0), 'ada')).toBe(0)
})

it('[CHN-52] a reply in a thread counts, but not a message visible only to its author, nor a failed one', () => {
  const after = (ms: number, type: string, status = 'received') => ({
    user: { id: 'ada' },
    created_at: new Date(sentAt.getTime() + ms),
    status,
    type,
  })
  const unseen = [after(7_000, 'ephemeral'), after(8_000, 'error'), after(9_000, 'reply', 'failed')]
  const messages = [after(5_000, 'reply'), ...unseen]
  const threads = { a: { parent: undefined, sets: [{ latest: true, messages }] } }
  const inThread = { ...aChannel(30), threads } as unknown as ChannelState
  expect(cooledAt(inThread, 'ada')).toBe(sentAt.getTime() + 35_000)
})

it('[CHN-52] counts whole seconds down to 0, never above the channel’s own number', () => {
  const until = sentAt.getTime() + 30_000
  const left = (ms: number) => secondsLeft(until, sentAt.getTime() + ms, 30)
  expect([left(0), left(1), left(1_000), left(29_999), left(30_000), left(90_000)]).toEqual([30, 30, 29, 1, 0, 0])
  expect(left(-60_000)).toBe(30) // the server's clock is ahead of ours
})
