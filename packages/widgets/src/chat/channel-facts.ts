import type { Channel, ChannelState, User } from '@parley/client'
import { listOf } from '../i18n/format.ts'
import type { Translate } from '../i18n/translate.ts'
import { GROUP_NAMES_SHOWN } from '../limits.ts'
import { avatarUser, nameOf } from '../messages/message-name.ts'
import { personName, seenName } from './seen-name.ts'

/** The other members of a channel, in an order that is the same in every browser. */
export function othersOf(state: ChannelState, me: string | undefined): User[] {
  return Object.values(state.members)
    .flatMap(({ user }) => (user && user.id !== me ? [user as User] : []))
    .sort((a, b) => personName(a).localeCompare(personName(b), 'en'))
}

/** A deleted user. */
const nobodyKnown = { id: '', deleted_at: '1970-01-01T00:00:00Z' } as User

/** The one other member of a direct conversation, else undefined; a deleted one, too. */
export function partnerOf(state: ChannelState, me: string | undefined): User | undefined {
  const { name, member_count = 0 } = state.data
  if (member_count > 2 || name) return undefined
  const [partner = goneFrom(state), another] = othersOf(state, me)
  return another ? undefined : partner
}

/** A deleted partner: the author of a message; without one, a channel created from its members has only one left. */
function goneFrom({ data, messages }: ChannelState): User | undefined {
  const author = messages.findLast(({ user }) => user.deleted_at)?.user
  return author ?? (data.member_count === 1 && data.id?.startsWith('!members-') ? nobodyKnown : undefined)
}

/** The title of a channel: its name, else the names of its members. */
export function channelName(t: Translate, language: string, state: ChannelState, me: string | undefined): string {
  const own = seenName(state.data.name)
  if (own) return own
  const partner = partnerOf(state, me)
  const names = (partner ? [partner] : othersOf(state, me)).map((user) => nameOf(t, { user }))
  if (names.length === 0) return t('channels.unnamed')
  return listOf(language, names.length > GROUP_NAMES_SHOWN ? [...names.slice(0, GROUP_NAMES_SHOWN), '…'] : names)
}

export interface ChannelAvatarParts {
  id: string
  name: string
  image?: string
  behind?: { id: string; name: string; image?: string }
  presence?: 'online' | 'offline'
}

/** The avatar of a channel: its image, that of the other member, or those of two members. */
export function channelAvatar(
  name: string,
  state: ChannelState,
  channel: Channel,
  me: string | undefined,
): ChannelAvatarParts {
  const { image } = state.data
  const partner = partnerOf(state, me)
  if (partner) {
    const presence = partner.deleted_at ? undefined : partner.online ? 'online' : 'offline'
    const face = avatarUser({ user: partner })
    return { ...face, image: image ?? face.image, presence }
  }
  const [first, second] = othersOf(state, me)
  if (image || !first || !second || state.data.name) return { id: channel.cid, name, image }
  return { ...avatarUser({ user: first }), behind: avatarUser({ user: second }) }
}

export function onlineCount(state: ChannelState): number {
  return Object.values(state.members).filter(({ user }) => user?.online).length
}

export function may(state: ChannelState, capability: string): boolean {
  return state.data.own_capabilities?.includes(capability) ?? false
}
