import type { Channel, ChannelState, Live, LocalMessage } from '@parley/client'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * All that is known of a channel. Re-renders on every change; ask for a part where you can. What shows no history, as a
 * row of a list, gives `channel.preview`, here and below: it keeps no messages.
 */
export function useChannelState(channel: Live<ChannelState>): ChannelState {
  return useSyncExternalStore(channel.subscribe, channel.snapshot, channel.snapshot)
}

/**
 * One part of a channel's state; only its changes re-render.
 *
 * @param pick  must give the same identity for the same state, and be the same function from render to render
 */
export function useChannelPart<Part>(channel: Live<ChannelState>, pick: (state: ChannelState) => Part): Part {
  const snapshot = useCallback(() => pick(channel.snapshot()), [channel, pick])
  return useSyncExternalStore(channel.subscribe, snapshot, snapshot)
}

/** The messages shown, oldest first. */
export function useMessages(channel: Channel): readonly LocalMessage[] {
  return useChannelPart(channel, messagesOf)
}

const messagesOf = (state: ChannelState) => state.messages
