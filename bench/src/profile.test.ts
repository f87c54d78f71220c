import { expect, it } from 'vitest'
import { hottest, type Profile } from './profile.ts'

it('sums the self time of each function, and omits idle time', () => {
  const node = (id: number, functionName: string, url = '', lineNumber = 0) => ({
    id,
    callFrame: { functionName, url, lineNumber },
  })
  const profile: Profile = {
    nodes: [node(1, '(idle)'), node(2, 'send', 'node:net', 9), node(3, 'send', 'node:net', 9), node(4, '(program)')],
    startTime: 5_000,
    samples: [1, 2, 3, 4, 2],
    timeDeltas: [900, 20, 30, 40, 10],
  }
  expect(hottest(profile, 5)).toEqual([
    { where: 'send node:net:10', share: 0.6 },
    { where: '(program)', share: 0.4 },
  ])
  expect(hottest(profile, 1)).toHaveLength(1)
  expect(hottest(profile, 5, 5_000 + 900 + 20 + 30 + 1).map(({ where }) => where)).toEqual([
    '(program)',
    'send node:net:10',
  ])
})
