import { farTooMuch } from '../workshop/far-too-much.ts'
import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
import { ChannelList } from './ChannelList.tsx'

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
