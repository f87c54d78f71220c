import type { ChannelState, LocalMessage } from '@parley/client'
import { expect, it } from 'vitest'
import { receiptsOf } from './receipts.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute))
const said = (id: string, who: string, minute: number, fields: Partial<LocalMessage> = {}) =>
  ({ id, user: { id: who }, created_at: at(minute), type: 'regular', status: 'received', ...fields }) as LocalMessage
const read = (who: string, minute: number) => ({ user: { id: who }, last_read: at(minute) })

function state(messages: LocalMessage[], reads: ReturnType<typeof read>[], pending: LocalMessage[] = []) {
  const entries = reads.map((entry) => [entry.user.id, entry])
  return { messages, read: Object.fromEntries(entries), pending_messages: pending } as unknown as ChannelState
}

it('a message being sent is sending, a confirmed one delivered, and one that another user has read is read', () => {
  const messages = [said('a', 'ada', 1), said('b', 'ada', 2), said('c', 'ada', 3, { status: 'sending' })]
  const receipts = receiptsOf(state(messages, [read('bo', 1)]), 'ada')
  expect(['a', 'b', 'c'].map((id) => receipts.get(id)?.delivery)).toEqual(['read', 'delivered', 'sending'])
})

it('avatars are at the newest message each reader has read; the own read state does not count', () => {
  const messages = [said('a', 'ada', 1), said('b', 'ada', 2), said('x', 'bo', 3), said('c', 'ada', 4)]
  const receipts = receiptsOf(state(messages, [read('bo', 3), read('cy', 1), read('ada', 9)]), 'ada')
  const faces = (id: string) => receipts.get(id)?.readTo.map((user) => user.id)
  expect([faces('a'), faces('b'), faces('c')]).toEqual([['cy'], ['bo'], []])
  expect(receipts.get('a')?.readers.map((user) => user.id)).toEqual(['bo', 'cy'])
})

it('only the newest message of each status shows it as text', () => {
  const messages = [said('a', 'ada', 1), said('b', 'ada', 2), said('c', 'ada', 3), said('d', 'ada', 4)]
  const receipts = receiptsOf(state(messages, [read('bo', 2)]), 'ada')
  expect(['a', 'b', 'c', 'd'].map((id) => receipts.get(id)?.worded)).toEqual([false, true, false, true])
})

it('a message held back by the app’s server is not delivered, and moves no avatar', () => {
  const messages = [said('a', 'ada', 1), said('w', 'ada', 2)]
  const receipts = receiptsOf(state(messages, [read('bo', 3)], [messages[1]!]), 'ada')
  expect(['a', 'w'].map((id) => receipts.get(id)?.delivery)).toEqual(['read', 'waiting'])
  expect(['a', 'w'].map((id) => receipts.get(id)?.readTo.map((user) => user.id))).toEqual([['bo'], []])
  expect(receipts.get('w')?.worded).toBe(true)
})

it('failed messages, replies and those of others have none, and an unchanged receipt keeps its identity', () => {
  const others = [said('x', 'bo', 2), said('f', 'ada', 3, { status: 'failed' }), said('r', 'ada', 4, { type: 'reply' })]
  const messages = [said('a', 'ada', 1), ...others]
  const before = receiptsOf(state(messages, []), 'ada')
  expect([...before.keys()]).toEqual(['a'])
  const after = receiptsOf(state([...messages, said('y', 'bo', 5)], []), 'ada', before)
  expect(after.get('a')).toBe(before.get('a'))
})
