import type { Channel, ChannelState, LocalMessage } from '@parley/client'
import { useCallback, useSyncExternalStore } from 'react'

/** All that is known of a channel. Re-renders on every change; ask for a part where you can. */
export function useChannelState(channel: Channel): ChannelState {
  return useSyncExternalStore(channel.subscribe, channel.snapshot, channel.snapshot)
}

/** The same for what shows a channel without its history, such as a row of a list: it does not keep what was said. */
export function useChannelPreview({ preview }: Channel): ChannelState {
  return useSyncExternalStore(preview.subscribe, preview.snapshot, preview.snapshot)
}

/**
 * One part of a channel's state; only its changes re-render.
 *
 * @param pick  must give the same identity for the same state, and be the same function from render to render
 */
export function useChannelPart<Part>(channel: Channel, pick: (state: ChannelState) => Part): Part {
  const snapshot = useCallback(() => pick(channel.snapshot()), [channel, pick])
  return useSyncExternalStore(channel.subscribe, snapshot, snapshot)
}

/** The messages shown, oldest first. */
export function useMessages(channel: Channel): readonly LocalMessage[] {
  return useChannelPart(channel, messagesOf)
}

const messagesOf = (state: ChannelState) => state.messages
