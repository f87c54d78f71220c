/**
 * The default grants: user roles and channel roles, per channel type.
 * @see administration.md 3.5; rules PERM-18…PERM-22
 */

/** Role → permission ids. */
export type Grants = Readonly<Record<string, readonly string[]>>

const A = words(`add-links ban-channel-member ban-user create-call create-channel create-message create-attachment
  create-mention create-reaction create-system-message delete-attachment delete-channel delete-message delete-reaction
  flag-message join-call mute-channel pin-message read-channel read-channel-members read-message-flags recreate-channel
  remove-own-channel-membership run-message-action send-custom-event skip-channel-cooldown skip-message-moderation
  truncate-channel unblock-message update-channel update-channel-cooldown update-channel-frozen
  update-channel-members update-message upload-attachment
  send-poll cast-vote query-votes update-thread`)
const admin = [...A, ...words('create-restricted-visibility-message read-restricted-visibility-message')]
const U = [
  'create-channel',
  ...owned(`add-links create-message create-attachment create-mention create-reaction delete-attachment delete-channel
    delete-message delete-reaction flag-message mute-channel pin-message read-channel read-channel-members
    recreate-channel remove-own-channel-membership run-message-action send-custom-event truncate-channel
    update-channel update-channel-members update-message upload-attachment
    send-poll cast-vote query-votes update-thread`),
]
const M = words(`add-links create-call create-message create-attachment create-mention create-reaction flag-message
  join-call mute-channel pin-message read-channel read-channel-members remove-own-channel-membership run-message-action
  send-custom-event upload-attachment send-poll cast-vote query-votes`)
const L = [
  ...words(`add-links create-channel create-message create-attachment create-mention create-reaction flag-message
    join-call mute-channel read-channel read-channel-members run-message-action send-custom-event upload-attachment
    send-poll cast-vote query-votes`),
  ...owned('delete-attachment delete-message delete-reaction pin-message update-message update-thread'),
]
const G = [
  ...words('add-links create-channel upload-attachment'),
  ...owned(`delete-attachment delete-message delete-reaction flag-message mute-channel pin-message
    read-channel-members read-channel update-channel-members update-message`),
]
const channelModerator = without(A, 'ban-user create-channel delete-channel recreate-channel truncate-channel')
const messaging = {
  admin,
  moderator: [
    ...without(A, 'delete-channel recreate-channel truncate-channel'),
    ...owned('delete-channel recreate-channel truncate-channel'),
  ],
  user: U,
  channel_member: M,
  channel_moderator: channelModerator,
}
const commerceUser = without(
  U,
  'create-channel delete-channel-owner recreate-channel-owner truncate-channel-owner update-channel-owner',
)

const scopes: Record<string, Grants> = {
  messaging,
  team: messaging,
  livestream: {
    admin,
    moderator: without(
      A,
      `delete-channel recreate-channel truncate-channel remove-own-channel-membership update-channel
       update-channel-members`,
    ),
    user: L,
    channel_moderator: words(`ban-channel-member create-call create-system-message delete-attachment delete-message
      delete-reaction pin-message read-message-flags skip-channel-cooldown skip-message-moderation unblock-message
      update-channel-cooldown update-channel-frozen update-message update-thread`),
    guest: words('flag-message join-call mute-channel read-channel read-channel-members'),
    anonymous: words('join-call read-channel read-channel-members'),
  },
  commerce: {
    admin,
    moderator: without(A, 'delete-channel recreate-channel truncate-channel'),
    user: commerceUser,
    channel_member: without(M, 'create-call pin-message'),
    channel_moderator: channelModerator,
    guest: G,
  },
  gaming: {
    admin,
    moderator: without(
      A,
      'create-channel delete-channel recreate-channel truncate-channel update-channel update-channel-members',
    ),
    user: without(commerceUser, 'pin-message-owner update-channel-members-owner'),
    channel_member: without(M, 'pin-message'),
    channel_moderator: without(channelModerator, 'update-channel update-channel-members'),
  },
}

const everybody = words('flag-user mute-user search-user update-user-owner')
const users = [...everybody, ...words('create-poll query-polls'), ...owned('update-poll delete-poll close-poll')]
const staff = [...users, ...words('ban-user read-flag-reports update-flag-report')]
const inApp = {
  user: users,
  guest: everybody,
  moderator: staff,
  admin: staff,
  global_moderator: staff,
  global_admin: staff,
}

/** The scope of app-level grants; a channel type's grants use the type's name. */
export const APP_SCOPE = '.app'

/** The default grants of each role in a scope; a custom type has those of `messaging`. */
export function defaultGrants(scope: string): Grants {
  if (scope === APP_SCOPE) return inApp
  const grants = Object.hasOwn(scopes, scope) ? scopes[scope]! : messaging
  return grants
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function owned(text: string): string[] {
  return words(text).map((permission) => `${permission}-owner`)
}

function without(set: readonly string[], text: string): string[] {
  const gone = new Set(words(text))
  return set.filter((permission) => !gone.has(permission))
}
