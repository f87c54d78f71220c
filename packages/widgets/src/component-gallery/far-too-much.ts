import { ada, bo } from '../testing/a-working-day.ts'
import type { Conversation, FakeMessage, FakeUser } from '../testing/fake-server.ts'

/** Extreme names and texts: very long, right to left, and like code. */
export const longName = `Maximiliane-Alexandrina ${'von und zu '.repeat(12)}Hohenstein`
export const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(4)
export const trickyText = `\u202esdrawkcab\u202c <img src=x onerror=alert(1)> ${'z\u0310\u0311\u0312\u0313'.repeat(20)} 👩‍👩‍👧‍👦🏳️‍🌈`

const max: FakeUser = { id: 'max', name: longName, organization: longName, online: true }
const trick: FakeUser = { id: 'trick', name: trickyText }

/** One conversation with all extremes. */
export function farTooMuch(): Conversation[] {
  const texts = [
    longWord,
    trickyText,
    'word '.repeat(2_000),
    '👍'.repeat(200),
    `# ${longWord}\n\n- ${longName}`,
    `https://example.com/${longWord}`,
  ]
  const messages: FakeMessage[] = Array.from({ length: 60 }, (_, n) => ({
    id: `much-${n}`,
    user: [max, trick, ada, bo][n % 4]!,
    text: texts[n % texts.length]!,
    created_at: new Date(Date.now() - (60 - n) * 40 * 60_000).toISOString(),
  }))
  const others = Array.from({ length: 40 }, (_, n) => ({
    id: `other-${n}`,
    name: n % 2 ? longName : trickyText,
    members: [ada, max],
    messages: [
      { id: `o-${n}`, user: max, text: longWord, created_at: new Date(Date.now() - n * 86_400_000).toISOString() },
    ],
    unread: n * 37,
  }))
  return [
    { id: 'racks', name: `${longName} ${trickyText}`, members: [ada, bo, max, trick], messages, unread: 12 },
    ...others,
  ]
}
