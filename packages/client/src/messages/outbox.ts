/**
 * Unconfirmed messages of a channel, and how they look until the server answers; `changes.ts` has the code that changes
 * them [client.md 2.7]. It is part of the client so that every interface shares it.
 */

import type { ChannelContext } from '../channels/channel-context.ts'
import { type ChannelState, messageIn, own } from '../channels/channel-state.ts'
import { pollIn, quotedCopy, withPosted, withSets, withThread } from '../channels/state-changes.ts'
import type { CustomReactionData } from '../custom-data.ts'
import type { Acting, Message, MessageRequest, PollData, User } from '../shapes.ts'
import type { ClientStorage } from '../storage/storage.ts'
import { isInChannel, type LocalMessage, localMessage, type MessageError } from './local-message.ts'
import { withCurrent } from './message-lists.ts'
import { latestSet, type MessageSets, unknownSets } from './message-sets.ts'

/** A message to send; `mentioned_users` are ids. The `poll` of a `poll_id` is shown until the server has answered. */
export type MessageDraft = MessageRequest & { poll?: PollData }

export interface SendOptions {
  skip_push?: boolean
  skip_enrich_url?: boolean
  keep_channel_hidden?: boolean
  /** Only with the secret: only its author sees it until `commitMessage`. */
  pending?: boolean
  pending_message_metadata?: Record<string, string>
  /** Only with the secret: moderation also checks messages of the app's own server. */
  force_moderation?: boolean
}

export type ReactionDraft = { type: string; score?: number } & Acting & Partial<CustomReactionData>

/** How a message is deleted. */
export interface Removal {
  /** Hard delete, without a trace. */
  hard?: boolean
  /**
   * The request is sent only when this is fulfilled; until then only this user sees the deletion. When it rejects, the
   * message is restored and the call rejects as well. If the page is left meanwhile, the message is deleted when it is
   * next opened.
   */
  until?: Promise<unknown>
}

/** The stored entry of an unconfirmed message, by its id. */
export type Kept = (KeptDraft | KeptEdit | KeptRemoval) & {
  /** Why it failed, if it has. */
  error?: MessageError | undefined
}
/** The arguments of `send`. */
type KeptDraft = { draft: MessageDraft; options: SendOptions; edit?: undefined; deletes?: undefined }
/** The arguments of `edit`. */
type KeptEdit = { edit: Partial<MessageDraft>; draft?: undefined; deletes?: undefined }
/** A deletion that was pending when the page was left. */
type KeptRemoval = { deletes: true; hard: boolean; draft?: undefined; edit?: undefined }

/** The unconfirmed messages, edits and deletions of a channel. */
export class Outbox {
  readonly context: ChannelContext
  /** By message id. Edits are applied over the server's version. */
  readonly kept = new Map<string, Kept>()
  readonly underway = new Map<string, Promise<LocalMessage>>()
  /** Settles once every pending request of this channel is answered; undefined without any. */
  turn: Promise<unknown> | undefined
  /** The last request about reactions to each message: requests of one message run one after the other. */
  readonly reacting = new Map<string, Promise<unknown>>()
  /** Whether the unsent messages of an earlier page were restored; after that, the state is newer. */
  isRestored = false
  #ownerID: string | undefined
  /** @param ownerID  the author of these messages, also after they have signed out */
  constructor(context: ChannelContext, ownerID: string | undefined) {
    this.context = context
    this.#ownerID = ownerID
  }

  /** The storage key of a message. */
  key(id: string): string {
    return `unsent:${this.#ownerID}:${this.context.channel.cid}:${id}`
  }

  keep(id: string, kept: Kept) {
    this.kept.set(id, kept)
    this.#store((storage, key) => storage.set(key, kept), id)
  }

  /** Marks a message as being handled, so that another tab leaves it alone. */
  mind(id: string, until: Promise<unknown>) {
    this.context.host.storage.mind?.(this.key(id), until)
  }

  forget(id: string) {
    this.kept.delete(id)
    this.#store((storage, key) => storage.delete(key), id)
  }

  /** Without storage on the device, entries live as long as the page. */
  #store(change: (storage: ClientStorage, key: string) => unknown, id: string) {
    const { storage, log } = this.context.host
    try {
      change(storage, this.key(id))
    } catch (error) {
      log('warn', 'A message was not kept.', error)
    }
  }
}

/** The message as its author sees it until the server has answered. */
export function written(
  state: ChannelState,
  draft: MessageDraft & { id: string },
  author: User,
  cid: string,
  now: number,
): LocalMessage {
  const quoted = draft.quoted_message_id ? messageIn(state, draft.quoted_message_id) : undefined
  // A just written message is the last, even if this machine's clock is behind the server's.
  const thread = own(state.threads, draft.parent_id)
  const newest = latestSet(thread?.sets ?? state.sets)?.messages.at(-1)
  const at = newest && newest.created_at.getTime() >= now ? newest.createdAtIso : new Date(now).toISOString()
  const message = {
    text: '',
    html: '',
    reaction_counts: null,
    reaction_scores: null,
    reply_count: 0,
    deleted_reply_count: 0,
    silent: false,
    shadowed: false,
    pinned: false,
    pinned_by: null,
    pin_expires: null,
    restricted_visibility: [],
    ...draft,
    parent_id: draft.parent_id ?? undefined,
    quoted_message_id: draft.quoted_message_id ?? undefined,
    quoted_message: quoted ? quotedCopy(quoted) : undefined,
    poll: draft.poll ?? pollIn(state, draft.poll_id),
    mentioned_users: mentioned(state, draft.mentioned_users ?? []),
    cid,
    type: draft.parent_id ? 'reply' : 'regular',
    user: author,
    created_at: at,
    updated_at: new Date(now).toISOString(),
  } as unknown as Message
  return { ...localMessage(message), status: 'sending', attempt: 'send' }
}

export function mentioned(state: ChannelState, ids: readonly string[]): User[] {
  return ids.flatMap((id) => own(state.members, id)?.user ?? own(state.watchers, id) ?? []) as User[]
}

/** A place for an own reply, also if the thread is not loaded: a failed one must not be lost. */
export function withPlace(state: ChannelState, parentID: string | undefined): ChannelState {
  if (!parentID || own(state.threads, parentID)) return state
  return withThread(state, parentID, { parent: undefined, sets: unknownSets })
}

/** Moves the sender's view to the newest messages. */
export function showLatest(state: ChannelState, message: LocalMessage): ChannelState {
  let next = withPosted(state, message)
  const thread = own(next.threads, message.parent_id)
  if (message.parent_id && thread)
    next = withThread(next, message.parent_id, { ...thread, sets: newestShown(thread.sets) })
  return isInChannel(message) ? withSets(next, newestShown(next.sets)) : next
}

function newestShown(sets: MessageSets): MessageSets {
  const latest = latestSet(sets)
  return latest ? withCurrent(sets, latest) : sets
}
