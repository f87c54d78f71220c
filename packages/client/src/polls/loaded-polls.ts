/** The polls that loaded messages show [client.md 5.3]. */

import { messageShowing } from '../channels/channel-state.ts'
import type { ClientDoor } from '../client-door.ts'
import { Poll } from './poll.ts'

/** The poll of this id, live, as a loaded message of an active channel shows it; undefined where none does. */
export async function get({ active }: ClientDoor, pollID: string): Promise<Poll | undefined> {
  for (const { channel } of active.values()) {
    const message = messageShowing(channel.state, pollID)
    if (message) return new Poll(channel, message.id)
  }
}
