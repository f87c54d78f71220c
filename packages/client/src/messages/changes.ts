/**
 * Optimistic changes to messages, and restoring unsent ones of an earlier page; loaded while a page connects
 * [client.md 2.7].
 */
import type { ChannelContext } from '../channels/channel-context.ts'
import { channelState } from '../channels/channel-events.ts'
import { type ChannelState, messageIn } from '../channels/channel-state.ts'
import { wireMessage, withChanged, withPosted } from '../channels/state-changes.ts'
import { ChatError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import type { ChatEvent, ChatEventName } from '../events.ts'
import type { Method, RequestOptions } from '../http.ts'
import type { Answer, CallOptions, Message } from '../shapes.ts'
import { publicUserOf } from '../users/public-user.ts'
import { idsOf, type LocalMessage, type MessageError, messagePath } from './local-message.ts'
import { type Kept, type MessageDraft, mentioned, type Outbox, withPlace, written } from './outbox.ts'

/** Restores unconfirmed messages, edits and deletions of an earlier page. They are shown as failed [client.md 2.7]. */
export function restore(outbox: Outbox) {
  const { channel, host, change } = outbox.context
  const me = host.me()
  if (outbox.isRestored) return
  outbox.isRestored = true
  const prefix = outbox.key('')
  const error = { message: 'The page was left', retry: true }
  for (const key of host.storage.keys()) {
    const id = key.slice(prefix.length)
    if (!me || !key.startsWith(prefix) || outbox.kept.has(id)) continue
    const kept = { error, ...(host.storage.get(key) as Kept) }
    outbox.kept.set(id, kept)
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
      const message = written(channel.state, { ...kept.draft, id }, publicUserOf(me), channel.cid, host.clock.now())
      change((state) =>
        withPosted(withPlace(state, message.parent_id), { ...message, status: 'failed', error: kept.error }),
      )
    }
  }
  change((state) => withEdits(outbox, state))
  host.unsent?.(outbox.context)
}

/**
 * The state with the user's own unconfirmed edits applied over the server's versions, until the server has the same.
 */
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

export function editing(error?: MessageError): Pick<LocalMessage, 'status' | 'attempt' | 'error'> {
  return { status: error ? 'failed' : 'sending', attempt: 'edit', error }
}

/** Whether a message equals a kept edit, whose mentions are ids, in all its fields. */
function says(message: LocalMessage, edit: Partial<MessageDraft>): boolean {
  const said: Record<string, unknown> = { ...message, mentioned_users: idsOf(message.mentioned_users) }
  return Object.entries(edit).every(([field, value]) => JSON.stringify(said[field]) === JSON.stringify(value))
}

/** A request in the name of the message's author: another user may be signed in by now. */
export function ask(
  { context }: Outbox,
  method: Method,
  id: string,
  options?: RequestOptions,
): Promise<{ message: Message }> {
  context.checkUsable()
  return context.host.request(method, messagePath(id), options)
}

export function messageError(error: unknown): MessageError {
  if (error instanceof ChatError)
    return { code: error.code, status: error.status, message: error.message, retry: error.retry }
  return { message: error instanceof Error ? error.message : String(error), retry: false }
}

export function put({ context }: Outbox, message: LocalMessage) {
  context.change((state) => withChanged(state, message))
}

/** Requests a deletion. The author may sign out right after it. */
export async function erase(outbox: Outbox, id: string, { hard = false, ...call }: { hard?: boolean } & CallOptions) {
  const query = { hard: hard ? true : undefined }
  const answer = await ask(outbox, 'DELETE', id, { query, keepalive: true, ...call })
  outbox.forget(id)
  take(outbox.context, { type: 'message.deleted', message: answer.message, hard_delete: hard })
}

/** The message of an answer. It stays marked as `unheard` until an event or a page has it. */
export function answered({ channel }: ChannelContext, message: Message): Message {
  const known = messageIn(channel.state, message.id)
  return !known || known.attempt === 'send' || known.unheard ? { ...message, unheard: true } : message
}

/** Applies an answer as its event, so it does not matter which of the two arrives first. */
export function take(
  context: ChannelContext,
  event: { type: ChatEventName; message: Message } & Record<string, unknown>,
) {
  const { channel, host, change } = context
  const more = { cid: channel.cid, received_at: new Date(host.clock.now()), message: answered(context, event.message) }
  const whole = { ...event, ...more } as unknown as ChatEvent
  change((state) => channelState(state, whole, host.eventContext(channel.cid)))
}

/** The fields of an edit as the state shows them: mentioned users instead of their ids. */
export function shown(state: ChannelState, changes: Partial<MessageDraft>): Partial<LocalMessage> {
  const { mentioned_users, ...others } = changes
  if (!mentioned_users) return others as Partial<LocalMessage>
  return { ...others, mentioned_users: mentioned(state, idsOf(mentioned_users)) } as Partial<LocalMessage>
}

/**
 * Changes a loaded message before the server has answered, as an event would, and changes it back if the server
 * refuses.
 */
export async function shownAtOnce(
  { active }: ClientContext,
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
    // An event may have confirmed the change meanwhile, if only the answer was lost.
    if (messageIn(channel.state, id) === shown) show(wireMessage(before))
    throw error
  }
}
