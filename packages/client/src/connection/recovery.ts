import type { Channel, ChannelReins } from '../channels/channel.ts'
import { CHANNELS_RECOVERED } from '../limits.ts'

/**
 * In which order channels are read again after a reconnect: the 30 with the newest messages first [CON-14, CON-15],
 * then further pages, what is open on a screen before the rest [CON-23].
 */
export function recoveryPages<Active extends { channel: Channel; reins: ChannelReins }>(active: readonly Active[]) {
  const newestFirst = active.toSorted((a, b) => lastMessageAt(b) - lastMessageAt(a))
  const later = newestFirst.slice(CHANNELS_RECOVERED)
  const isOpen = ({ reins }: Active) => reins.listeners > 0
  const rest = [...later.filter(isOpen), ...later.filter((channel) => !isOpen(channel))]
  const pages: Active[][] = [newestFirst.slice(0, CHANNELS_RECOVERED)]
  for (let at = 0; at < rest.length; at += CHANNELS_RECOVERED) pages.push(rest.slice(at, at + CHANNELS_RECOVERED))
  return pages
}

function lastMessageAt({ channel }: { channel: Channel }): number {
  return channel.state.last_message_at?.getTime() ?? 0
}
