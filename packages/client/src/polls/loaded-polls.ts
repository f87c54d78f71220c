/** The polls that loaded messages show [client.md 5.3]. */

import { messageShowing } from '../channels/channel-state.ts'
import type { ClientContext } from '../client-context.ts'
import { Poll } from './poll.ts'

export function loadedPoll({ active }: ClientContext, pollID: string): Poll | undefined {
  for (const { channel } of active.values()) {
    const message = messageShowing(channel.state, pollID)
    if (message) return new Poll(channel, message.id)
  }
}
