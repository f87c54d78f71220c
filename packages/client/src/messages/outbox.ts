/**
 * Sending, shown before the server has answered; `changes.ts` has what comes of it, and what is done to a message later
 * [client.md 2.7].
 * It lives in the client so that every interface shares it.
 */
import type { ChannelDoor } from '../channels/channel-door.ts'
import {
  type ChannelState,
  messageIn,
  own,
  pollIn,
  quotedCopy,
  withPosted,
  withSets,
  withThread,
} from '../channels/channel-state.ts'
import { ChatError, clientError } from '../chat-error.ts'
import type { CustomReactionData } from '../custom-data.ts'
import { soon } from '../on-demand.ts'
import type { CallOptions, MessageRequest, OwnUser, Poll, User } from '../shapes.ts'
import type { LocalMessage, MessageError } from './local-message.ts'
import { idsOf } from './mentions.ts'
import { emptySets, latestSet, type MessageSets, withCurrent } from './message-sets.ts'

/** What one writes; `mentioned_users` are ids. The `poll` of a `poll_id` is shown until the server has answered. */
export type MessageDraft = MessageRequest & { poll?: Poll }

export interface SendOptions {
  skip_push?: boolean
  skip_enrich_url?: boolean
  keep_channel_hidden?: boolean
  /** With the secret alone: only its author sees it until `commitMessage`. */
  pending?: boolean
  pending_message_metadata?: Record<string, string>
  /** With the secret alone: what the company itself sends is looked at by moderation as well. */
  force_moderation?: boolean
}

export type ReactionDraft = { type: string; score?: number } & Record<string, unknown> & Partial<CustomReactionData>

/** How a message is deleted. */
export interface Removal {
  /** For good, without a trace. */
  hard?: boolean
  /**
   * The server is asked only when this is fulfilled; until then nobody else sees it. When it rejects, the message comes back and
   * the call rejects as well. A page that is left meanwhile deletes the message when it is next opened.
   */
  until?: Promise<unknown>
}

/** What was given to `send`, kept until the server has it. */
export interface Unsent {
  draft: MessageDraft
  options: SendOptions
}

/** What was given to `edit`, kept just as long. */
export interface Unedited {
  edit: Partial<MessageDraft>
}

/** What is deleted after a time, and was not when the page was left. */
export interface Undeleted {
  deletes: true
}

/** What a channel has shown and the server has not confirmed yet. */
export class Outbox {
  readonly door: ChannelDoor
  /** What edits change that the server does not have, by the id of the message; failed ones have an `error`. */
  readonly edits = new Map<string, Unedited & { error?: MessageError }>()
  readonly underway = new Map<string, Promise<LocalMessage>>()
  /** What an earlier page left behind has been brought back; from then on the state knows better. */
  isRestored = false
  constructor(door: ChannelDoor) {
    this.door = door
  }

  async send(draft: MessageDraft, options: SendOptions, call: CallOptions): Promise<LocalMessage> {
    const { channel, host, change } = this.door
    const author = host.me()
    if (!author) throw clientError('CLIENT_NO_USER', 'Connect a user before using channels')
    checkWanted(call)
    const id = draft.id ?? `${author.id}-${crypto.randomUUID()}`
    const sent = { ...draft, id, mentioned_users: idsOf(draft.mentioned_users ?? []) }
    this.keep(id, { draft: sent, options })
    const message = written(channel.state, sent, author, channel.cid, host.clock.now())
    change((state) => withPosted(showLatest(withPlace(state, message.parent_id), message), message))
    // Only who has moved through the history can have left the newest messages unloaded.
    soon.module?.loadLatestBefore(this.door, message)
    return this.deliver(id, call)
  }

  /** Where a message rests until the server has it. */
  key(id: string): string {
    return `unsent:${this.door.host.me()?.id}:${this.door.channel.cid}:${id}`
  }

  /** What was sent under an id, so that a retry sends the same. */
  unsent(id: string): Unsent | undefined {
    const kept = this.door.host.storage.get(this.key(id)) as Unsent | Unedited | Undeleted | undefined
    return kept && 'draft' in kept ? kept : undefined
  }

  keep(id: string, unsent: Unsent | Unedited | Undeleted) {
    this.door.host.storage.set(this.key(id), unsent)
  }

  forget(id: string) {
    this.edits.delete(id)
    this.door.host.storage.delete(this.key(id))
  }

  /** Sends what is kept under an id. */
  deliver(id: string, call: CallOptions): Promise<LocalMessage> {
    const { channel } = this.door
    const sending = messageIn(channel.state, id) as LocalMessage
    const { draft, options } = this.unsent(id) as Unsent
    const { poll: _, ...message } = draft
    const delivery = channel.sendMessage(message, options, call).then(
      (answer) => soon.use(({ delivered }) => delivered(this, id, answer.message)),
      (error) => soon.use(({ undelivered }) => undelivered(this, sending, error)),
    )
    this.underway.set(id, delivery)
    return delivery.finally(() => this.underway.delete(id))
  }
}

export function messagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`
}

/** The message as its author sees it until the server has answered. */
export function written(
  state: ChannelState,
  draft: MessageDraft & { id: string },
  author: User | OwnUser,
  cid: string,
  now: number,
): LocalMessage {
  const quoted = draft.quoted_message_id ? messageIn(state, draft.quoted_message_id) : undefined
  // What one has just written comes last, even where this machine's clock is behind the server's.
  const thread = draft.parent_id ? own(state.threads, draft.parent_id) : undefined
  const newest = latestSet(thread?.sets ?? state.sets)?.messages.at(-1)
  const at = newest && newest.created_at.getTime() >= now ? newest.createdAtIso : new Date(now).toISOString()
  return {
    text: '',
    html: '',
    latest_reactions: [],
    own_reactions: [],
    reaction_counts: null,
    reaction_scores: null,
    reaction_groups: null,
    reply_count: 0,
    deleted_reply_count: 0,
    silent: false,
    shadowed: false,
    pinned: false,
    pinned_at: null,
    pinned_by: null,
    pin_expires: null,
    restricted_visibility: [],
    attachments: [],
    ...draft,
    parent_id: draft.parent_id ?? undefined,
    quoted_message_id: draft.quoted_message_id ?? undefined,
    quoted_message: quoted ? quotedCopy(quoted) : undefined,
    poll: draft.poll ?? pollIn(state, draft.poll_id),
    mentioned_users: mentioned(state, draft.mentioned_users ?? []),
    cid,
    type: draft.parent_id ? 'reply' : 'regular',
    user: author,
    created_at: new Date(at),
    updated_at: new Date(now),
    createdAtIso: at,
    status: 'sending',
    attempt: 'send',
  } as LocalMessage
}

export function mentioned(state: ChannelState, ids: readonly string[]): User[] {
  return ids.flatMap((id) => own(state.members, id)?.user ?? own(state.watchers, id) ?? []) as User[]
}

/** A place for one's own reply, also where the thread was not loaded: a failed one must not be lost. */
export function withPlace(state: ChannelState, parentID: string | undefined): ChannelState {
  if (!parentID || own(state.threads, parentID)) return state
  return withThread(state, parentID, { parent: undefined, sets: emptySets })
}

/** Whoever writes wants to see it: the view goes to the newest messages. */
function showLatest(state: ChannelState, message: LocalMessage): ChannelState {
  let next = withPosted(state, message)
  const thread = message.parent_id ? own(next.threads, message.parent_id) : undefined
  if (message.parent_id && thread)
    next = withThread(next, message.parent_id, { ...thread, sets: newestShown(thread.sets) })
  return message.parent_id && !message.show_in_channel ? next : withSets(next, newestShown(next.sets))
}

function newestShown(sets: MessageSets): MessageSets {
  const latest = latestSet(sets)
  return latest ? withCurrent(sets, latest) : sets
}

/** @throws ChatError ERR_CANCELED — the call was given up before it left */
export function checkWanted({ signal }: CallOptions) {
  if (signal?.aborted) throw new ChatError('The call was given up', { code: 'ERR_CANCELED' })
}
