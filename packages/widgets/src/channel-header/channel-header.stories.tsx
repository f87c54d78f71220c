import { farTooMuch } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { ChannelHeader } from './ChannelHeader.tsx'

export const channelHeader: Stories = {
  component: 'ChannelHeader',
  empty: (root) => <InChat open="empty">{(channel) => <ChannelHeader {...root} channel={channel} />}</InChat>,
  typical: (root) => (
    <InChat>{(channel) => <ChannelHeader {...root} channel={channel} onBack={() => {}} onDetails={() => {}} />}</InChat>
  ),
  tooMuch: (root) => (
    <InChat conversations={farTooMuch}>
      {(channel) => <ChannelHeader {...root} channel={channel} onBack={() => {}} />}
    </InChat>
  ),
  error: (root) => <InChat open="news">{(channel) => <ChannelHeader {...root} channel={channel} />}</InChat>,
}
