import { farTooMuch } from '../workshop/far-too-much.ts'
import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
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
