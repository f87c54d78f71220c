import type { ChatClient, Permission } from '@parley/client/server'

/** The only channel type that the product creates. */
export const CHANNEL_TYPE = 'messaging'

/** The role of a group's moderators: they may ban members and delete other users' messages. */
export const MODERATOR = 'channel_moderator'

/** The id prefix of channels that are identified by their members; no other ids begin with it. */
const DIRECT = '!members-'
/** The first id after all of these. */
const AFTER_DIRECT = '!members.'

/** The direct chats in one query. */
const DIRECT_CHATS_A_CALL = 30

/** Whether a channel is a direct chat: identified by its members, none of whom has power over the other. */
export function isDirect(cid: string): boolean {
  return cid.slice(cid.indexOf(':') + 1).startsWith(DIRECT)
}

/** What every member may do: read, send messages, and edit or delete their own content. */
const ofMembers = words(`read-channel read-channel-members mute-channel
  create-message create-attachment create-mention create-reaction add-links upload-attachment flag-message pin-message
  send-poll cast-vote query-votes run-message-action-owner
  update-message-owner delete-message-owner delete-attachment-owner delete-reaction-owner update-thread-owner`)

/**
 * Permissions that only exist in groups: leaving and moderation. Each is a separate permission that does not apply in
 * direct chats, whatever role a member has there or had in the past.
 */
const ofGroupMembers = words('RemoveOwnChannelMembership')
const ofGroupModerators = words(`BanChannelMember DeleteMessage DeleteAttachment ReadMessageFlags SkipChannelCooldown
  UpdateChannelCooldown UpdateChannelFrozen`)

const groupPermissions = [...ofGroupMembers, ...ofGroupModerators].map(groupPermission)
const idsOf = (actions: readonly string[]) => actions.map((action) => groupPermission(action).id)

/** The roles that the product or the chat server itself assigns. The product leaves other roles alone. */
const HOUSE_ROLES = ['user', 'guest', 'anonymous', 'channel_member', MODERATOR] as const
type Granted = Record<string, readonly string[]>

const ofEverybody = [...ofMembers, ...idsOf(ofGroupMembers)]
const inConversations: Granted = {
  channel_member: ofEverybody,
  [MODERATOR]: [...ofEverybody, ...idsOf(ofGroupModerators)],
}
const inApp: Granted = {
  user: words('flag-user mute-user create-poll update-poll-owner close-poll-owner delete-poll-owner'),
}

/** App settings that would let every user bypass the permissions. */
const switches = {
  guest_user_creation_disabled: true,
  disable_auth_checks: false,
  disable_permissions_checks: false,
}

/**
 * Makes the chat server grant users of the product exactly what the product offers: neither its defaults, now or in a
 * later version, nor grants that an operator has added, nor anything in channels of another type. Correct settings are
 * not written again, so that no other server reloads its permissions.
 *
 * @returns whether anything was changed
 * @see docs/decisions/0025-what-a-chat-token-may.md
 */
export async function keepChatPermissions(client: ChatClient): Promise<boolean> {
  const { permissions } = await client.listPermissions()
  const known = new Map(permissions.map((permission) => [permission.id, permission]))
  let isChanged = false
  for (const wanted of groupPermissions) {
    const { id } = wanted
    const there = known.get(id)
    if (there && isSame(there, wanted)) continue
    isChanged = true
    await (there ? client.updatePermission(id, wanted) : client.createPermission(wanted))
  }

  const { channel_types } = await client.listChannelTypes()
  for (const { name, grants } of Object.values(channel_types)) {
    const missing = different(grants as Granted | undefined, name === CHANNEL_TYPE ? inConversations : {})
    if (!missing) continue
    isChanged = true
    await client.updateChannelType(name, { grants: missing })
  }

  const { app } = (await client.getAppSettings()) as { app: { grants?: Granted } & Record<string, unknown> }
  const grants = different(app.grants, inApp)
  const turned = Object.fromEntries(Object.entries(switches).filter(([name, value]) => app[name] !== value))
  if (!grants && Object.keys(turned).length === 0) return isChanged
  await client.updateAppSettings({ ...turned, ...(grants && { grants }) })
  return true
}

/**
 * Repairs direct chats that a user changed while the chat server still permitted it: removes moderators and bans,
 * unfreezes the channel, and unsets its name and picture. The conversation itself stays.
 */
export async function equalizeDirectChats(client: ChatClient): Promise<void> {
  const options = { limit: DIRECT_CHATS_A_CALL, message_limit: 0, watch: false, presence: false }
  for (let after = DIRECT; ; ) {
    const filter = { type: CHANNEL_TYPE, id: { $gt: after, $lt: AFTER_DIRECT } }
    const channels = await client.queryChannels(filter, [{ id: 1 }], options)
    for (const channel of channels) await equalize(client, channel)
    if (channels.length < DIRECT_CHATS_A_CALL) return
    after = channels.at(-1)!.id!
  }
}

async function equalize(client: ChatClient, { type, id, state, data = {} }: DirectChat): Promise<void> {
  const channel = client.channel(type, id!)
  const members = Object.values(state.members)
  const idsOf = (those: typeof members) => those.flatMap(({ user_id }) => user_id ?? [])
  const raised = idsOf(members.filter(({ channel_role }) => channel_role !== 'channel_member'))
  if (raised.length > 0)
    await channel.assignRoles(raised.map((user_id) => ({ user_id, channel_role: 'channel_member' })))
  for (const target of idsOf(members.filter(({ banned, shadow_banned }) => banned || shadow_banned)))
    await channel.unbanUser(target)
  const { frozen, disabled, cooldown, name, image } = data
  if (frozen || disabled || cooldown || name || image)
    await channel.updatePartial({
      set: { frozen: false, disabled: false, cooldown: 0 },
      unset: ['name', 'image'],
    })
}

type DirectChat = Awaited<ReturnType<ChatClient['queryChannels']>>[number]

/** A permission that applies only in groups. */
function groupPermission(action: string) {
  const name = `${action.replace(/([a-z])([A-Z])/g, '$1 $2')} in groups`
  return {
    id: `group-${action.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()}`,
    name,
    description: 'Set by the product: in a direct chat nobody has power over the other.',
    action,
    owner: false,
    same_team: true,
    condition: { $nor: [{ '$resource.id': { $gte: DIRECT, $lt: AFTER_DIRECT } }] },
  }
}

function isSame(there: Permission, wanted: ReturnType<typeof groupPermission>): boolean {
  const { action, owner, same_team, condition } = there
  return (
    action === wanted.action &&
    owner === wanted.owner &&
    same_team === wanted.same_team &&
    JSON.stringify(condition) === JSON.stringify(wanted.condition)
  )
}

/** The new grants of the house roles whose grants differ; undefined when none does. */
function different(there: Granted = {}, wanted: Granted): Record<string, string[]> | undefined {
  const roles = HOUSE_ROLES.filter((role) => {
    const [is, should] = [new Set(there[role]), new Set(wanted[role])]
    return is.symmetricDifference(should).size > 0
  })
  return roles.length > 0 ? Object.fromEntries(roles.map((role) => [role, [...(wanted[role] ?? [])]])) : undefined
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
