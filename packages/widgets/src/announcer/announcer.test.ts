import { setupI18n } from '@lingui/core'
import { FakeClock } from '@parley/client/testing'
import { expect, it } from 'vitest'
import en from '../i18n/catalogues/en.json'
import { translationOf } from '../i18n/translate.ts'
import { Announcer } from './announcer.ts'

function anAnnouncer() {
  const clock = new FakeClock()
  const announcer = new Announcer(translationOf(setupI18n({ locale: 'en', messages: { en } }), 'en'), clock)
  const polite = () => announcer.snapshot().polite.map(({ text }) => text)
  const assertive = () => announcer.snapshot().assertive.map(({ text }) => text)
  return { clock, announcer, polite, assertive }
}

it('reads up to three messages one by one', () => {
  const { announcer, clock, polite } = anAnnouncer()
  for (const author of ['Bo', 'Cy', 'Di']) announcer.announce('message', { author, text: 'Hi' })
  clock.advance(2_000)
  expect(polite()).toEqual(['Bo: Hi', 'Cy: Hi', 'Di: Hi'])
})

it('makes one sentence of more than three messages in two seconds', () => {
  const { announcer, clock, polite } = anAnnouncer()
  for (const author of ['Bo', 'Cy', 'Bo', 'Di']) announcer.announce('message', { author, text: 'Hi' })
  clock.advance(1_999)
  expect(polite()).toEqual([])
  clock.advance(1)
  expect(polite()).toEqual(['4 new messages from Bo, Cy, and Di'])
})

it('reads no more than 160 characters of a message', () => {
  const { announcer, clock, polite } = anAnnouncer()
  announcer.announce('message', { author: 'Bo', text: 'x'.repeat(500) })
  clock.advance(2_000)
  expect(polite()).toEqual([`Bo: ${'x'.repeat(160)}…`])
})

it('a mention is announced at once, whatever else is waiting', () => {
  const { announcer, polite } = anAnnouncer()
  announcer.announce('message', { author: 'Bo', text: 'Hi' })
  announcer.announce('mention', { author: 'Cy', channel: 'Rack planning' })
  expect(polite()).toEqual(['Cy mentioned you in “Rack planning”'])
})

it('of many reactions only the latest is announced', () => {
  const { announcer, clock, polite } = anAnnouncer()
  announcer.announce('reaction', { author: 'Bo', emoji: 'red heart' })
  announcer.announce('reaction', { author: 'Cy', emoji: 'thumbs up' })
  clock.advance(5_000)
  expect(polite()).toEqual(['Cy reacted with thumbs up'])
})

it('a failed message is assertive, and every sentence is removed again', () => {
  const { announcer, clock, assertive } = anAnnouncer()
  announcer.announce('failed', { text: 'Message Failed · Click to try again' })
  expect(assertive()).toEqual(['Message Failed · Click to try again'])
  clock.advance(7_000)
  expect(assertive()).toEqual([])
})
