import { expect, it } from 'vitest'
import { loader as avatar } from './avatar.ts'
import { drawPortrait } from './draw-portrait.ts'
import { graphemeCount } from './graphemes.ts'
import { nameKey } from './name-key.ts'

it('a name key has no case, accents or ligatures', () => {
  expect(nameKey('Sørensen', 'Åse')).toBe('sorensen ase')
  expect(nameKey('Weiß', 'Łukasz')).toBe('weiss lukasz')
  expect(nameKey('YILDIZ', 'İpek')).toBe('yildiz ipek')
  expect(nameKey(' Satō  ', 'Aoi')).toBe('sato aoi')
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
