import { expect, it } from 'vitest'
import { seenName } from './seen-name.ts'

it('an invisible name counts as none, and every other one stays as it is', () => {
  for (const name of [undefined, '', ' ', '\u200b\u200d\u2060\ufeff', '\u202e\u2066', '\u3000', '\u0301'])
    expect(seenName(name)).toBeUndefined()
  for (const name of ['Bo', '山田', 'علي', '🙂', '-', '\u202eBo', '\u200bBo']) expect(seenName(name)).toBe(name)
})
