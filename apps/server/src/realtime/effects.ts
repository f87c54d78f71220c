import type { OnlineUser, Standing } from './online-user.ts'
import type { Countable, Effect } from './publication.ts'

/** Lets what an event does act on where a user stands in its channel, and on the user's totals with that. */
export function applyEffect(user: OnlineUser, cid: string, standing: Standing, effect: Effect) {
  switch (effect.do) {
    case 'join':
    case 'leave':
      return
    case 'close':
      if (effect.forever) user.unmute(cid)
      return user.setUnread(cid, 0)
    case 'hideHistory':
      if (effect.user === user.id) standing.hiddenTo = Math.max(standing.hiddenTo ?? 0, effect.to)
      return
    case 'readAll':
      standing.ordinal = effect.ordinal
      return user.setUnread(cid, 0)
    case 'forget':
      if (effect.ordinal <= standing.ordinal) return
      standing.ordinal = effect.ordinal
      return user.setUnread(cid, Math.min(standing.unread, effect.left))
    case 'read':
      if (effect.user !== user.id) return
      standing.ordinal = effect.ordinal
      return user.setUnread(cid, standing.counts ? effect.unread : 0)
    case 'count':
    case 'authorRead':
      if (effect.author === user.id || (effect.do === 'count' && effect.postedAt <= (standing.joinedAt ?? 0))) {
        standing.ordinal = effect.ordinal
        return user.setUnread(cid, 0)
      }
      if (effect.do === 'count' && standing.counts && concerns(effect, user, cid))
        user.setUnread(cid, standing.unread + 1)
      return
    case 'uncount':
    case 'recount':
      if (effect.author === user.id || !standing.counts || effect.ordinal <= standing.ordinal) return
      if (!concerns(effect, user, cid)) return
      return user.setUnread(cid, Math.max(0, standing.unread + (effect.do === 'recount' ? 1 : -1)))
    default:
      return effect satisfies never
  }
}

/** Whether a message can be unread for a user: they see it, and did not mute it away. */
function concerns({ author, postedAt, among, except }: Countable, user: OnlineUser, cid: string): boolean {
  if (among?.includes(user.id) === false || except?.includes(user.id)) return false
  return !user.ignores(cid, author, postedAt)
}
