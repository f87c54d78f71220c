import type { Channel, User } from '@parley/client'

/** A user of a directory: what is shown of them, and what the directory needs to recognise them. */
export type Person = Pick<User, 'id'> & Partial<User>

/** What a moderator of a group can change about it. */
export type GroupChange =
  | { do: 'rename'; name: string }
  /** the address of one that was uploaded to the channel; null takes it away */
  | { do: 'picture'; image: string | null }
  | { do: 'promote' | 'demote' | 'remove'; userId: string }
  /** for all members */
  | { do: 'delete' }

/** One page of people. */
export interface PeoplePage {
  people: readonly Person[]
  hasMore: boolean
}

/**
 * Where people come from who may not be in the conversation yet: the directory of a product, in place of everybody the
 * chat server knows. Whom it does not find is not offered, neither to be added nor to be searched for.
 */
export interface People {
  /**
   * Those whose names fit, in the order they shall have; an empty text finds all. The reader is left out by the kit.
   *
   * @param page  from 0
   */
  find(text: string, page: number, signal: AbortSignal): Promise<PeoplePage>
  /** Adds people who were found to a channel, or rejects; without it the chat server is asked itself. */
  add?(channel: Channel, people: readonly Person[]): Promise<unknown>
  /**
   * Invites people who were found to a channel, who join it once they accept, or rejects; without it they are invited
   * only where `add` is left out, too.
   */
  invite?(channel: Channel, people: readonly Person[]): Promise<unknown>
  /**
   * Changes a group where the reader keeps order in it, or rejects: for a product whose people the chat server does not
   * grant it. Without it the chat server is asked, and offered is what it grants.
   */
  manage?(channel: Channel, change: GroupChange): Promise<unknown>
  /** Whether the reader may start a conversation with a user; with any user when left out. */
  mayWriteTo?(person: Person): boolean
  /** Gives the cid of the conversation of the two, which is begun when there is none; else the chat server does. */
  startWith?(person: Person): Promise<string>
}
