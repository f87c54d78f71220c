import { expect, it } from 'vitest'
import { isCalled } from './folded.ts'

it('somebody is found by the beginning of any of their names, or of several in a row, whatever the accents', () => {
  const name = 'Zoë Ann-Marie İnce'
  for (const sought of ['', 'zoe', 'ZOË A', 'ann-m', 'marie i', 'ınce'])
    expect(isCalled(name, sought), sought).toBe(true)
  for (const sought of ['oe', 'arie', 'ince z', 'zoem']) expect(isCalled(name, sought), sought).toBe(false)
})

it('somebody is found by a syllable of Hangul that is half written, and by no other letter', () => {
  expect([isCalled('고양이', '고야'), isCalled('かとう', 'が')]).toEqual([true, false])
})
