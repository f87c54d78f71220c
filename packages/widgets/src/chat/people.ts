import type { Channel, User } from '@parley/client'

/** A user of a directory: the displayed fields, and those the directory needs to recognise the user. */
export type Person = Pick<User, 'id'> & Partial<User>

/** The fields of a group that a moderator can change. */
export type GroupChange =
  | { do: 'rename'; name: string }
  /** the URL of a picture uploaded to the channel; null removes it */
  | { do: 'picture'; image: string | null }
  | { do: 'promote' | 'demote' | 'remove'; userId: string }
  /** for all members */
  | { do: 'delete' }

/** One page of users. */
export interface PeoplePage {
  people: readonly Person[]
  hasMore: boolean
}

/**
 * The source of users who may not be in the conversation yet: the directory of a product, in place of all users of the
 * chat server. A user it does not find is offered neither for adding nor in the search.
 */
export interface People {
  /**
   * The users whose names match, in the order to show; an empty text matches all. The kit removes the reader.
   *
   * @param page  from 0
   */
  find(text: string, page: number, signal: AbortSignal): Promise<PeoplePage>
  /** Adds users from the directory to a channel, or rejects; without it the kit calls the chat server. */
  add?(channel: Channel, people: readonly Person[]): Promise<unknown>
  /**
   * Invites users from the directory to a channel, who join it once they accept, or rejects; without it invitations are
   * offered only if `add` is left out, too.
   */
  invite?(channel: Channel, people: readonly Person[]): Promise<unknown>
  /**
   * Changes a group that the reader moderates, or rejects: for a product whose users have no such rights on the chat
   * server. Without it the kit calls the chat server, and offers the changes it permits.
   */
  manage?(channel: Channel, change: GroupChange): Promise<unknown>
  /** Whether the reader may start a conversation with a user; with any user if left out. */
  mayWriteTo?(person: Person): boolean
  /**
   * Returns the cid of the direct conversation with the user, created if there is none; without it the chat server
   * does.
   */
  startWith?(person: Person): Promise<string>
}
