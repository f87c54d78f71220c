import { byTime, type Channel, type LocalMessage } from '@parley/client'
import { useEffect } from 'react'
import { useConnection } from '../connection/use-connection.ts'
import { wasCutOff } from '../messages/message-failure.ts'

/**
 * Sends again by itself what found no way to the server, once there is one: that is what the banner promises. Replies
 * in threads go with the messages, one after the other as they were written. What the server has refused waits for
 * somebody to press it.
 */
export function useSendAgain(channel: Channel) {
  const isConnected = useConnection().at === 'connected'

  useEffect(() => {
    if (!isConnected) return
    const tried = new Set<string>()
    let last = Promise.resolve()
    const send = (wanted: (message: LocalMessage) => boolean) => {
      for (const { id } of unsent(channel).filter(wanted)) {
        if (tried.has(id)) continue
        tried.add(id)
        last = last.then(() => channel.retry(id).then(undefined, () => {}) as Promise<void>)
      }
    }
    send(wasCutOff)
    // What an earlier page left behind comes back a moment after the channel, and so does a thread.
    const look = () => send(wasLeftBehind)
    look()
    return channel.subscribe(look)
  }, [channel, isConnected])
}

/** What failed, in the order it was written; a reply that is shown in the channel, too, is one message. */
function unsent({ state }: Channel): LocalMessage[] {
  const all = [state.messages, ...Object.values(state.replies)].flat().filter(({ status }) => status === 'failed')
  const each = new Map(all.map((message) => [message.id, message]))
  return [...each.values()].sort((a, b) => byTime(a.createdAtIso, b.createdAtIso))
}

/** Nothing is known of an answer. */
function wasLeftBehind({ error }: LocalMessage): boolean {
  return error?.retry === true && error.code === undefined && error.status === undefined
}
