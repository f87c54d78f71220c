import { expect, it } from 'vitest'
import * as limits from './limits.ts'

it('[LIM-4] tests can import the limits of the kit, and each of them is a number or an array of numbers', () => {
  expect(limits.MESSAGES_PAGE).toBe(25)
  expect(limits.CHANNELS_PAGE).toBe(30)
  expect(limits.MARK_UNREAD_WINDOW).toBe(100)
  expect([limits.CATALOGUE_RETRIES, limits.CATALOGUE_RETRY_MS, limits.CATALOGUE_READS]).toEqual([5, 350, 10])
  expect(
    Object.values(limits)
      .flat()
      .every((limit) => typeof limit === 'number'),
  ).toBe(true)
})

it('[CHN-52] slow mode is offered from off to two minutes', () => {
  expect([Math.min(...limits.COOLDOWNS_S), Math.max(...limits.COOLDOWNS_S)]).toEqual([0, 120])
})

it('no limit of the kit changes unnoticed', async () => {
  const lines = Object.entries(limits).map(([name, limit]) => `${name} ${[limit].flat().join(', ')}`)
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('limits.txt')
})
