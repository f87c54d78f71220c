import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it } from 'vitest'
import { wantedOf, wordsOf } from '../../platform/database/words.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

/** Common texts, and texts that break query languages. */
const said = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'tea',
        'Zoë',
        '東京都',
        'コーヒー',
        '한국어',
        'ภาษาไทย',
        'İstanbul',
        'ﬁn',
        '👍🏽',
        'don’t',
        'مُحَمَّد',
      ),
      fc.constantFrom(
        '"',
        "'",
        '\\',
        '*',
        ':*',
        '&',
        '|',
        '!',
        '(',
        ')',
        '<->',
        'AND',
        'NOT',
        'NEAR',
        '^',
        '#d1',
        '\ud800',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(' ').replaceAll('\0', ''))

it('[SRCH-1] any text contains the terms parsed from it', () => {
  fc.assert(
    fc.property(said, fc.boolean(), (text, beginnings) => {
      const words = [...wordsOf(text)]
      for (const { word, isBeginning } of wantedOf(text, { beginnings }))
        assert.ok(isBeginning ? words.some((has) => has.startsWith(word)) : words.includes(word), `${word} in ${words}`)
    }),
  )
})

onEveryStorage((fixture) => {
  it('[SRCH-1] any text is found by searching for it', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await fc.assert(
      fc.asyncProperty(said, async (text) => {
        const room = await appServer.opens([ada])
        const sent = await ada.call('POST', `${path(room)}/message`, { body: { message: { text } } })
        if (sent.status !== 201) return
        const payload = JSON.stringify({ filter_conditions: { cid: room }, query: text })
        const { status, body } = await ada.call('GET', '/search', { query: { payload } })
        assert.equal(status, 200, `${payload} → ${JSON.stringify(body)}`)
        const hasWords = wantedOf(sent.body.message.text, { beginnings: false }).length > 0
        assert.equal(body.results.length, hasWords ? 1 : 0, payload)
      }),
      { numRuns: 40 },
    )
  }, 30_000)
})
