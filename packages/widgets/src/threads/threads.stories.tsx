import { longName, longWord } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import { Led } from '../component-gallery/Led.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { ada, aWorkingDay, bo, cy } from '../testing/a-working-day.ts'
import type { Conversation } from '../testing/fake-server.ts'
import { ThreadInbox, ThreadInboxButton } from './ThreadInbox.tsx'

/** A conversation with so many threads, each with so many replies. */
function threads(count: number, text: string, replies = 1): Conversation[] {
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const messages = Array.from({ length: count }, (_, n) => [
    { id: `parent-${n}`, user: bo, text: `${text} ${n}`, created_at: at(2_000 - n), reply_count: replies },
    ...Array.from({ length: replies }, (_, m) => ({
      id: `reply-${n}-${m}`,
      user: (n + m) % 2 ? ada : cy,
      text: `${text}?`,
      created_at: at(200 - n - m),
      parent_id: `parent-${n}`,
    })),
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

/** The latest replies of the first thread are expanded. */
export const unfoldedThread: Stories = {
  component: 'UnfoldedThread',
  room: 'column',
  empty: 'A thread with one reply shows it as it is.',
  typical: () => (
    <Led steps={[['.chat-thread-unfold']]}>
      <InChat conversations={() => threads(3, 'Which supplier', 3)}>{() => <ThreadInbox onSelect={() => {}} />}</InChat>
    </Led>
  ),
  tooMuch: () => (
    <Led steps={[['.chat-thread-unfold']]}>
      <InChat conversations={() => threads(3, `${longName} ${longWord}`, 5)}>
        {() => <ThreadInbox onSelect={() => {}} />}
      </InChat>
    </Led>
  ),
  error: 'What it shows came with the list.',
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
