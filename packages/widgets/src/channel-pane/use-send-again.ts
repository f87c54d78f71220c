import type { Channel, LocalMessage } from '@parley/client'
import { useEffect, useRef } from 'react'
import { useMessages } from '../chat/use-channel-state.ts'
import { useConnection } from '../connection/use-connection.ts'

/**
 * Sends again by itself what found no way to the server, once there is one: that is what the banner promises. What the
 * server has refused waits for somebody to press it.
 */
export function useSendAgain(channel: Channel) {
  const isConnected = useConnection().at === 'connected'
  const messages = useMessages(channel)
  const tried = useRef(new Set<string>())

  useEffect(() => {
    if (!isConnected) return
    for (const { id } of channel.state.messages.filter(wasCutOff)) void channel.retry(id).catch(() => {})
  }, [channel, isConnected])

  // What an earlier page left behind comes back a moment after the channel.
  useEffect(() => {
    if (!isConnected) return
    for (const { id } of messages.filter(wasLeftBehind)) {
      if (tried.current.has(id)) continue
      tried.current.add(id)
      void channel.retry(id).catch(() => {})
    }
  }, [channel, isConnected, messages])
}

/** No answer came: the request may not even have left. */
function wasCutOff({ status, error }: LocalMessage): boolean {
  return status === 'failed' && error?.code === 'ERR_NETWORK'
}

/** Nothing is known of an answer. */
function wasLeftBehind({ status, error }: LocalMessage): boolean {
  return status === 'failed' && error?.retry === true && error.code === undefined && error.status === undefined
}
