import type { OnlineUser, UnreadState } from './online-user.ts'
import type { Countable, Effect } from './publication.ts'

/** Applies an event's effect to a user's unread state in its channel, and to the user's totals. */
export function applyEffect(user: OnlineUser, cid: string, unreadState: UnreadState, effect: Effect) {
  switch (effect.do) {
    case 'join':
    case 'leave':
      return
    case 'close':
      if (effect.forever) user.unmute(cid)
      return user.setUnread(cid, 0)
    case 'hideHistory':
      if (effect.user === user.id) unreadState.hiddenTo = Math.max(unreadState.hiddenTo ?? 0, effect.to)
      return
    case 'readAll':
      unreadState.ordinal = effect.ordinal
      return user.setUnread(cid, 0)
    case 'forget':
      if (effect.ordinal <= unreadState.ordinal) return
      unreadState.ordinal = effect.ordinal
      return user.setUnread(cid, Math.min(unreadState.unread, effect.left))
    case 'read':
      if (effect.user !== user.id) return
      unreadState.ordinal = effect.ordinal
      return user.setUnread(cid, unreadState.counts ? effect.unread : 0)
    case 'count':
    case 'authorRead':
      if (effect.author === user.id || (effect.do === 'count' && effect.postedAt <= (unreadState.joinedAt ?? 0))) {
        unreadState.ordinal = effect.ordinal
        return user.setUnread(cid, 0)
      }
      if (effect.do === 'count' && unreadState.counts && concerns(effect, user, cid))
        user.setUnread(cid, unreadState.unread + 1)
      return
    case 'uncount':
    case 'recount':
      if (effect.author === user.id || !unreadState.counts || effect.ordinal <= unreadState.ordinal) return
      if (!concerns(effect, user, cid)) return
      return user.setUnread(cid, Math.max(0, unreadState.unread + (effect.do === 'recount' ? 1 : -1)))
    default:
      return effect satisfies never
  }
}

/** Whether a message can be unread for a user: they see it, and did not mute it away. */
function concerns({ author, postedAt, among, except }: Countable, user: OnlineUser, cid: string): boolean {
  if (among?.includes(user.id) === false || except?.includes(user.id)) return false
  return !user.ignores(cid, author, postedAt)
}
