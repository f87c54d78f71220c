import assert from 'node:assert/strict'
import type { BlockList } from '@parley/protocol/block-lists'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { profanity, usual } from './known-lists.ts'
import { searchFor } from './word-search.ts'

const listOf = (words: string[], fields: Partial<BlockList> = {}): BlockList => ({
  name: 'cakes',
  ...usual,
  words,
  created_at: '',
  updated_at: '',
  ...fields,
})
const finds = (words: string[], text: string, fields: Partial<BlockList> = {}) => searchFor(listOf(words, fields))(text)

describe('a block list', () => {
  it('[BLK-5] finds whole words, ignoring case', () => {
    for (const text of ['cream', 'Ice Cream', 'ice-cream', '“CREAM!”', 'no\ncream.', '(cream)'])
      assert.equal(finds(['cream'], text), 'cream', text)
    for (const text of ['', 'creamcheese', 'scream', 'cr3am', 'creams', 'сream', 'crème'])
      assert.equal(finds(['cream'], text), undefined, text)
    assert.equal(finds(['whipped cream'], 'Much WHIPPED and cream, please'), undefined)
    assert.equal(finds(['whipped cream'], 'Much WHIPPED cream, please'), 'whipped cream')
    assert.equal(finds(['whipped-cream'], 'whipped cream'), 'whipped-cream')
    assert.equal(finds(['käse'], 'KÄSE!'), 'käse')
    assert.equal(finds(['!!!'], '!!!'), undefined)
  })

  it('[BLK-5] strips no character whose removal would make another word', () => {
    for (const [word, others] of [
      ['a$$', ['a', 'A.', 'as']],
      ['as$', ['as', 'as!', 'ask']],
      ['sh!+', ['sh', 'sh!', 'she']],
      ['c++', ['c', 'C?']],
      ['गाली', ['गाल', 'गाल।']],
    ] as const) {
      for (const text of [word, `“${word}”`, `(${word})!`, `so, ${word}: no`])
        assert.equal(finds([word], text), word, text)
      for (const text of others) {
        assert.equal(finds([word], text), undefined, `${word} in ${text}`)
        assert.equal(finds([word], text, { is_substring_matching_enabled: true }), undefined, `${word} within ${text}`)
      }
    }
    // Punctuation around a word without any is not part of it.
    for (const text of ['$cream$', 'cream❤️', '+cream+', 'गाली।']) {
      const word = text.startsWith('ग') ? 'गाली' : 'cream'
      assert.equal(finds([word], text), word, text)
    }
  })

  it('[BLK-5] finds words in any Unicode normalization', () => {
    assert.equal(finds(['käse'], 'ka\u0308se'), 'käse')
    assert.equal(finds(['ka\u0308se'], 'Käse'), 'ka\u0308se')
    assert.equal(finds(['iyi'], 'İYİ'), 'iyi')
    assert.equal(finds(['बात'], 'बीता', { is_confusable_folding_enabled: true }), undefined)
  })

  it.each([
    ['a soft hyphen', 'gro\u00adbian'],
    ['a zero-width space', 'g\u200brobian'],
    ['joiners', 'gr\u200co\u200dbian'],
    ['a word joiner', 'gro\u2060bian'],
    ['signs of direction', '\u202egro\u202cbian\u2066'],
    ['variation selectors', 'g\ufe0fr\ufe00obian\u{e0100}'],
    ['tags', 'gro\u{e0062}\u{e0069}bian'],
    ['a Hangul filler', 'gro\u3164bian'],
    ['a byte-order mark', 'gro\ufeffbian'],
    ['a Mongolian vowel separator', 'gro\u180ebian'],
    ['full width', 'ｇｒｏｂｉａｎ'],
    ['bold', 'gro**bian**'],
    ['italic', '_gro_bian'],
    ['strike and code', 'g~~ro~~`bian`'],
    ['single marks', 'g*r*o*b*i*a*n'],
    ['all of them', '**Gro**\u200b_bi_\u00adan'],
  ])('[BLK-5] cannot be passed by %s inside a word', (_, text) => {
    for (const fields of [{}, { is_confusable_folding_enabled: true }, { is_substring_matching_enabled: true }])
      assert.equal(finds(['grobian'], `so, ${text}!`, fields), 'grobian')
    assert.equal(finds(['gro?bian'], `so, ${text}!`, { type: 'regex' }), /ｇ/.test(text) ? undefined : 'gro?bian')
    assert.equal(finds(['grobian.example'], `see ${text}.example`, { type: 'domain' }), 'grobian.example')
    assert.equal(finds(['a@grobian.example'], `a@${text}.example`, { type: 'email' }), 'a@grobian.example')
    // The words of a list are meant as they are seen: a star in one is a star.
    assert.equal(finds([text], 'grobian'), /[*_~]/.test(text) ? undefined : text)
    assert.equal(finds([text], text), text)
  })

  it('[BLK-5] finds words in the capitals of every language', () => {
    for (const [word, text] of [
      ['yıldız', 'YILDIZ'],
      ['YILDIZ', 'yıldız'],
      ['straße', 'STRASSE'],
      ['σισυφος', 'ΣΙΣΥΦΟΣ'],
    ] as const)
      assert.equal(finds([word], text), word)
    assert.equal(finds(['łotr'], 'LOTR', { is_confusable_folding_enabled: true }), 'łotr')
    assert.equal(finds(['łotr'], 'LOTR'), undefined)
  })

  it('[BLK-5] an allow list asks for names as they are typed, marks or not', () => {
    const allowed = (text: string) => finds(['good.example'], text, { type: 'domain_allowlist' })
    for (const text of ['see good.example', '**good.example**', 'see*good.example*', 'go\u00adod.example'])
      assert.equal(allowed(text), undefined, text)
    assert.equal(allowed('ba\u200bd.example'), 'bad.example')
  })

  it('that is built in matches nothing in everyday texts', () => {
    const { search } = profanity(0)
    for (const text of [
      'This is a test, as far as I know. A+ as always!',
      'Sh! The baby sleeps.',
      'Dr. Wang and Fanny Cox from Scunthorpe moved a pawn to the flange.',
      'Tit for tat: a shag rug, two dinks, garden hoes, and chicken breasts. The class assessment went to Essex.',
      'Professor Hoare is a bloody good speaker; give Willy the balls.',
      'Sex: female. The SPAC runs a lust-free office.',
      'Das ist ein Test, den ich heute noch einmal machen muss.',
      'C’est un essai, il y a un problème avec la réunion de demain.',
      'Es una prueba, a las tres nos vemos con el equipo.',
      'As reuniões são às três, e as notas ficam com a equipe.',
      'È una prova, ci vediamo alle tre con la squadra.',
      'Dit is een test, en de hoes van de laptop ligt op kantoor.',
      'Bu bir deneme, kum saati masanın üzerinde.',
      'Это проверка, встреча в три часа.',
      'यह एक परीक्षण है, बैठक तीन बजे है।',
      'これはテストです。会議は三時です。',
      '이것은 테스트입니다. 회의는 세 시입니다.',
    ])
      assert.equal(search(text), undefined, text)
    for (const text of ['shit!', 'What an a$$.', 'Sh!t happens', 'you ASSHOLE'])
      assert.notEqual(search(text), undefined, text)
  })

  it('finds disguised words when enabled', () => {
    assert.equal(finds(['cream'], 'cr3am', { is_leet_check_enabled: true }), 'cream')
    assert.equal(finds(['silk'], '51lk', { is_leet_check_enabled: true }), 'silk')
    assert.equal(finds(['lid'], '1!d', { is_leet_check_enabled: true }), 'lid')
    assert.equal(finds(['ass'], '@$$', { is_leet_check_enabled: true }), 'ass')
    const plural = { is_plural_check_enabled: true }
    assert.equal(finds(['cream'], 'creams', plural), 'cream')
    assert.equal(finds(['peach', 'berry'], 'peaches', plural), 'peach')
    assert.equal(finds(['berry'], 'Berries', plural), 'berry')
    assert.equal(finds(['cream'], 'I screamed', { is_substring_matching_enabled: true }), 'cream')
    const folding = { is_confusable_folding_enabled: true }
    assert.equal(finds(['cream'], 'сrеаm', folding), 'cream')
    assert.equal(finds(['cream'], 'ｃｒéam', folding), 'cream')
  })

  it('finds patterns in time linear in the text', () => {
    assert.equal(finds(['cr[e3]+am\\b'], 'Creeeam', { type: 'regex' }), 'cr[e3]+am\\b')
    assert.equal(finds(['^x$'], 'xy', { type: 'regex' }), undefined)
    assert.equal(finds(['(a+)+$'], `${'a'.repeat(4_000)}!`, { type: 'regex' }), undefined)
  })

  it('finds the hosts and addresses on it, or all but those', () => {
    const domain = { type: 'domain' } as const
    assert.equal(
      finds(['bad.example'], 'see https://www.BAD.example/x?y=1', domain),
      'bad.example'.replace('bad', 'www.bad'),
    )
    assert.equal(finds(['bad.example'], 'bad.example.org or notbad.example, me@bad.example', domain), undefined)
    const allowed = { type: 'domain_allowlist' } as const
    assert.equal(finds(['good.example'], 'good.example and http://a.good.example/', allowed), undefined)
    assert.equal(finds(['good.example'], 'good.example, other.example', allowed), 'other.example')
    assert.equal(finds(['good.example'], 'No link. At all...', allowed), undefined)
    assert.equal(finds(['bo@bad.example'], 'Write to Bo@bad.example!', { type: 'email' }), 'bo@bad.example')
    assert.equal(finds(['@bad.example'], 'or cy@bad.example', { type: 'email' }), 'cy@bad.example')
    assert.equal(finds(['good.example'], 'a@good.example', { type: 'email_allowlist' }), undefined)
    assert.equal(finds(['good.example'], 'a@b.example', { type: 'email_allowlist' }), 'a@b.example')
  })

  it('accepts any text', () => {
    const types = ['word', 'domain', 'domain_allowlist', 'email', 'email_allowlist'] as const
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' })),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...types),
        fc.boolean(),
        (words, text, type, is) => {
          finds(words, text, {
            type,
            is_leet_check_enabled: is,
            is_plural_check_enabled: is,
            is_substring_matching_enabled: is,
            is_confusable_folding_enabled: is,
          })
        },
      ),
    )
  })

  it('finds every word of its own', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12})?$/), { minLength: 1 }),
        fc.nat(),
        (words, n) => {
          const word = words[n % words.length]!
          assert.notEqual(finds(words, `well, ${word.toUpperCase()}!`), undefined)
        },
      ),
    )
  })
})
