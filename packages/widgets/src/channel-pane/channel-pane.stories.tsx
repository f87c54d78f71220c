import { farTooMuch } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { ChannelPane } from './ChannelPane.tsx'

export const channelPane: Stories = {
  component: 'ChannelPane',
  room: 'pane',
  empty: (root) => <InChat open="empty">{(channel) => <ChannelPane {...root} cid={channel.cid} />}</InChat>,
  typical: (root) => <InChat>{(channel) => <ChannelPane {...root} cid={channel.cid} />}</InChat>,
  tooMuch: (root) => (
    <InChat conversations={farTooMuch}>{(channel) => <ChannelPane {...root} cid={channel.cid} />}</InChat>
  ),
  error: (root) => <InChat open="nowhere">{() => <ChannelPane {...root} cid="messaging:nowhere" />}</InChat>,
}
