import type { Channel, ChannelState, LocalMessage } from '@parley/client'
import { forbiddenBecause } from '../composer/composer-limits.ts'
import { isGif } from '../giphy/gif.ts'
import { MARK_UNREAD_WINDOW } from '../limits.ts'
import { latestSet } from '../message-list/loaded-sets.ts'
import { failureOf } from './message-failure.ts'
import { isDeleted, isKeptBack, isPreview, isSystem, wasNeverSent } from './message-parts.ts'

export type MessageAction =
  | 'react'
  | 'reply'
  | 'thread'
  | 'edit'
  | 'dropPreview'
  | 'copy'
  | 'copyLink'
  | 'pin'
  | 'pinFor'
  | 'unpin'
  | 'markUnread'
  | 'translate'
  | 'readers'
  | 'flag'
  | 'mute'
  | 'unmute'
  | 'ban'
  | 'unban'
  | 'retry'
  | 'resend'
  | 'delete'
  | 'deleteForGood'

/** Those that ask first, in a dialog. */
const asking = ['pinFor', 'readers', 'ban', 'delete', 'deleteForGood'] as const satisfies MessageAction[]
export type Asking = (typeof asking)[number]
export const asks = (action: MessageAction): action is Asking => asking.some((one) => one === action)

export interface Offered {
  action: MessageAction
  /** offered, but disabled: only the newest 100 messages of a channel can be marked unread [READ-17] */
  tooOld?: true
}

export interface OfferOptions {
  threads?: boolean
  links?: boolean
  mutedIds?: readonly string[]
  language?: string
}

/**
 * The actions of a message, in the order of the menu. An action without its capability is left out [PERM-5].
 *
 * @param threads   whether a thread can be opened here
 * @param links     whether a message has an address of its own
 * @param mutedIds  the users the reader has muted
 * @param language  the reader's; a text in another language, or in an unknown one, can be translated
 */
export function offeredActions(
  me: string | undefined,
  channel: Channel,
  message: LocalMessage,
  { threads = false, links = false, mutedIds = [], language }: OfferOptions = {},
): Offered[] {
  if (isSystem(message) || message.type === 'ephemeral') return []
  const state = channel.snapshot()
  const { data, members } = state
  const may = (capability: string) => data.own_capabilities?.includes(capability) ?? false
  const own = message.user.id === me
  const offered: Offered[] = []
  const offer = (action: MessageAction, when: boolean, tooOld?: true) => {
    if (when) offered.push(tooOld ? { action, tooOld } : { action })
  }

  if (wasNeverSent(message)) {
    offer('retry', failureOf(message)?.retry ?? false)
    offer('resend', message.text !== '')
    offer('copy', message.text !== '')
    offer('delete', true)
    return offered
  }

  // A message held back by moderation cannot be answered or changed.
  if (isKeptBack(state, message)) {
    offer('copy', message.text !== '')
    offer('deleteForGood', true)
    return offered
  }

  const stands = !isDeleted(message)
  offer('react', stands && may('send-reaction'))
  const writes = stands && !forbiddenBecause(state, me, message.parent_id !== undefined)
  offer('reply', writes && may('quote-message'))
  offer('thread', threads && stands && may('send-reply'))
  offer('edit', own && writes && !isGif(message) && may('update-own-message'))
  offer('dropPreview', own && writes && may('update-own-message') && message.attachments.some(isPreview))
  offer('copy', stands && !isGif(message) && message.text !== '')
  offer('copyLink', stands && links)
  offer('pin', stands && !message.pinned && may('pin-message'))
  offer('unpin', stands && message.pinned && may('pin-message'))
  offer('pinFor', stands && may('pin-message'))
  const inChannel = !message.parent_id || message.show_in_channel
  offer('markUnread', Boolean(inChannel) && stands && !own && may('read-events'), isTooOld(state, message) || undefined)
  offer('translate', stands && !own && !isGif(message) && message.text !== '' && isForeign(message, language))
  offer('readers', stands && own && may('read-events') && (data.member_count ?? 0) > 2)
  offer('flag', stands && !own && may('flag-message'))
  const person = !own && !message.user.deleted_at
  const isMuted = mutedIds.includes(message.user.id)
  offer('mute', person && !isMuted && data.config?.mutes !== false)
  offer('unmute', person && isMuted)
  const mayBan = person && may('ban-channel-members')
  const isBanned = members?.[message.user.id]?.banned ?? false
  offer('ban', mayBan && !isBanned)
  offer('unban', mayBan && isBanned)
  offer('delete', stands && (may('delete-any-message') || (own && may('delete-own-message'))))
  offer('deleteForGood', may('delete-any-message'))
  return offered
}

/** Whether the loaded messages prove it; otherwise the server decides [READ-17]. */
function isTooOld(state: ChannelState, { id, created_at }: LocalMessage): boolean {
  const received = latestSet(state)?.messages.filter(({ status }) => status === 'received') ?? []
  const newest = received.slice(-MARK_UNREAD_WINDOW)
  if (newest.length < MARK_UNREAD_WINDOW || newest.some((message) => message.id === id)) return false
  return newest[0]!.created_at >= created_at
}

function isForeign({ i18n, user }: LocalMessage, language: string | undefined): boolean {
  return language !== undefined && (i18n?.language ?? user.language) !== language
}
