import { describe, expect, it } from 'vitest'
import { ACCENTS, folded, foldedCase, INVISIBLE, LETTERS, visible } from './folding.ts'

describe('the same word, however it was typed', () => {
  it.each([
    ['YILDIZ', 'yıldız', 'Yıldız', 'yildiz'],
    ['AYDIN', 'Aydın', 'aydin'],
    ['İSTANBUL', 'istanbul', 'Istanbul', 'ıstanbul'],
    ['Straße', 'STRASSE', 'STRAẞE', 'strasse'],
    ['Łódź', 'LODZ', 'łodz', 'lódź'],
    ['Søren', 'SOREN', 'søren'],
    ['Ærø', 'aero', 'ÆRØ'],
    ['Đorđe', 'dorde', 'ĐORĐE'],
    ['Þór', 'thor', 'ÞÓR'],
    ['Œuvre', 'oeuvre'],
    ['Zoë', 'ZOE', 'Zoe\u0308'],
    ['Ｐａｒｌｅｙ', 'Parley', 'PARLEY', 'par\u00adley', 'par\u200bley', 'par\u2060ley'],
    ['ﬁle', 'file'],
    ['ガギ', 'ｶﾞｷﾞ', 'カ\u3099キ\u3099'],
    ['한글', '한글'.normalize('NFD')],
    ['ΣΊΣΥΦΟΣ', 'σισυφος', 'Σίσυφοσ'],
    ['ёлка', 'ЕЛКА', 'е\u0308лка'],
    ['שלום', 'שָׁלוֹם'],
    ['محمد', 'مُحَمَّد', 'محـــمد'],
    ['می‌خواهم', 'میخواهم'],
    ['❤', '❤️', '❤\ufe0e'],
    ['👨‍👩‍👧', '👨👩👧'],
    ['\u{1f3f4}', '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}'],
  ])('%s', (...forms) => expect(new Set(forms.map(folded)).size, forms.map(folded).join(' ')).toBe(1))

  it.each([
    ['か', 'が'],
    ['ハ', 'パ', 'バ'],
    ['कि', 'की', 'का'],
    ['ก่า', 'ก้า'],
    ['a', 'b', '1', '①0'],
    ['한', '하'],
  ])('%s and %s are two', (...forms) => expect(new Set(forms.map(folded)).size).toBe(forms.length))

  it('once is enough, and the tables hold no capitals', () => {
    for (let code = 1; code < 0x30000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const once = folded(String.fromCodePoint(code))
      expect(folded(once), `U+${code.toString(16)}`).toBe(once)
    }
    for (const [letter, plain] of Object.entries(LETTERS)) {
      expect(letter.toLowerCase()).toBe(letter)
      expect(folded(letter)).toBe(plain)
    }
  })
})

describe('case alone', () => {
  it.each([
    ['schön', 'SCHÖN', 'scho\u0308n', 'sch\u00adön'],
    ['İZMİR', 'izmir'],
    ['YILDIZ', 'yıldız', 'Yıldız'],
    ['STRASSE', 'Straße'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['Ｗｏｒｄ', 'word', 'w\u200dord', 'w\ufe0ford'],
  ])('%s', (...forms) => expect(new Set(forms.map(foldedCase)).size).toBe(1))

  it('keeps accents', () => expect(foldedCase('Schön')).not.toBe(foldedCase('Schon')))
})

it('every sign that Unicode calls ignorable is invisible here', () => {
  for (let code = 0; code < 0xe1000; code++) {
    const sign = String.fromCodePoint(code)
    if (/\p{Default_Ignorable_Code_Point}/u.test(sign)) expect(visible(sign), `U+${code.toString(16)}`).toBe('')
  }
  expect(visible('a b\n한 👍')).toBe('a b\n한 👍')
  expect([...ACCENTS, ...INVISIBLE].every(([from, to]) => from <= to)).toBe(true)
})
