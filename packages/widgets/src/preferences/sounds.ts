import type { ChatClient, ChatEvent, Clock, OwnUser } from '@parley/client'
import { splitCid } from '@parley/protocol/cid'
import { SOUND_EVERY_MS, SOUND_LEFT_TO_OTHERS_MS } from '../limits.ts'
import { mutedCidsOf, mutedIdsOf } from '../moderation/own-lists.ts'
import { inOnePage } from './device-memory.ts'
import { quietUntil } from './do-not-disturb.ts'
import { playMessageSound } from './message-sound.ts'

type Heard = ChatEvent<'message.new'> | ChatEvent<'notification.message_new'>

/**
 * Plays a sound for a message from another user that is not in view, unless its author or channel is muted, or the
 * reader's notification level excludes it. Of several pages of one browser only one plays it, and none while one of
 * them has the focus.
 *
 * @returns the function that stops it
 */
export function playSounds(client: ChatClient, clock: Clock): () => void {
  const heard = (event: Heard) => {
    if (!isLoud(client, event, clock.now())) return
    const isLookedAt = document.hasFocus()
    const play = () => void (isLookedAt || playMessageSound(clock.now()))
    const pause = () => new Promise<void>((over) => clock.after(SOUND_EVERY_MS, over))
    clock.after(isLookedAt ? 0 : SOUND_LEFT_TO_OTHERS_MS, () => inOnePage(`parley.sound.${client.userID}`, play, pause))
  }
  const listening = [client.on('message.new', heard), client.on('notification.message_new', heard)]
  return () => {
    for (const subscription of listening) subscription.unsubscribe()
  }
}

function isLoud(client: ChatClient, { cid, message }: Heard, now: number): boolean {
  const { user, silent, shadowed, mentioned_users } = message
  if (user.id === client.userID || silent || shadowed) return false
  if (mutedIdsOf(client, now).includes(user.id) || mutedCidsOf(client, now).includes(cid)) return false
  const { type, id } = splitCid(cid)
  const here = client.channel(type, id).snapshot().push_preferences
  const everywhere = (client.user as OwnUser | undefined)?.push_preferences
  if (Math.max(Date.parse(here?.disabled_until ?? '') || 0, quietUntil(client)) > now) return false
  const level = here?.chat_level ?? everywhere?.chat_level ?? 'all'
  if (level === 'all' || level === 'default') return true
  return level !== 'none' && mentioned_users.some(({ id }) => id === client.userID)
}
