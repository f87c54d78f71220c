import type { ClientContext } from '../client-context.ts'
import { calls } from '../on-demand.ts'
import type { Poll } from './poll.ts'

/** The polls of loaded messages; calls about polls are calls of the client [client.md 5.3]. */
export class Polls {
  #context: ClientContext
  constructor(context: ClientContext) {
    this.#context = context
  }

  /** The poll of this id, live, as a loaded message of an active channel shows it; undefined if none does. */
  get(pollID: string): Promise<Poll | undefined> {
    return calls.use(({ loadedPoll }) => loadedPoll(this.#context, pollID))
  }
}
