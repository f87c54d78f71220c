import type { ChannelState } from '@parley/client'
import { expect, it } from 'vitest'
import { channelName, partnerOf } from './channel-facts.ts'

const t = (key: string) => `<${key}>`
const ada = { id: 'ada', name: 'Ada' }
const bo = { id: 'bo', name: 'Bo' }
const gone = { id: 'bo', deleted_at: '2026-01-05T08:30:17Z' }

/** A conversation without a name of its own. */
function among(members: object[], authors: object[]): ChannelState {
  return {
    data: { member_count: members.length },
    members: Object.fromEntries(members.map((user, place) => [place, { user }])),
    messages: authors.map((user) => ({ user })),
  } as unknown as ChannelState
}

it('a direct conversation has the other member as partner, also when they are deleted', () => {
  for (const [state, name] of [
    [among([ada, bo], [bo, ada]), 'Bo'],
    [among([ada], [gone, ada]), '<message.deletedUser>'],
    [among([ada], [ada]), '<channels.unnamed>'],
    [among([ada, bo], [gone]), 'Bo'],
  ] as const)
    expect(channelName(t, 'en', state, 'ada')).toBe(name)
  expect(partnerOf(among([ada], [gone]), 'ada')).toBe(gone)
  const silent = among([ada], [ada])
  silent.data.id = '!members-adabo'
  expect(channelName(t, 'en', silent, 'ada')).toBe('<message.deletedUser>')
})

it('the last member of a group is still in a group', () => {
  expect(partnerOf(among([ada, bo, { id: 'cy' }], [gone]), 'ada')).toBeUndefined()
  const named = among([ada], [gone])
  named.data.name = 'Tea'
  expect(partnerOf(named, 'ada')).toBeUndefined()
})
