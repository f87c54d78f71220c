import { isBanned } from '../bans/banned.ts'
import { type Access, isFrozen } from '../channels/channel-access.ts'

/** Capabilities that change what other users see, or send them something: a banned user has none [MOD-17]. */
const writing: ReadonlySet<string> = new Set(
  `ban-channel-members cast-poll-vote create-attachment create-mention delete-any-message delete-channel freeze-channel
   pin-message quote-message send-custom-events send-links send-message send-poll send-reaction send-reply
   send-restricted-visibility-message send-typing-events set-channel-cooldown share-location update-any-message
   update-channel update-channel-members update-own-message update-thread upload-file`.split(/\s+/),
)

/** The caller's current capabilities in a channel: permission, channel setting and state combined [PERM-1…4]. */
export function capabilitiesOf({ channel, config, member, user, can }: Access): string[] {
  const thawed = !isFrozen({ channel, can })
  const banned = member?.banned === 1 || (user !== undefined && isBanned(user))
  const open = !channel.disabled && thawed
  const write = can('create-message') && open
  const own = (permission: string) => can(permission) || can(`${permission}-owner`)
  const table: [capability: string, has: boolean][] = [
    ['ban-channel-members', can('ban-channel-member')],
    ['cast-poll-vote', can('cast-vote') && config.polls],
    ['connect-events', config.connect_events],
    ['create-attachment', can('create-attachment')],
    ['create-mention', can('create-mention')],
    ['delete-any-message', can('delete-message')],
    ['delete-channel', can('delete-channel')],
    ['delete-own-message', own('delete-message')],
    ['delivery-events', config.delivery_events],
    ['flag-message', can('flag-message')],
    ['freeze-channel', can('update-channel-frozen')],
    ['join-channel', can('add-own-channel-membership')],
    ['leave-channel', can('remove-own-channel-membership')],
    ['mute-channel', can('mute-channel') && config.mutes],
    ['pin-message', can('pin-message')],
    ['query-poll-votes', can('query-votes') && config.polls],
    ['quote-message', can('create-message') && config.quotes],
    ['read-events', config.read_events],
    ['search-messages', config.search],
    ['send-custom-events', can('send-custom-event') && config.custom_events],
    ['send-links', can('add-links')],
    ['send-message', write],
    ['send-poll', can('send-poll') && config.polls],
    ['send-reaction', can('create-reaction') && config.reactions && thawed],
    ['send-reply', (write || (can('create-reply') && open)) && config.replies],
    ['send-restricted-visibility-message', can('create-restricted-visibility-message')],
    ['send-typing-events', config.typing_events],
    ['set-channel-cooldown', can('update-channel-cooldown')],
    ['share-location', config.shared_locations && can('create-message')],
    ['skip-slow-mode', can('skip-channel-cooldown')],
    ['slow-mode', channel.cooldown > 0],
    ['typing-events', config.typing_events],
    ['update-any-message', can('update-message')],
    ['update-channel', can('update-channel')],
    ['update-channel-members', can('update-channel-members')],
    ['update-own-message', own('update-message')],
    ['update-thread', (own('update-thread') || own('update-message')) && config.replies],
    ['upload-file', can('upload-attachment') && config.uploads],
  ]
  return table.flatMap(([capability, has]) => (has && !(banned && writing.has(capability)) ? [capability] : []))
}
