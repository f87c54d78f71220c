import type { Conversation, FakeMessage, FakeUser } from './fake-server.ts'

export const ada: FakeUser = { id: 'ada', name: 'Ada Okafor', organization: 'Northwind' }
export const bo: FakeUser = { id: 'bo', name: 'Bo Lindqvist', organization: 'Contoso' }
export const cy: FakeUser = { id: 'cy', name: 'Cy Tanaka', organization: 'Northwind' }

const LINES = [
  'Morning! Did anybody look at the rack diagrams yet?',
  'Yes, two things looked odd to me.',
  'The power budget for row C assumes the old supplies, and the cooling numbers are from the summer.\n\nI would redo both before we sign anything.',
  'Agreed.',
  'I can ask the vendor for the new sheet today, they usually answer before lunch.',
  '👍',
  'Here is what I have so far: https://example.com/racks/row-c',
  'Looks good',
  'One question: do we keep the **spare** units in the same room? Last year that cost us half a day when the door lock failed.',
  'Good point. Let us split them.',
  '- row A: two spares\n- row B: one spare\n- row C: none for now',
  'Works for me, thanks',
  'Lunch at noon?',
  'Sure, the usual place',
]

/** A realistic conversation of three: several days, groups, replies, reactions, deletions. */
export function theLunchGroup(count: number, fields: Partial<Conversation> = {}): Conversation {
  const now = Date.now()
  const members = [ada, bo, cy]
  const messages: FakeMessage[] = []
  // Gaps between two messages, in minutes, newest first: bursts with long pauses between them.
  let at = now - 4 * 60_000
  for (let n = count - 1; n >= 0; n--) {
    const user = members[Math.floor((n * 4) / 7) % 3]!
    messages.push({
      id: `m${n}`,
      user,
      text: LINES[n % LINES.length]!,
      created_at: new Date(at).toISOString(),
    })
    at -= n % 9 === 0 ? 7 * 3_600_000 : n % 4 === 0 ? 11 * 60_000 : 50_000
  }
  return { id: 'racks', name: 'Rack planning', members, messages: messages.reverse(), ...fields }
}
