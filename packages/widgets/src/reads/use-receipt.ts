import type { Channel, ChannelState } from '@parley/client'
import { useCallback, useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'
import { type Receipt, type Receipts, receiptsOf } from './receipts.ts'

interface Computed {
  messages: ChannelState['messages']
  read: ChannelState['read']
  pending: ChannelState['pending_messages']
  receipts: Receipts
}

/** Computed once per channel and change, however many rows use it. */
const computed = new WeakMap<Channel, Computed>()

/** The receipt of one own message. `undefined` for messages of others and for failed ones. */
export function useReceipt(channel: Channel, messageId: string): Receipt | undefined {
  const me = useClient().userID ?? ''
  const snapshot = useCallback(() => receiptsNow(channel, me).get(messageId), [channel, me, messageId])
  return useSyncExternalStore(channel.preview.subscribe, snapshot, snapshot)
}

function receiptsNow(channel: Channel, me: string): Receipts {
  const state = channel.snapshot()
  const known = computed.get(channel)
  const { messages, read, pending_messages: pending } = state
  if (known?.messages === messages && known.read === read && known.pending === pending) return known.receipts
  const receipts = receiptsOf(state, me, known?.receipts)
  computed.set(channel, { messages, read, pending, receipts })
  return receipts
}
