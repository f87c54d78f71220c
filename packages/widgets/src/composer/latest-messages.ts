import type { ChannelState, LocalMessage } from '@parley/client'
import { may } from '../chat/channel-facts.ts'
import { isGif } from '../giphy/gif.ts'
import { isDeleted, isKeptBack, isSystem } from '../messages/message-parts.ts'

/**
 * The newest message that the user may edit.
 *
 * @param before  only messages older than this one
 */
export function latestOwn(
  state: ChannelState,
  thread: string | undefined,
  me: string | undefined,
  before: LocalMessage | undefined,
): LocalMessage | undefined {
  if (!may(state, 'update-own-message')) return undefined
  const all = messagesHere(state, thread)
  const end = before ? all.findIndex(({ id }) => id === before.id) : all.length
  return all
    .slice(0, Math.max(0, end))
    .findLast(
      (message) => message.user.id === me && stands(message) && !isGif(message) && message.status === 'received',
    )
}

/** The newest message that the user may reply to. */
export function latestQuotable(state: ChannelState, thread: string | undefined): LocalMessage | undefined {
  return may(state, 'quote-message') ? messagesHere(state, thread).findLast(stands) : undefined
}

function messagesHere(state: ChannelState, thread: string | undefined): readonly LocalMessage[] {
  const all = thread === undefined ? state.messages : (state.replies[thread] ?? [])
  return all.filter((message) => !isKeptBack(state, message))
}

function stands(message: LocalMessage): boolean {
  const isForAll = message.type !== 'error' && message.type !== 'ephemeral'
  return !isDeleted(message) && !isSystem(message) && isForAll && message.status !== 'failed'
}
