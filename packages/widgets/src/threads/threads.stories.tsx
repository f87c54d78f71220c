import { ada, aWorkingDay, bo, cy } from '../testing/a-working-day.ts'
import type { Conversation } from '../testing/pretend-server.ts'
import { longName, longWord } from '../workshop/far-too-much.ts'
import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
import { ThreadInbox, ThreadInboxButton } from './ThreadInbox.tsx'

/** A conversation with as many threads, each with a reply. */
function threads(count: number, text: string): Conversation[] {
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const messages = Array.from({ length: count }, (_, n) => [
    { id: `parent-${n}`, user: bo, text: `${text} ${n}`, created_at: at(2_000 - n), reply_count: 1 },
    { id: `reply-${n}`, user: n % 2 ? ada : cy, text: `${text}?`, created_at: at(200 - n), parent_id: `parent-${n}` },
  ])
  return [{ id: 'racks', name: text, members: [ada, bo, cy], messages: messages.flat() }]
}

export const threadInbox: Stories = {
  component: 'ThreadInbox',
  room: 'column',
  empty: (root) => <InChat>{() => <ThreadInbox {...root} onSelect={() => {}} />}</InChat>,
  typical: (root) => (
    <InChat conversations={() => threads(3, 'Which supplier')}>
      {() => <ThreadInbox {...root} onSelect={() => {}} />}
    </InChat>
  ),
  tooMuch: (root) => (
    <InChat conversations={() => threads(10, `${longName} ${longWord}`)}>
      {() => <ThreadInbox {...root} onSelect={() => {}} />}
    </InChat>
  ),
  error: (root) => (
    <InChat before={(server) => server.refusals.set('POST /threads', { status: 500, code: -1 })}>
      {() => <ThreadInbox {...root} onSelect={() => {}} />}
    </InChat>
  ),
}

export const threadInboxButton: Stories = {
  component: 'ThreadInboxButton',
  empty: (root) => (
    <InChat conversations={aWorkingDay}>
      {() => <ThreadInboxButton {...root} pressed={false} onPress={() => {}} />}
    </InChat>
  ),
  typical: (root) => <InChat>{() => <ThreadInboxButton {...root} pressed onPress={() => {}} />}</InChat>,
  tooMuch: 'Its badge ends at 99+.',
  error: 'It counts what it knows of, and says nothing else.',
}
