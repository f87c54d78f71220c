import { farTooMuch, longWord } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { ada, aWorkingDay, bo, cy } from '../testing/a-working-day.ts'
import type { Conversation } from '../testing/fake-server.ts'
import { ChannelList } from './ChannelList.tsx'
import FindDialog from './FindDialog.tsx'
import { useChannelList } from './use-channel-list.ts'

export const channelList: Stories = {
  component: 'ChannelList',
  room: 'column',
  empty: (root) => (
    <InChat conversations={() => []}>{() => <ChannelList {...root} onSelect={() => {}} onNewChat={() => {}} />}</InChat>
  ),
  typical: (root) => (
    <InChat>{(channel) => <ChannelList {...root} activeCid={channel.cid} onSelect={() => {}} />}</InChat>
  ),
  tooMuch: (root) => (
    <InChat conversations={farTooMuch}>
      {(channel) => <ChannelList {...root} activeCid={channel.cid} onSelect={() => {}} />}
    </InChat>
  ),
  error: (root) => (
    <InChat before={(server) => server.refusals.set('POST /channels', { status: 500, code: -1 })}>
      {() => <ChannelList {...root} onSelect={() => {}} />}
    </InChat>
  ),
}

const invited = (): Conversation[] => [
  { id: 'quay', name: 'The new quay', members: [ada, bo, cy], messages: [], invited: { by: 'bo' } },
  { id: 'harbour', name: 'Harbour lights', members: [ada, cy], messages: [], invited: {} },
]
const invitedTooMuch = (): Conversation[] =>
  Array.from({ length: 12 }, (_, at) => ({
    id: `quay-${at}`,
    name: longWord,
    members: [ada, { ...bo, name: longWord }],
    messages: [],
    invited: { by: 'bo' },
  }))

export const invitations: Stories = {
  component: 'Invitations',
  room: 'column',
  empty: 'Without an invitation there is nothing to draw.',
  typical: (root) => (
    <InChat conversations={() => [...aWorkingDay(), ...invited()]}>
      {(channel) => <ChannelList {...root} activeCid={channel.cid} onSelect={() => {}} />}
    </InChat>
  ),
  tooMuch: (root) => (
    <InChat conversations={() => [...aWorkingDay(), ...invitedTooMuch()]}>
      {(channel) => <ChannelList {...root} activeCid={channel.cid} onSelect={() => {}} />}
    </InChat>
  ),
  error: 'An answer that does not come through leaves the card as it was, and a notice says so.',
}

/** With the channels the list has loaded. */
function Finding({ activeCid }: { activeCid: string }) {
  const { listing } = useChannelList({ filters: {} })
  const channels = listing.at === 'loaded' ? listing.channels : []
  return <FindDialog channels={channels} activeCid={activeCid} onSelect={() => {}} onClose={() => {}} />
}

export const findDialog: Stories = {
  component: 'FindDialog',
  room: 'pane',
  empty: () => <InChat conversations={() => []}>{(channel) => <Finding activeCid={channel.cid} />}</InChat>,
  typical: () => <InChat>{(channel) => <Finding activeCid={channel.cid} />}</InChat>,
  tooMuch: () => <InChat conversations={farTooMuch}>{(channel) => <Finding activeCid={channel.cid} />}</InChat>,
  error: 'What is in the list is found without a question; a search that fails says so in its place.',
}
