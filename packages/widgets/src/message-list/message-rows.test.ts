import type { LocalMessage } from '@parley/client'
import { describe, expect, it } from 'vitest'
import { messageRows, type RowSources } from './message-rows.ts'

const MONDAY_NOON = new Date(2026, 0, 5, 12).getTime()

/** `b3`: Bo's message three minutes after noon. */
function aMessage(id: string, fields: Partial<LocalMessage> = {}): LocalMessage {
  const user = { a: 'ada', b: 'bo', c: 'cy' }[id[0]!]
  const created_at = new Date(MONDAY_NOON + Number(id.slice(1)) * 60_000)
  return {
    id,
    user: { id: user },
    created_at,
    type: 'regular',
    status: 'received',
    attachments: [],
    ...fields,
  } as LocalMessage
}

function rowsOf(messages: LocalMessage[], sources: Partial<RowSources> = {}) {
  return messageRows({ messages, me: 'ada', line: undefined, mutedUserIds: new Set(), entered: undefined, ...sources })
}

const gone = { type: 'deleted' }

describe('rows of messages', () => {
  it('belong to one group while one author writes within five minutes', () => {
    const rows = rowsOf(['b0', 'b1', 'b2', 'c3', 'c9'].map((id) => aMessage(id)))
    expect(rows.map(({ group }) => group)).toEqual(['first', 'middle', 'last', 'only', 'only'])
  })

  it('begin a day when the date changes, and a group with it', () => {
    const rows = rowsOf([aMessage(`b${12 * 60 - 1}`), aMessage(`b${12 * 60 + 1}`)])
    expect(rows.map(({ startsDay }) => startsDay)).toEqual([true, true])
    expect(rows.map(({ group }) => group)).toEqual(['only', 'only'])
  })

  it('have the new-messages line, which splits a group', () => {
    const rows = rowsOf(
      ['b0', 'b1'].map((id) => aMessage(id)),
      { line: { before: 'b1', count: 7 } },
    )
    expect(rows.map(({ newCount }) => newCount)).toEqual([undefined, 7])
    expect(rows.map(({ group }) => group)).toEqual(['only', 'only'])
  })

  it('merge consecutive deleted messages into one row, and leave a single one in its group', () => {
    const rows = rowsOf([
      aMessage('b0'),
      aMessage('b1', gone),
      aMessage('c2', gone),
      aMessage('c3'),
      aMessage('c4', gone),
      aMessage('c5'),
    ])
    expect(rows.map(({ key, count }) => [key, count])).toEqual([
      ['b0', 1],
      ['b1', 2],
      ['c3', 1],
      ['c4', 1],
      ['c5', 1],
    ])
    expect(rows.map(({ group }) => group)).toEqual(['only', 'only', 'first', 'middle', 'last'])
  })

  it('leave out shadowed messages of others', () => {
    const rows = rowsOf([aMessage('b0', { shadowed: true }), aMessage('a1', { shadowed: true })])
    expect(rows.map(({ key }) => key)).toEqual(['a1'])
  })

  it('keep their identity when nothing in them changed', () => {
    const messages = ['b0', 'c1', 'c9'].map((id) => aMessage(id))
    const before = rowsOf(messages)
    const sources = { me: 'ada', line: undefined, mutedUserIds: new Set<string>(), entered: undefined }
    const after = messageRows({ ...sources, messages: [...messages, aMessage('c10')] }, before)
    expect(after.map((row, i) => row === before[i])).toEqual([true, true, false, false])
  })
})
