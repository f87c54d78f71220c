/** Sending, editing and deleting, shown before the server has answered; loaded on first use [client.md 2.7]. */

import { errorKinds } from '@parley/protocol/errors'
import type { ChannelContext } from '../channels/channel-context.ts'
import { messageIn } from '../channels/channel-state.ts'
import { loadLatestBefore } from '../channels/paging.ts'
import { newer, wireMessage, withoutMessage, withPending } from '../channels/state-changes.ts'
import { ChatError, clientError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import { checkWanted, unless } from '../http.ts'
import { randomID } from '../random-id.ts'
import type { Answer, CallOptions, Message, MessageRequest, User } from '../shapes.ts'
import { publicUserOf } from '../users/public-user.ts'
import { answered, ask, editing, erase, messageError, put, shown, take } from './changes.ts'
import { idsOf, isMineAlone, type LocalMessage, localMessage } from './local-message.ts'
import {
  type Kept,
  type MessageDraft,
  type Outbox,
  type Removal,
  type SendOptions,
  showLatest,
  withPlace,
  written,
} from './outbox.ts'

/**
 * Shows a message at once and sends it. Does not reject when the server or the network refuses: the resolved message
 * then has the status `failed` and an `error`, and `retry` sends it again.
 */
export async function send(
  context: ChannelContext,
  draft: MessageDraft,
  options: SendOptions = {},
  call: CallOptions = {},
): Promise<LocalMessage> {
  const { channel, host, change } = context
  const outbox = usable(context)
  const author = signedIn(host)
  checkWanted(call)
  const id = draft.id ?? `${author.id}-${randomID()}`
  const sent = { ...draft, id, mentioned_users: idsOf(draft.mentioned_users ?? []) }
  outbox.keep(id, { draft: sent, options })
  const message = written(channel.state, sent, author, channel.cid, host.clock.now())
  change((state) => showLatest(withPlace(state, message.parent_id), message))
  // The newest messages can only be unloaded after paging.
  loadLatestBefore(context, message)
  return deliver(outbox, id, call)
}

/** Sends one request, and leaves the local state to the event; `send` shows the message at once. */
export async function sendMessage(
  context: ChannelContext,
  message: MessageRequest,
  options: SendOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  return context.call('POST', '/message', { body: { message, ...options }, ...call })
}

/** @throws ChatError CLIENT_CHANNEL_DISCONNECTED */
export function usable({ checkUsable, outbox }: ChannelContext): Outbox {
  checkUsable()
  return outbox
}

/** The sender's public fields. @throws ChatError CLIENT_NO_USER */
export function signedIn(host: ClientContext): User {
  const me = host.me()
  if (me) return publicUserOf(me)
  throw clientError('CLIENT_NO_USER', 'Connect a user before using channels')
}

/**
 * Sends a channel's messages and edits one after the other: the server may store concurrent requests in any order. If
 * one fails without a connection, those that wait fail with it, so that all can be retried in order.
 */
function inTurn<Answer>(outbox: Outbox, call: CallOptions, request: () => Promise<Answer>): Promise<Answer> {
  const before = outbox.turn
  const asking = before ? unless(call, before).then(request) : request()
  const turn = Promise.all([before, asking.catch(unlessAnswered)])
  outbox.turn = turn
  const over = () => {
    if (outbox.turn === turn) outbox.turn = undefined
  }
  turn.then(over, over)
  return asking
}

/** @throws the error of a request that got no answer */
function unlessAnswered(error: unknown) {
  const { code } = messageError(error)
  if (code === 'ERR_NETWORK' || code === 'ECONNABORTED') throw error
}

/** Sends the stored entry of an id. */
function deliver(outbox: Outbox, id: string, call: CallOptions): Promise<LocalMessage> {
  const { channel } = outbox.context
  const sending = messageIn(channel.state, id) as LocalMessage
  const { draft, options } = outbox.kept.get(id) as Kept & { draft: MessageDraft }
  const { poll: _, ...message } = draft
  const delivery = inTurn(outbox, call, () => sendMessage(outbox.context, message, options, call)).then(
    (answer) => delivered(outbox, id, answer.message),
    (error) => undelivered(outbox, sending, error),
  )
  outbox.underway.set(id, delivery)
  outbox.mind(id, delivery)
  return delivery.finally(() => outbox.underway.delete(id))
}

/** The server has it: from now on it is an ordinary message. */
function delivered(outbox: Outbox, id: string, answer: Message): LocalMessage {
  const { channel, change } = outbox.context
  const kept = outbox.kept.get(id)
  if (answer.type === 'error' && kept) outbox.keep(id, { ...kept, error: messageError(refusal(answer)) })
  else outbox.forget(id)
  // The answer to a message that moderation stopped has a sentence in place of what was written.
  if (answer.type === 'error' && answer.moderation) answer.text = answer.moderation.original_text
  if (answer.id !== id) change((state) => withoutMessage(state, id))
  const isHeld = channel.data.config?.mark_messages_pending && !isMineAlone(answer)
  if (isHeld && messageIn(channel.state, answer.id)?.status !== 'received')
    change((state) => withPending(state, localMessage(answer)))
  else take(outbox.context, { type: 'message.new', message: answer })
  return messageIn(channel.state, answer.id) ?? localMessage(answer)
}

/** The error of an answer of type `error`: the server stored nothing, because moderation or a rule stopped it [MOD2-14]. */
function refusal({ text, moderation }: Message): ChatError {
  return new ChatError(text, moderation && { code: errorKinds.MessageModerationFailed.code })
}

/** Sending failed, or an earlier attempt succeeded and only its answer was lost [MSG-33]. */
async function undelivered(outbox: Outbox, sending: LocalMessage, error: unknown): Promise<LocalMessage> {
  const { id } = sending
  if (!isDuplicate(error, id)) return failed(outbox, sending, error)
  try {
    // A single message comes with its channel.
    const { channel: _, ...message } = (await ask(outbox, 'GET', id)).message
    return delivered(outbox, id, message as Message)
  } catch (unread) {
    return failed(outbox, sending, unread)
  }
}

function isDuplicate(error: unknown, id: string): boolean {
  const { code, message } = messageError(error)
  return code === errorKinds.InputError.code && message.includes(`${id} already exists`)
}

function failed(outbox: Outbox, sending: LocalMessage, error: unknown): LocalMessage {
  const known = messageIn(outbox.context.channel.state, sending.id)
  // An event may have confirmed the message meanwhile.
  if (known && known.status !== 'sending') return known
  const message: LocalMessage = { ...(known ?? sending), status: 'failed', error: messageError(error) }
  put(outbox, message)
  const kept = outbox.kept.get(message.id)
  // A refused message is not retried automatically, also after a reload.
  if (kept) outbox.keep(message.id, { ...kept, error: message.error })
  outbox.context.host.unsent?.(outbox.context)
  return message
}

/** @throws ChatError CLIENT_MESSAGE_ID_MISSING */
export function knownMessage({ context: { channel } }: Outbox, id: string): LocalMessage {
  const message = messageIn(channel.state, id)
  if (message) return message
  throw clientError('CLIENT_MESSAGE_ID_MISSING', `${id} is not loaded in ${channel.cid}`)
}

/** Retries a failed message under the same id: a message as a message, an edit as an edit [MSG-20, MSG-33]. */
export async function retry(context: ChannelContext, id: string, call: CallOptions = {}): Promise<LocalMessage> {
  const outbox = usable(context)
  const kept = outbox.kept.get(id)
  if (kept?.edit) return edit(context, id, kept.edit, call)
  const message = knownMessage(outbox, id)
  if (!kept?.draft) throw clientError('CLIENT_MESSAGE_ID_MISSING', `${id} has nothing to send again`)
  checkWanted(call)
  outbox.keep(id, { ...kept, error: undefined })
  put(outbox, { ...message, type: 'regular', status: 'sending', error: undefined })
  return deliver(outbox, id, call)
}

/** Shows the changes at once. On failure they stay and the message is marked failed. */
export async function edit(
  context: ChannelContext,
  id: string,
  changes: Partial<MessageDraft>,
  call: CallOptions = {},
): Promise<LocalMessage> {
  const { channel } = context
  const outbox = usable(context)
  checkWanted(call)
  const sending = outbox.underway.get(id)
  if (sending) await sending
  const message = knownMessage(outbox, id)
  // It was never stored: the retry sends the new text.
  const kept = outbox.kept.get(id)
  if (kept?.draft && (message.status === 'failed' || message.type === 'error')) {
    outbox.keep(id, { ...kept, draft: { ...kept.draft, ...changes } })
    put(outbox, { ...message, ...shown(channel.state, changes) })
    return retry(context, id, call)
  }
  const all = { ...kept?.edit, ...changes }
  const set = all.mentioned_users ? { ...all, mentioned_users: idsOf(all.mentioned_users) } : all
  const underway = { edit: set }
  outbox.keep(id, underway)
  const edited = { ...message, ...shown(channel.state, changes), ...editing() }
  put(outbox, edited)
  // A later edit is under way and shown, or an event has confirmed this one.
  const isOver = () => outbox.kept.get(id) !== underway
  const saving = inTurn(outbox, call, () => ask(outbox, 'PUT', id, { body: { set }, ...call }))
  outbox.mind(id, saving)
  try {
    const { message: saved } = await saving
    if (saved.type === 'error') throw refusal(saved)
    const answer = localMessage(answered(context, saved))
    const known = messageIn(channel.state, id)
    if (isOver()) return known ?? answer
    outbox.forget(id)
    const stored = newer(answer, known)
    put(outbox, stored)
    return stored
  } catch (error) {
    if (isOver()) return messageIn(channel.state, id) ?? edited
    return failed(outbox, edited, error)
  }
}

/**
 * Shows the message as deleted at once. If the server refuses, or `until` rejects, it is restored and the call rejects.
 * A message that never reached the server is just removed.
 */
export async function remove(
  context: ChannelContext,
  id: string,
  { hard = false, until }: Removal = {},
  call: CallOptions = {},
): Promise<void> {
  const { channel, host, change } = context
  const outbox = usable(context)
  // A message being sent arrives or fails first; only then is it known what to delete.
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
  take(context, { type: 'message.deleted', message: tombstone, hard_delete: false })
  const shown = messageIn(channel.state, id)
  const kept = outbox.kept.get(id)
  outbox.keep(id, { deletes: true, hard })
  try {
    if (until) outbox.mind(id, until)
    await until
    await erase(outbox, id, { hard, ...call })
  } catch (error) {
    // If the author signed out before it was due, it is deleted when they are back.
    const isLeft = channel.disconnected && error instanceof ChatError
    if (!isLeft) outbox.forget(id)
    // An event may have confirmed the deletion meanwhile.
    if (messageIn(channel.state, id) === shown) {
      take(context, { type: 'message.undeleted', message: wireMessage(message) })
      put(outbox, message)
      if (kept?.edit) outbox.keep(id, kept)
    }
    throw error
  }
}
