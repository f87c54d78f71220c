import { describe, expect, it } from 'vitest'
import { loader as avatar } from './avatar.ts'
import { drawPortrait } from './draw-portrait.ts'
import { graphemeCount } from './graphemes.ts'
import { nameKey } from './name-key.ts'
import { fullName, greetedAs } from './person.ts'

it('a name key has no case, accents or ligatures', () => {
  expect(nameKey('Sørensen', 'Åse')).toBe('sorensen ase')
  expect(nameKey('Weiß', 'Łukasz')).toBe('weiss lukasz')
  expect(nameKey('YILDIZ', 'İpek')).toBe('yildiz ipek')
  expect(nameKey(' Satō  ', 'Aoi')).toBe('sato aoi')
  // Marks that make another letter stay.
  expect(nameKey('शर्मा', 'が')).toBe('शर्मा が')
})

describe('a full name', () => {
  const named = (givenName: string, familyName: string) => fullName({ givenName, familyName })

  it('[I18N-14] is in the order that is usual in its own script', () => {
    expect(named('Ada', 'Lindqvist')).toBe('Ada Lindqvist')
    expect(named('太郎', '山田')).toBe('山田 太郎')
    expect(named('花子', '佐々木')).toBe('佐々木 花子')
    expect(named('エリカ', '井ノ上')).toBe('井ノ上 エリカ')
    expect(named('길동', '홍')).toBe('홍길동')
  })

  it('keeps the given name first where the letters do not say otherwise, or a part is missing', () => {
    expect(named('ジョン', 'スミス')).toBe('ジョン スミス')
    expect(named('Taro', 'Yamada')).toBe('Taro Yamada')
    expect(named('길동', 'Hong')).toBe('길동 Hong')
    expect([named('Ada', ''), named('', '山田')]).toEqual(['Ada', '山田'])
  })

  it('is used in a greeting where the given name alone would be too familiar', () => {
    expect(greetedAs({ givenName: 'Ada', familyName: 'Lindqvist' })).toBe('Ada')
    expect(greetedAs({ givenName: '太郎', familyName: '山田' })).toBe('山田 太郎')
    expect(greetedAs({ givenName: '길동', familyName: '홍' })).toBe('홍길동')
  })
})

it('characters are counted as graphemes', () => {
  expect(graphemeCount('👩‍👩‍👧‍👦é한')).toBe(3)
})

it('a portrait is always the same for one id, and different for others', () => {
  expect(drawPortrait('ada')).toBe(drawPortrait('ada'))
  expect(drawPortrait('ada')).not.toBe(drawPortrait('bo'))
})

it.each(['ada.png', '../ada.svg', '<script>.svg', '.svg'])('there is no portrait at %s', (file) => {
  const ask = () => avatar({ params: { file } } as unknown as Parameters<typeof avatar>[0])
  expect(ask).toThrow(expect.objectContaining({ status: 404 }))
})
