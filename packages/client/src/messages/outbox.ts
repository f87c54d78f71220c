/**
 * Sending, editing, deleting and reacting, shown before the server has answered [client.md 2.7].
 * It lives in the client so that every interface shares it.
 */
import {
  type ChannelState,
  channelState,
  messageIn,
  newer,
  own,
  quotedCopy,
  type StateContext,
  withChanged,
  withoutMessage,
  withPosted,
  withSets,
} from '../channels/channel-state.ts'
import { ChatError, clientError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import type { ChatEvent, ChatEventName } from '../events.ts'
import type { CallOptions, Message, MessageRequest, OwnUser, Reaction, User } from '../shapes.ts'
import { anyGroup, type LocalMessage, localMessage, type MessageError, wireMessage } from './local-message.ts'
import { findMessage, latestSet, withCurrent } from './message-sets.ts'
import { idsOf } from './outgoing.ts'

/** What one writes; `mentioned_users` are ids. */
export type MessageDraft = MessageRequest

export interface SendOptions {
  skip_push?: boolean
  skip_enrich_url?: boolean
  keep_channel_hidden?: boolean
}

/** What the outbox needs of its channel. */
export interface OutboxDoor {
  readonly clock: Clock
  readonly cid: string
  me(): OwnUser | User | undefined
  state(): ChannelState
  change(change: (state: ChannelState) => ChannelState): void
  context(): StateContext
  post(message: MessageDraft, options: SendOptions, call: CallOptions): Promise<Message>
  fetch(id: string): Promise<Message>
  patch(id: string, set: Partial<MessageDraft>, call: CallOptions): Promise<Message>
  delete(id: string, options: { hard?: boolean }, call: CallOptions): Promise<Message>
  addReaction(id: string, reaction: ReactionDraft, unique: boolean, call: CallOptions): Promise<Message>
  removeReaction(id: string, type: string, call: CallOptions): Promise<Message>
  /** The newest page is not loaded; load it, since somebody has just written there. */
  loadLatest(): void
}

export type ReactionDraft = { type: string; score?: number } & Record<string, unknown>

export class Outbox {
  #door: OutboxDoor
  /** What was sent under an id, so that a retry sends the same. */
  #sent = new Map<string, { draft: MessageDraft; options: SendOptions }>()
  #edits = new Map<string, Partial<MessageDraft>>()
  #underway = new Map<string, Promise<LocalMessage>>()
  constructor(door: OutboxDoor) {
    this.#door = door
  }

  async send(draft: MessageDraft, options: SendOptions, call: CallOptions): Promise<LocalMessage> {
    const { me, clock } = this.#door
    const author = me()
    if (!author) throw clientError('CLIENT_NO_USER', 'Connect a user before using channels')
    const id = draft.id ?? `${author.id}-${crypto.randomUUID()}`
    const sent = { ...draft, id, mentioned_users: idsOf(draft.mentioned_users ?? []) }
    this.#sent.set(id, { draft: sent, options })
    const message = written(this.#door.state(), sent, author, this.#door.cid, clock.now())
    this.#door.change((state) => withPosted(showLatest(withThread(state, message.parent_id), message), message))
    if (!message.parent_id && latestSet(this.#door.state().sets)?.hasOlder && onlyMine(this.#door.state(), id))
      this.#door.loadLatest()
    return this.#deliver(id, call)
  }

  /** Sends a failed message again, with the same id; a failed edit again as an edit [MSG-20, MSG-33]. */
  async retry(id: string, call: CallOptions): Promise<LocalMessage> {
    const message = this.#known(id)
    const edit = this.#edits.get(id)
    if (message.attempt === 'edit' && edit) return this.edit(id, edit, call)
    if (!this.#sent.has(id)) throw clientError('CLIENT_MESSAGE_ID_MISSING', `Nothing to send again under the id ${id}`)
    this.#put({ ...message, type: 'regular', status: 'sending', error: undefined })
    return this.#deliver(id, call)
  }

  async edit(id: string, changes: Partial<MessageDraft>, call: CallOptions): Promise<LocalMessage> {
    const message = this.#known(id)
    // It never reached the server: the new words go with the next try.
    const waiting = this.#sent.get(id)
    if (message.attempt === 'send' && message.status === 'failed' && waiting) {
      this.#sent.set(id, { ...waiting, draft: { ...waiting.draft, ...changes } })
      this.#put({ ...message, ...shown(this.#door.state(), changes) })
      return this.retry(id, call)
    }
    const all = { ...this.#edits.get(id), ...changes }
    this.#edits.set(id, all)
    const words = shown(this.#door.state(), changes)
    const editing: LocalMessage = { ...message, ...words, status: 'sending', attempt: 'edit', error: undefined }
    this.#put(editing)
    try {
      const set = all.mentioned_users ? { ...all, mentioned_users: idsOf(all.mentioned_users) } : all
      const answer = localMessage(await this.#door.patch(id, set, call))
      // A later edit is on its way, and its words are on the screen.
      const known = messageIn(this.#door.state(), id)
      if (this.#edits.get(id) !== all) return known ?? answer
      this.#edits.delete(id)
      const edited = newer(answer, known)
      this.#put(edited)
      return edited
    } catch (error) {
      return this.#failed(editing, error)
    }
  }

  /** Restores the message and rejects when the server refuses. */
  async remove(id: string, options: { hard?: boolean }, call: CallOptions): Promise<void> {
    // What is on its way arrives or fails first; only then is it known what there is to delete.
    const sending = this.#underway.get(id)
    if (sending) await sending
    const message = this.#known(id)
    if ((message.attempt === 'send' && message.status === 'failed') || message.type === 'error') {
      this.#sent.delete(id)
      this.#door.change((state) => withoutMessage(state, id))
      return
    }
    const deleted_at = new Date(this.#door.clock.now()).toISOString()
    const tombstone = { ...wireMessage(message), type: 'deleted', deleted_at }
    this.#take({ type: 'message.deleted', message: tombstone, hard_delete: false })
    const shown = messageIn(this.#door.state(), id)
    try {
      const answer = await this.#door.delete(id, options, call)
      this.#take({ type: 'message.deleted', message: answer, hard_delete: options.hard === true })
    } catch (error) {
      // An event may have said meanwhile that it was deleted after all.
      if (messageIn(this.#door.state(), id) === shown) {
        this.#take({ type: 'message.undeleted', message: wireMessage(message) })
        this.#put(message)
      }
      throw error
    }
  }

  /** Takes the reaction back and rejects when the server refuses. */
  async react(id: string, reaction: ReactionDraft, unique: boolean, call: CallOptions): Promise<void> {
    const me = this.#door.me()
    if (!me) throw clientError('CLIENT_NO_USER', 'Connect a user before using channels')
    const before = this.#known(id).own_reactions
    const at = new Date(this.#door.clock.now()).toISOString()
    const added = { message_id: id, user_id: me.id, user: me, score: 1, created_at: at, updated_at: at, ...reaction }
    const kept = before.filter(({ type }) => !unique && type !== added.type)
    this.#put(withOwn(this.#known(id), [...kept, added as Reaction]))
    await this.#settleReaction(id, before, this.#door.addReaction(id, reaction, unique, call))
  }

  async unreact(id: string, type: string, call: CallOptions): Promise<void> {
    const before = this.#known(id).own_reactions
    const others = before.filter((reaction) => reaction.type !== type)
    this.#put(withOwn(this.#known(id), others))
    await this.#settleReaction(id, before, this.#door.removeReaction(id, type, call))
  }

  async #settleReaction(id: string, before: Reaction[], answer: Promise<Message>) {
    try {
      const message = localMessage(await answer)
      this.#door.change((state) => {
        const known = messageIn(state, id)
        return known ? withChanged(state, { ...newer(message, known), own_reactions: message.own_reactions }) : state
      })
    } catch (error) {
      const message = messageIn(this.#door.state(), id)
      if (message) this.#put(withOwn(message, before))
      throw error
    }
  }

  async #deliver(id: string, call: CallOptions): Promise<LocalMessage> {
    if (call.signal?.aborted) {
      this.#door.change((state) => withoutMessage(state, id))
      throw new ChatError('The call was given up', { code: 'ERR_CANCELED' })
    }
    const sending = this.#known(id)
    const delivery = this.#post(id, call).then(
      (answer) => this.#delivered(id, answer),
      (error) => this.#failed(sending, error),
    )
    this.#underway.set(id, delivery)
    return delivery.finally(() => this.#underway.delete(id))
  }

  async #post(id: string, call: CallOptions): Promise<Message> {
    const { draft, options } = this.#sent.get(id) as { draft: MessageDraft; options: SendOptions }
    try {
      return await this.#door.post(draft, options, call)
    } catch (error) {
      if (isDuplicate(error, id)) return this.#door.fetch(id)
      throw error
    }
  }

  #delivered(id: string, answer: Message): LocalMessage {
    if (answer.type !== 'error') this.#sent.delete(id)
    if (answer.id !== id) this.#door.change((state) => withoutMessage(state, id))
    this.#take({ type: 'message.new', message: answer, user: answer.user })
    return messageIn(this.#door.state(), answer.id) ?? localMessage(answer)
  }

  /** An answer takes the way of its event, so it does not matter which of the two comes first. */
  #take(event: { type: ChatEventName; message: Message } & Record<string, unknown>) {
    const received_at = new Date(this.#door.clock.now())
    const whole = { cid: this.#door.cid, received_at, ...event } as unknown as ChatEvent
    this.#door.change((state) => channelState(state, whole, this.#door.context()))
  }

  #failed(sending: LocalMessage, error: unknown): LocalMessage {
    const known = messageIn(this.#door.state(), sending.id)
    // An event may have said meanwhile that the message did arrive.
    if (known && known.status !== 'sending') return known
    const failed: LocalMessage = { ...(known ?? sending), status: 'failed', error: messageError(error) }
    this.#put(failed)
    return failed
  }

  #known(id: string): LocalMessage {
    const message = messageIn(this.#door.state(), id)
    if (message) return message
    throw clientError('CLIENT_MESSAGE_ID_MISSING', `No message with the id ${id} is loaded in ${this.#door.cid}`)
  }

  #put(message: LocalMessage) {
    this.#door.change((state) => withChanged(state, message))
  }
}

/** The message as its author sees it until the server has answered. */
function written(
  state: ChannelState,
  draft: MessageDraft & { id: string },
  author: User | OwnUser,
  cid: string,
  now: number,
): LocalMessage {
  const quoted = draft.quoted_message_id ? messageIn(state, draft.quoted_message_id) : undefined
  // What one has just written comes last, even where this machine's clock is behind the server's.
  const newest = latestSet(state.sets)?.messages.at(-1)
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

/** The changes of an edit as they are shown: mentioned people instead of their ids. */
function shown(state: ChannelState, changes: Partial<MessageDraft>): Partial<LocalMessage> {
  const { mentioned_users, ...others } = changes
  if (!mentioned_users) return others as Partial<LocalMessage>
  return { ...others, mentioned_users: mentioned(state, idsOf(mentioned_users)) } as Partial<LocalMessage>
}

function mentioned(state: ChannelState, ids: readonly string[]): User[] {
  return ids.flatMap((id) => own(state.members, id)?.user ?? own(state.watchers, id) ?? []) as User[]
}

/** A place for one's own reply, also where the thread was not loaded: a failed one must not be lost. */
function withThread(state: ChannelState, parentID: string | undefined): ChannelState {
  if (!parentID || own(state.replies, parentID)) return state
  return { ...state, replies: { ...state.replies, [parentID]: [] } }
}

/** Whoever writes wants to see it: the view goes to the newest messages. */
function showLatest(state: ChannelState, message: LocalMessage): ChannelState {
  if (message.parent_id && !message.show_in_channel) return state
  const posted = withPosted(state, message)
  const latest = latestSet(posted.sets)
  return latest ? withSets(posted, withCurrent(posted.sets, latest)) : posted
}

/** The newest set holds nothing but this message, so what came before it is not loaded. */
function onlyMine(state: ChannelState, id: string): boolean {
  const latest = latestSet(state.sets)
  return latest?.messages.length === 1 && findMessage([latest], id) !== undefined
}

/** The message with other own reactions, and counts that follow. */
function withOwn(message: LocalMessage, mine: Reaction[]): LocalMessage {
  const groups = { ...message.reaction_groups }
  const counts = { ...message.reaction_counts }
  const scores = { ...message.reaction_scores }
  const change = ({ type, score, created_at }: Reaction, by: 1 | -1) => {
    const group = groups[type] ?? {
      count: 0,
      sum_scores: 0,
      first_reaction_at: created_at,
      last_reaction_at: created_at,
    }
    const count = group.count + by
    const sum_scores = group.sum_scores + by * score
    groups[type] = { ...group, count, sum_scores }
    counts[type] = count
    scores[type] = sum_scores
    if (count > 0) return
    delete groups[type]
    delete counts[type]
    delete scores[type]
  }
  for (const reaction of message.own_reactions) if (!mine.includes(reaction)) change(reaction, -1)
  for (const reaction of mine) if (!message.own_reactions.includes(reaction)) change(reaction, 1)
  const others = message.latest_reactions.filter(
    (reaction) => !message.own_reactions.some((old) => isSame(old, reaction)),
  )
  const latest_reactions = [...mine.toReversed(), ...others]
  return {
    ...message,
    own_reactions: mine,
    latest_reactions,
    reaction_groups: anyGroup(groups),
    reaction_counts: counts,
    reaction_scores: scores,
  }
}

function isSame(a: Reaction, b: Reaction) {
  return a.user_id === b.user_id && a.type === b.type
}

/** An earlier try did arrive; only its answer was lost [MSG-33]. */
function isDuplicate(error: unknown, id: string): boolean {
  return (
    error instanceof ChatError &&
    error.kind === 'InputError' &&
    error.message.includes(`a message with ID ${id} already exists`)
  )
}

function messageError(error: unknown): MessageError {
  if (error instanceof ChatError)
    return { code: error.code, status: error.status, message: error.message, retry: error.retry }
  return { message: error instanceof Error ? error.message : String(error), retry: false }
}
