import { expect, it } from 'vitest'
import { isCalled } from './folded.ts'

it('a user is found by the beginning of any part of their name, or of several in a row, ignoring accents', () => {
  const name = 'Zoë Ann-Marie İnce'
  for (const sought of ['', 'zoe', 'ZOË A', 'ann-m', 'marie i', 'ınce'])
    expect(isCalled(name, sought), sought).toBe(true)
  for (const sought of ['oe', 'arie', 'ince z', 'zoem']) expect(isCalled(name, sought), sought).toBe(false)
})

it('a user is found by a half-typed Hangul syllable, and by no other letter', () => {
  expect([isCalled('고양이', '고야'), isCalled('かとう', 'が')]).toEqual([true, false])
})
