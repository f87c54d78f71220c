import type { Channel, ChannelState, Live, LocalMessage } from '@parley/client'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * The whole state of a channel. Re-renders on every change; use a part where you can. A component without a history, as
 * a row of a list, passes `channel.preview`, here and below: it keeps no messages.
 */
export function useChannelState(channel: Live<ChannelState>): ChannelState {
  return useSyncExternalStore(channel.subscribe, channel.snapshot, channel.snapshot)
}

/**
 * One part of a channel's state; only changes of this part re-render.
 *
 * @param pick  must return the same identity for the same state, and be the same function from render to render
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
