/**
 * Sending, editing, deleting and reacting, shown before the server has answered; fetched while a page connects
 * [client.md 2.7].
 */
import type { ChannelDoor } from '../channels/channel-door.ts'
import { channelState } from '../channels/channel-events.ts'
import { type ChannelState, messageIn } from '../channels/channel-state.ts'
import { loadLatestBefore } from '../channels/paging.ts'
import { newer, wireMessage, withChanged, withoutMessage, withPending, withPosted } from '../channels/state-changes.ts'
import { ChatError, clientError } from '../chat-error.ts'
import type { ClientDoor } from '../client-door.ts'
import type { ChatEvent, ChatEventName } from '../events.ts'
import { checkWanted, type Method, type RequestOptions } from '../http.ts'
import type { Answer, CallOptions, Me, Message, MessageRequest, Reaction, ReactionGroup } from '../shapes.ts'
import {
  anyGroup,
  idsOf,
  isMineAlone,
  type LocalMessage,
  localMessage,
  type MessageError,
  messagePath,
} from './local-message.ts'
import {
  type Kept,
  type MessageDraft,
  mentioned,
  type Outbox,
  type ReactionDraft,
  type Removal,
  type SendOptions,
  showLatest,
  withPlace,
  written,
} from './outbox.ts'

/**
 * Shows a message at once and sends it. Does not reject when the server or the network refuses: the message it
 * resolves with then has the status `failed` and an `error`, and `retry` sends it again.
 */
export async function send(
  door: ChannelDoor,
  draft: MessageDraft,
  options: SendOptions = {},
  call: CallOptions = {},
): Promise<LocalMessage> {
  const { channel, host, change } = door
  const outbox = usable(door)
  const author = signedIn(host)
  checkWanted(call)
  const id = draft.id ?? `${author.id}-${crypto.randomUUID()}`
  const sent = { ...draft, id, mentioned_users: idsOf(draft.mentioned_users ?? []) }
  outbox.keep(id, { draft: sent, options })
  const message = written(channel.state, sent, author, channel.cid, host.clock.now())
  change((state) => showLatest(withPlace(state, message.parent_id), message))
  // Only who has moved through the history can have left the newest messages unloaded.
  loadLatestBefore(door, message)
  return deliver(outbox, id, call)
}

/** One request. The local state is left to the event; `send` shows the message at once. */
export async function sendMessage(
  door: ChannelDoor,
  message: MessageRequest,
  options: SendOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  return door.call('POST', '/message', { body: { message, ...options }, ...call })
}

/** @throws ChatError CLIENT_CHANNEL_DISCONNECTED */
function usable({ checkUsable, outbox }: ChannelDoor): Outbox {
  checkUsable()
  return outbox
}

function signedIn(host: ClientDoor): Me {
  const me = host.me()
  if (me) return me
  throw clientError('CLIENT_NO_USER', 'Connect a user before using channels')
}

/** Sends what is kept under an id. */
function deliver(outbox: Outbox, id: string, call: CallOptions): Promise<LocalMessage> {
  const { channel } = outbox.door
  const sending = messageIn(channel.state, id) as LocalMessage
  const { draft, options } = outbox.kept.get(id) as Kept & { draft: MessageDraft }
  const { poll: _, ...message } = draft
  const delivery = sendMessage(outbox.door, message, options, call).then(
    (answer) => delivered(outbox, id, answer.message),
    (error) => undelivered(outbox, sending, error),
  )
  outbox.underway.set(id, delivery)
  outbox.mind(id, delivery)
  return delivery.finally(() => outbox.underway.delete(id))
}

/** Brings back what an earlier page sent and nobody confirmed. It is shown as failed [client.md 2.7]. */
export function restore(outbox: Outbox) {
  const { channel, host, change } = outbox.door
  const me = host.me()
  if (outbox.isRestored) return
  outbox.isRestored = true
  const prefix = outbox.key('')
  const error = { message: 'The page was left before it was confirmed', retry: true }
  for (const key of host.storage.keys()) {
    const id = key.slice(prefix.length)
    if (!me || !key.startsWith(prefix) || outbox.kept.has(id)) continue
    const kept = host.storage.get(key) as Kept
    outbox.kept.set(id, { error, ...kept } as Kept)
    const known = messageIn(channel.state, id)
    if (kept.deletes) {
      const went = erase(outbox, id, kept)
      went.catch((error) => {
        host.log('warn', `${channel.cid}: ${id} was not deleted.`, error)
        if (!messageError(error).retry) outbox.forget(id)
      })
    } else if (kept.edit) continue
    else if (known?.status === 'received') outbox.forget(id)
    else if (!known) {
      const message = written(channel.state, { ...kept.draft, id }, me, channel.cid, host.clock.now())
      change((state) => withPosted(withPlace(state, message.parent_id), { ...message, status: 'failed', error }))
    }
  }
  change((state) => withEdits(outbox, state))
}

/** One's own edits over what the server says of their messages, whichever way that came, until it says the same. */
export function withEdits(outbox: Outbox, state: ChannelState): ChannelState {
  let next = state
  for (const [id, kept] of outbox.kept) {
    if (!kept.edit) continue
    const { edit, error } = kept
    const message = messageIn(next, id)
    if (message?.status !== 'received' || message.type === 'deleted') continue
    if (says(message, edit)) outbox.forget(id)
    else next = withChanged(next, { ...message, ...shown(next, edit), ...editing(error) })
  }
  return next
}

function editing(error?: MessageError): Pick<LocalMessage, 'status' | 'attempt' | 'error'> {
  return { status: error ? 'failed' : 'sending', attempt: 'edit', error }
}

/** Whether a message has everything an edit wants. */
function says(message: LocalMessage, edit: Partial<MessageDraft>): boolean {
  const said: Record<string, unknown> = { ...message, mentioned_users: idsOf(message.mentioned_users) }
  const wanted = { ...edit, ...(edit.mentioned_users && { mentioned_users: idsOf(edit.mentioned_users) }) }
  return Object.entries(wanted).every(([field, value]) => JSON.stringify(said[field]) === JSON.stringify(value))
}

/** The server has it: from here on it is a message like any other. */
function delivered(outbox: Outbox, id: string, answer: Message): LocalMessage {
  const { channel, change } = outbox.door
  if (answer.type !== 'error') outbox.forget(id)
  if (answer.id !== id) change((state) => withoutMessage(state, id))
  const isHeld = channel.data.config?.mark_messages_pending && !isMineAlone(answer)
  if (isHeld && messageIn(channel.state, answer.id)?.status !== 'received')
    change((state) => withPending(state, localMessage(answer)))
  else take(outbox.door, { type: 'message.new', message: answer })
  return messageIn(channel.state, answer.id) ?? localMessage(answer)
}

/** It did not go through, or an earlier try did and only its answer was lost [MSG-33]. */
async function undelivered(outbox: Outbox, sending: LocalMessage, error: unknown): Promise<LocalMessage> {
  const { id } = sending
  if (!isDuplicate(error, id)) return failed(outbox, sending, error)
  try {
    // By itself a message comes with its channel.
    const { channel: _, ...message } = (await ask(outbox, 'GET', id)).message
    return delivered(outbox, id, message as Message)
  } catch (unread) {
    return failed(outbox, sending, unread)
  }
}

/** What is said of a message goes in the name of who said it: by now somebody else may be signed in. */
function ask({ door }: Outbox, method: Method, id: string, options?: RequestOptions): Promise<{ message: Message }> {
  door.checkUsable()
  return door.host.request(method, messagePath(id), options)
}

function isDuplicate(error: unknown, id: string): boolean {
  return (
    error instanceof ChatError &&
    error.kind === 'InputError' &&
    error.message.includes(`a message with ID ${id} already exists`)
  )
}

function failed(outbox: Outbox, sending: LocalMessage, error: unknown): LocalMessage {
  const known = messageIn(outbox.door.channel.state, sending.id)
  // An event may have said meanwhile that the message did arrive.
  if (known && known.status !== 'sending') return known
  const message: LocalMessage = { ...(known ?? sending), status: 'failed', error: messageError(error) }
  put(outbox, message)
  return message
}

function messageError(error: unknown): MessageError {
  if (error instanceof ChatError)
    return { code: error.code, status: error.status, message: error.message, retry: error.retry }
  return { message: error instanceof Error ? error.message : String(error), retry: false }
}

function put({ door }: Outbox, message: LocalMessage) {
  door.change((state) => withChanged(state, message))
}

/** @throws ChatError CLIENT_MESSAGE_ID_MISSING */
function knownMessage({ door: { channel } }: Outbox, id: string): LocalMessage {
  const message = messageIn(channel.state, id)
  if (message) return message
  throw clientError('CLIENT_MESSAGE_ID_MISSING', `No message with the id ${id} is loaded in ${channel.cid}`)
}

/** Sends again what failed, under the same id: a message as a message, an edit as an edit [MSG-20, MSG-33]. */
export async function retry(door: ChannelDoor, id: string, call: CallOptions = {}): Promise<LocalMessage> {
  const outbox = usable(door)
  const kept = outbox.kept.get(id)
  if (kept?.edit) return edit(door, id, kept.edit, call)
  const message = knownMessage(outbox, id)
  if (!kept?.draft) throw clientError('CLIENT_MESSAGE_ID_MISSING', `Nothing to send again under the id ${id}`)
  checkWanted(call)
  put(outbox, { ...message, type: 'regular', status: 'sending', error: undefined })
  return deliver(outbox, id, call)
}

/** Shows the changes at once. On failure they stay and the message is marked failed. */
export async function edit(
  door: ChannelDoor,
  id: string,
  changes: Partial<MessageDraft>,
  call: CallOptions = {},
): Promise<LocalMessage> {
  const { channel } = door
  const outbox = usable(door)
  checkWanted(call)
  const sending = outbox.underway.get(id)
  if (sending) await sending
  const message = knownMessage(outbox, id)
  // It never reached the server: the new words go with the next try.
  const kept = outbox.kept.get(id)
  if (message.attempt === 'send' && message.status === 'failed' && kept?.draft) {
    outbox.keep(id, { ...kept, draft: { ...kept.draft, ...changes } })
    put(outbox, { ...message, ...shown(channel.state, changes) })
    return retry(door, id, call)
  }
  const all = { ...kept?.edit, ...changes }
  const set = all.mentioned_users ? { ...all, mentioned_users: idsOf(all.mentioned_users) } : all
  const underway = { edit: set }
  outbox.keep(id, underway)
  const edited = { ...message, ...shown(channel.state, changes), ...editing() }
  put(outbox, edited)
  // A later edit is on its way and its words are on the screen, or an event has said that this one arrived.
  const isOver = () => outbox.kept.get(id) !== underway
  const saving = ask(outbox, 'PUT', id, { body: { set }, ...call })
  outbox.mind(id, saving)
  try {
    const answer = localMessage(answered(door, (await saving).message))
    const known = messageIn(channel.state, id)
    if (isOver()) return known ?? answer
    outbox.forget(id)
    const stored = newer(answer, known)
    put(outbox, stored)
    return stored
  } catch (error) {
    if (isOver()) return messageIn(channel.state, id) ?? edited
    const refused = failed(outbox, edited, error)
    outbox.keep(id, { edit: set, error: refused.error })
    return refused
  }
}

/**
 * Shows the message as deleted at once; it comes back, and the call rejects, when the server refuses, or when what the
 * deletion waits for does. A message that never reached the server just goes.
 */
export async function remove(
  door: ChannelDoor,
  id: string,
  { hard = false, until }: Removal = {},
  call: CallOptions = {},
): Promise<void> {
  const { channel, host, change } = door
  const outbox = usable(door)
  // What is on its way arrives or fails first; only then is it known what there is to delete.
  const sending = outbox.underway.get(id)
  if (sending) await sending
  const message = knownMessage(outbox, id)
  if ((message.attempt === 'send' && message.status === 'failed') || isMineAlone(message)) {
    outbox.forget(id)
    change((state) => withoutMessage(state, id))
    return
  }
  const deleted_at = new Date(host.clock.now()).toISOString()
  const tombstone = { ...wireMessage(message), type: 'deleted', deleted_at }
  take(door, { type: 'message.deleted', message: tombstone, hard_delete: false })
  const shown = messageIn(channel.state, id)
  const kept = outbox.kept.get(id)
  outbox.keep(id, { deletes: true, hard })
  try {
    if (until) outbox.mind(id, until)
    await until
    await erase(outbox, id, { hard, ...call })
  } catch (error) {
    // Who signed out before it was due, deletes it when they are back.
    const isLeft = channel.disconnected && error instanceof ChatError
    if (!isLeft) outbox.forget(id)
    // An event may have said meanwhile that it was deleted after all.
    if (messageIn(channel.state, id) === shown) {
      take(door, { type: 'message.undeleted', message: wireMessage(message) })
      put(outbox, message)
      if (kept?.edit) outbox.keep(id, kept)
    }
    throw error
  }
}

/** Asks the server to delete a message. Whoever has just deleted something may leave at once. */
async function erase(outbox: Outbox, id: string, { hard = false, ...call }: { hard?: boolean } & CallOptions) {
  const query = { hard: hard ? true : undefined }
  const answer = await ask(outbox, 'DELETE', id, { query, keepalive: true, ...call })
  outbox.forget(id)
  take(outbox.door, { type: 'message.deleted', message: answer.message, hard_delete: hard })
}

/** A message as an answer has it: that it was heard only an event, or a page, can say. */
function answered({ channel }: ChannelDoor, message: Message): Message {
  const known = messageIn(channel.state, message.id)
  return !known || known.attempt === 'send' || known.unheard ? { ...message, unheard: true } : message
}

/** An answer takes the way of its event, so it does not matter which of the two comes first. */
function take(door: ChannelDoor, event: { type: ChatEventName; message: Message } & Record<string, unknown>) {
  const { channel, host, change } = door
  const more = { cid: channel.cid, received_at: new Date(host.clock.now()), message: answered(door, event.message) }
  const whole = { ...event, ...more } as unknown as ChatEvent
  change((state) => channelState(state, whole, host.context(channel.cid)))
}

/** Shows the reaction at once; it is taken back, and the call rejects, when the server refuses. */
export async function react(
  door: ChannelDoor,
  id: string,
  given: string | ReactionDraft,
  options: { enforce_unique?: boolean } = {},
  call: CallOptions = {},
): Promise<void> {
  const { channel, host } = door
  const outbox = usable(door)
  const reaction = typeof given === 'string' ? { type: given } : given
  const me = signedIn(host)
  const at = new Date(host.clock.now()).toISOString()
  const added = { message_id: id, user_id: me.id, user: me, score: 1, created_at: at, updated_at: at, ...reaction }
  const reacted = (before: Reaction[]) => {
    const kept = before.filter(({ type }) => !options.enforce_unique && type !== added.type)
    return [added as Reaction, ...kept]
  }
  await changeReactions(outbox, id, reacted, () => channel.sendReaction(id, reaction, options, call))
}

/** Takes a reaction away at once; it comes back, and the call rejects, when the server refuses. */
export async function unreact(door: ChannelDoor, id: string, type: string, call: CallOptions = {}): Promise<void> {
  const others = (before: Reaction[]) => before.filter((reaction) => reaction.type !== type)
  await changeReactions(usable(door), id, others, () => door.channel.deleteReaction(id, type, undefined, call))
}

async function changeReactions(
  outbox: Outbox,
  id: string,
  changed: (before: Reaction[]) => Reaction[],
  request: () => Promise<{ message: Message }>,
) {
  const { channel, change } = outbox.door
  const known = knownMessage(outbox, id)
  const before = known.own_reactions
  const after = changed(before)
  put(outbox, withOwn(known, after))
  const asking = (outbox.reacting.get(id) ?? Promise.resolve()).then(request, request)
  outbox.reacting.set(id, asking)
  try {
    const message = localMessage((await asking).message)
    change((state) => {
      const known = messageIn(state, id)
      // It knows nothing of one's own reactions since; those have answers of their own, or an event has told of them.
      if (known?.own_reactions !== after) return state
      return withChanged(state, { ...newer(message, known), own_reactions: message.own_reactions })
    })
  } catch (error) {
    const message = messageIn(channel.state, id)
    const mine = message?.own_reactions ?? []
    // An event may have said meanwhile that it did happen, and only the answer was lost; then it is another object.
    const others = mine.filter((reaction) => before.includes(reaction) || !after.includes(reaction))
    const own_reactions = mine === after ? before : others
    if (message)
      put(
        outbox,
        guessed.has(message.latest_reactions) ? withOwn(message, own_reactions) : { ...message, own_reactions },
      )
    throw error
  } finally {
    if (outbox.reacting.get(id) === asking) outbox.reacting.delete(id)
  }
}

/** The changes of an edit as they are shown: mentioned people instead of their ids. */
function shown(state: ChannelState, changes: Partial<MessageDraft>): Partial<LocalMessage> {
  const { mentioned_users, ...others } = changes
  if (!mentioned_users) return others as Partial<LocalMessage>
  return { ...others, mentioned_users: mentioned(state, idsOf(mentioned_users)) } as Partial<LocalMessage>
}

/** The lists of messages whose reactions were counted here. What the server counts knows of none that it has refused. */
const guessed = new WeakSet<readonly Reaction[]>()

/** The message with other own reactions, and counts that follow. */
function withOwn(message: LocalMessage, mine: Reaction[]): LocalMessage {
  // A reaction may be called `constructor`.
  const groups = new Map(Object.entries(message.reaction_groups ?? {}))
  const change = ({ type, score, created_at }: Reaction, by: 1 | -1) => {
    const none = { count: 0, sum_scores: 0, first_reaction_at: created_at, last_reaction_at: created_at }
    const { count, sum_scores, ...times } = groups.get(type) ?? none
    groups.set(type, { ...times, count: count + by, sum_scores: sum_scores + by * score })
    if (count + by <= 0) groups.delete(type)
  }
  for (const reaction of message.own_reactions) if (!mine.includes(reaction)) change(reaction, -1)
  for (const reaction of mine) if (!message.own_reactions.includes(reaction)) change(reaction, 1)
  const others = message.latest_reactions.filter(
    (reaction) => !message.own_reactions.some((old) => isSame(old, reaction)),
  )
  const latest_reactions = [...mine, ...others]
  guessed.add(latest_reactions)
  return {
    ...message,
    own_reactions: mine,
    latest_reactions,
    reaction_groups: anyGroup(Object.fromEntries(groups)),
    reaction_counts: ofEach(groups, ({ count }) => count),
    reaction_scores: ofEach(groups, ({ sum_scores }) => sum_scores),
  }
}

function ofEach(groups: Map<string, ReactionGroup>, pick: (group: ReactionGroup) => number) {
  return Object.fromEntries([...groups].map(([type, group]) => [type, pick(group)]))
}

function isSame(a: Reaction, b: Reaction) {
  return a.user_id === b.user_id && a.type === b.type
}

/** Changes a loaded message before the server has answered, in the way of an event; and back when it refuses. */
export async function shownAtOnce(
  { active }: ClientDoor,
  id: string,
  changes: Partial<Message>,
  request: () => Promise<Answer<{ message: Message }>>,
): Promise<Answer<{ message: Message }>> {
  const place = [...active.values()].find(({ channel }) => messageIn(channel.state, id))
  const before = place && messageIn(place.channel.state, id)
  if (!before) return request()
  const { channel } = place
  const show = (message: Message) => take(place, { type: 'message.updated', message })
  show({ ...wireMessage(before), ...changes })
  const shown = messageIn(channel.state, id)
  try {
    const answer = await request()
    show(answer.message)
    return answer
  } catch (error) {
    // An event may have said meanwhile that it did happen, and only the answer was lost.
    if (messageIn(channel.state, id) === shown) show(wireMessage(before))
    throw error
  }
}
