import type { ChatEvent } from '../events.ts'
import { MESSAGES_KEPT_UNSEEN } from '../limits.ts'
import { restore } from '../messages/changes.ts'
import { followed, trimmed } from '../messages/pages.ts'
import type { Asked } from './channel-answer.ts'
import type { ChannelContext } from './channel-context.ts'
import { channelState, withTimePassed } from './channel-events.ts'
import { type ChannelState, messageIn, own } from './channel-state.ts'
import { withSets, withThread } from './state-changes.ts'

/** Applies an event to a channel, before any listener receives it. */
export function receive({ channel, host, change, readers, outbox }: ChannelContext, event: ChatEvent) {
  const { frozen } = channel.data
  const isMine = event.type === 'message.new' && event.user?.id === host.me()?.id
  // Messages sent from here are shown before the request leaves.
  const isFromHere = isMine && messageIn(channel.state, event.message.id) !== undefined
  change((state) => channelState(state, event, host.eventContext(channel.cid)))
  // The server decides what a user may do in a frozen channel [CHN-45].
  if (event.type === 'channel.updated' && frozen !== undefined && channel.data.frozen !== frozen && channel.initialized)
    channel.query({ state: false }).catch((error) => host.log('error', `${channel.cid} was not read again.`, error))
  if (isMine) {
    if (!isFromHere) channel.composerIn(event.message.parent_id).posted(event.message.text)
    outbox.forget(event.message.id)
  }
  if (event.type === 'message.deleted') outbox.forget(event.message.id)
  // Without readers of its history, a channel keeps only its newest messages.
  if (event.type === 'message.new' && readers() === 0) change((state) => shortened(state, event.message.parent_id))
}

function shortened(state: ChannelState, parentID: string | undefined): ChannelState {
  const thread = own(state.threads, parentID)
  const sets = thread && trimmed(thread.sets, MESSAGES_KEPT_UNSEEN)
  const next = parentID && sets ? withThread(state, parentID, { ...thread, sets }) : state
  return withSets(next, trimmed(next.sets, MESSAGES_KEPT_UNSEEN))
}

/**
 * After an answer was applied: shows the newest messages, restores unsent ones, and notifies listeners of changed
 * capabilities. A view that is open keeps what it shows until its recovery has the missed messages.
 */
export function taken(context: ChannelContext, asked: Asked, capabilities: readonly string[] | undefined) {
  if (!context.missedSince || context.readers() === 0) context.change((state) => withSets(state, followed(state.sets)))
  if (asked.state) restore(context.outbox)
  emitCapabilities(context, capabilities)
}

/** Dispatches `capabilities.changed` when an answer's capabilities differ from the state's [CHN-48]. */
export function emitCapabilities({ channel, host }: ChannelContext, before: readonly string[] | undefined) {
  const { cid, data } = channel
  const now = data.own_capabilities
  if (before && now && before.toSorted().join() !== now.toSorted().join())
    host.tell({ type: 'capabilities.changed', cid, own_capabilities: now })
}

/** Ends what has expired. */
export function sweep({ channel, host, change, typing }: ChannelContext, now: number) {
  change((state) => withTimePassed(state, now))
  typing?.sweep(now).catch((error) => host.log('error', `${channel.cid}: typing was not told.`, error))
}
