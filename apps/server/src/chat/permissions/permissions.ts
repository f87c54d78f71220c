/**
 * Every permission: each action for any resource, for the owner of the resource, and with or without a shared team.
 * @see administration.md 3.3, 3.5
 */
import type { Permission } from '@parley/protocol/permissions'

const channelActions = `AddLinks AddOwnChannelMembership BanChannelMember CreateAttachment CreateChannel
  CreateDistinctChannelForOthers CreateMention CreateMessage CreateReaction CreateReply CreateSystemMessage
  DeleteChannel FlagMessage MuteChannel PinMessage ReadChannel ReadChannelMembers ReadMessageFlags RecreateChannel
  RemoveOwnChannelMembership SendCustomEvent SendPoll CastVote QueryVotes SkipChannelCooldown SkipMessageModeration
  TruncateChannel UpdateChannel UpdateChannelCooldown UpdateChannelFrozen UpdateChannelMembers UploadAttachment
  UseFrozenChannel ReadDisabledChannel CreateRestrictedVisibilityMessage ReadRestrictedVisibilityMessage
  CreateCall JoinCall`
const appActions = 'BanUser FlagUser MuteUser SearchUser ReadFlagReports UpdateFlagReport CreatePoll QueryPolls'

interface Action {
  name: string
  level: Permission['level']
  /** Which owner the owner's variant refers to. */
  resource: string
}

/** By the id of the unrestricted variant: `create-message`. */
const actions = new Map<string, Action>(
  [
    ...listed(channelActions, 'channel', 'channel'),
    ...listed('UpdateMessage DeleteMessage RunMessageAction UnblockMessage', 'channel', 'message'),
    ...listed('DeleteReaction', 'channel', 'reaction'),
    ...listed('DeleteAttachment', 'channel', 'attachment'),
    ...listed('UpdateThread', 'channel', 'thread'),
    ...listed(appActions, 'app', 'app'),
    ...listed('UpdateUser UpdateUserRole UpdateUserTeams', 'app', 'user'),
    ...listed('UpdatePoll DeletePoll ClosePoll', 'app', 'poll'),
  ].map((action) => [kebab(action.name), action]),
)

const builtIn = new Map<string, Permission>([...actions].flatMap(([id, action]) => variants(id, action)))

export function builtInPermissions(): Iterable<Permission> {
  return builtIn.values()
}

export function builtInPermission(id: string): Permission | undefined {
  return builtIn.get(id)
}

/** An action by name, as custom permissions refer to it: `CreateMessage`. */
export function actionNamed(name: string): Action | undefined {
  const action = actions.get(kebab(name))
  return action?.name === name ? action : undefined
}

/** Whether the owner's variant of a permission refers to the channel's creator. */
export function isChannelOwned(id: string): boolean {
  return actions.get(id)?.resource === 'channel'
}

/** `CreateMessage` → `create-message` */
export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
}

/** `read-channel` → `ReadChannel` */
export function actionOf(id: string): string {
  return id.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase())
}

function listed(names: string, level: Action['level'], resource: string): Action[] {
  return names.split(/\s+/).map((name) => ({ name, level, resource }))
}

function variants(id: string, { name, level, resource }: Action): [string, Permission][] {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2')
  return [true, false].flatMap((sameTeam) =>
    [false, true].map((owner): [string, Permission] => {
      const full = `${id}${owner ? '-owner' : ''}${sameTeam ? '' : '-any-team'}`
      const what = `${words}${owner ? ` of one's own ${resource}` : ''}${sameTeam ? '' : ', in any team'}`
      return [
        full,
        {
          id: full,
          name: what,
          description: `Allows the action ${name}${owner ? ` to the owner of the ${resource}` : ''}.`,
          action: name,
          owner,
          same_team: sameTeam,
          condition: null,
          custom: false,
          level,
          tags: [],
          owner_resource: resource,
        },
      ]
    }),
  )
}
