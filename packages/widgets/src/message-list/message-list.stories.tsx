import { farTooMuch } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import JumpToDate from './JumpToDate.tsx'
import { MessageList } from './MessageList.tsx'

export const messageList: Stories = {
  component: 'MessageList',
  room: 'pane',
  empty: (root) => <InChat open="empty">{(channel) => <MessageList {...root} channel={channel} />}</InChat>,
  typical: (root) => <InChat>{(channel) => <MessageList {...root} channel={channel} />}</InChat>,
  tooMuch: (root) => (
    <InChat conversations={farTooMuch}>{(channel) => <MessageList {...root} channel={channel} />}</InChat>
  ),
  error: (root) => <InChat open="nowhere">{(channel) => <MessageList {...root} channel={channel} />}</InChat>,
}

export const jumpToDate: Stories = {
  component: 'JumpToDate',
  room: 'pane',
  empty: 'There is always a day to begin with.',
  typical: () => (
    <InChat>
      {(channel) => <JumpToDate channel={channel} day={new Date()} onClose={() => {}} onFound={() => {}} />}
    </InChat>
  ),
  tooMuch: 'The field has room for any day.',
  error: 'A day that cannot be looked up closes the dialog, and a notice says so.',
}
