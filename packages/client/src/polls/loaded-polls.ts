/** The polls that loaded messages show [client.md 5.3]. */

import { messageShowing } from '../channels/channel-state.ts'
import type { ClientDoor } from '../client-door.ts'
import { Poll } from './poll.ts'

export function loadedPoll({ active }: ClientDoor, pollID: string): Poll | undefined {
  for (const { channel } of active.values()) {
    const message = messageShowing(channel.state, pollID)
    if (message) return new Poll(channel, message.id)
  }
}
