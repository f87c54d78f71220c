import type { ClientDoor } from '../client-door.ts'
import { calls } from '../on-demand.ts'
import type { Poll } from './poll.ts'

/** The polls one can see; calls about polls are calls of the client [client.md 5.3]. */
export class Polls {
  #door: ClientDoor
  constructor(door: ClientDoor) {
    this.#door = door
  }

  /** The poll of this id, live, as a loaded message of an active channel shows it; undefined where none does. */
  get(pollID: string): Promise<Poll | undefined> {
    return calls.use(({ loadedPoll }) => loadedPoll(this.#door, pollID))
  }
}
