import type { ConfigOverrides } from '@parley/protocol/channel-types'
import { type Channel, ChannelChange, type UpdateChannelRequest } from '@parley/protocol/channels'
import type { Member, MemberRequest } from '@parley/protocol/members'
import type { Message } from '@parley/protocol/messages'
import type { PartialUpdate } from '@parley/protocol/wire'
import type { Static } from 'typebox'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { checkPaths, cleared, customOf, patched, patchedWithin } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { AssignedRole, ChannelRow } from '../../platform/database/tables.ts'
import { Validator } from '../../platform/http/validate.ts'
import { microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { actingUser, type Caller } from '../api/caller.ts'
import { checkMayChange } from '../bans/banned.ts'
import {
  addMembers,
  checkMemberChange,
  type HideBefore,
  idOfMember,
  type NewMember,
  newMembers,
  removeMembers,
  setRoles,
} from '../members/change-members.ts'
import { answerInvite, inviteMembers, joiningAndInvited } from '../members/invites.ts'
import { memberWire } from '../members/member-wire.ts'
import { membersIn, membersOfChannels } from '../members/members-of-channels.ts'
import { systemMessage } from '../messages/send-message.ts'
import { mutedChannels } from '../mutes/muted-channels.ts'
import { moderatorRole, roleOfMember } from '../permissions/assign-role.ts'
import { withoutBlockers } from '../users/blocked.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { type Access, accessTo, accessWith, assignerIn, demand, stillThere } from './channel-access.ts'
import { ownChannel } from './channel-states.ts'
import { channelByCid, setChannelData } from './channel-store.ts'
import { channelEvent, channelWire, usersOfChannel } from './channel-wire.ts'
import { checkOverrides, overridesOf } from './config-overrides.ts'
import { retagged, tagsOf, withTags } from './filter-tags.ts'
import { channelFields, notInDistinct } from './get-or-create.ts'

export interface UpdateAnswer {
  channel: Channel
  members: Member[]
  message?: Message
}

/** Applies everything one update contains: data, members, and a message about it [CHN-14, CHN-15, MEM-2, MEM-3]. */
export async function updateChannel(
  server: Server,
  caller: Caller,
  access: Access,
  request: Static<typeof UpdateChannelRequest>,
): Promise<UpdateAnswer> {
  const { app, cid } = access.channel
  const { data, cooldown, add_members = [], remove_members = [] } = request
  const tagged = request.add_filter_tags !== undefined || request.remove_filter_tags !== undefined
  if (tagged && !caller.server) throw new ChatError('NotAllowedError', 'filter tags are for server-side calls only')
  if (data) demand(access, 'update-channel')
  const changes = { ...data, ...(cooldown !== undefined && { cooldown }) }
  checkData(server, caller, access, changes)
  const roles = rolesIn(caller, access, request)
  const joining = [...add_members, ...(access.channel.distinct_members === null ? asModerators(request) : [])]
  const wanted = await newMembers(server, caller, assignerIn(access, caller), joining, 'add_members')
  const added = await withoutBlockers(server, caller, wanted)
  if (added.length > 0) {
    if (access.channel.distinct_members !== null) throw new ChatError('InputError', notInDistinct)
    checkMemberChange(
      access,
      added.map((member) => member.userId),
      'add-own-channel-membership',
    )
  }
  const invited = await invitedBy(server, caller, access, [...(request.invites ?? []), ...(data?.invites ?? [])])
  const answering = request.accept_invite || request.reject_invite ? actingUser(caller) : undefined
  if (remove_members.length > 0) checkMemberChange(access, remove_members, 'remove-own-channel-membership')
  // The message describes a change; sent alone it requires the right to make one.
  if (request.message && added.length + invited.length + remove_members.length === 0 && !answering)
    demand(access, 'update-channel')

  const people = [...joining.map(idOfMember), ...remove_members]
  const isOwnAffair = !data && cooldown === undefined && roles.size + invited.length === 0
  const isForOthers = !isOwnAffair || people.some((id) => id !== caller.user?.id)
  const unseen = isForOthers ? await checkMayChange(server, caller, access) : { alone: undefined }

  const hideBefore = hideBeforeOf(server, request)
  const said = request.message && (await systemMessage(server, access, caller, request.message))
  let shown: ChannelRow | undefined
  const write = async (batch: Batch) => {
    const channel = stillThere(batch, access.channel)
    checkData(server, caller, { ...access, channel }, changes)
    const was = { ...channel }
    if (data) Object.assign(channel, wholeOf(channel, data))
    if (cooldown !== undefined) channel.cooldown = cooldown
    if (tagged) channel.data = withTags(channel.data, retagged(tagsOf(channel), request))
    const coming = joiningAndInvited(added, invited)
    if (coming.joining.length > 0) await addMembers(server, batch, channel, coming.joining, caller.user, hideBefore)
    if (coming.invited.length > 0) await inviteMembers(server, batch, channel, coming.invited, caller.user, hideBefore)
    if (answering) await answerInvite(server, batch, channel, answering, { accept: request.accept_invite === true })
    if (added.length < wanted.length) {
      const leftOut = wanted.filter((member) => !added.includes(member)).map((member) => member.userId)
      const inside = await membersIn(batch, channel, leftOut)
      for (const id of leftOut) if (!inside.has(id)) roles.delete(id)
    }
    if (roles.size > 0) await setRoles(server, batch, channel, roles)
    if (remove_members.length > 0) await removeMembers(server, batch, channel, remove_members)
    const message = await said?.place(batch)
    if (data || cooldown !== undefined || tagged) await announceUpdate(server, batch, channel, caller, was, message)
    if (message) said!.publish(batch, message, request.skip_push)
    shown = { ...channel }
    return message
  }
  const updated = server.commit.write(app, [cid], write, unseen)
  if (unseen.alone === undefined) said?.follow(updated)
  const message = await updated
  return {
    ...(await answer(server, caller, access, unseen.alone === undefined ? undefined : shown)),
    ...(message && { message }),
  }
}

/** @throws ChatError InputError (4) — a channel made from its members; NotAllowedError (17) */
async function invitedBy(
  server: Server,
  caller: Caller,
  access: Access,
  asked: readonly MemberRequest[],
): Promise<readonly NewMember[]> {
  const named = await newMembers(server, caller, assignerIn(access, caller), asked, 'invites')
  const invited = await withoutBlockers(server, caller, named)
  if (invited.length > 0) {
    if (access.channel.distinct_members !== null) throw new ChatError('InputError', notInDistinct)
    demand(access, 'update-channel-members')
  }
  return invited
}

function asModerators({ add_moderators = [] }: Static<typeof UpdateChannelRequest>) {
  return add_moderators.map((user_id) => ({ user_id, channel_role: 'channel_moderator' }))
}

/**
 * The roles one update assigns, by user id [MEM-4, MEM-5, MEM-6].
 *
 * @throws ChatError NotAllowedError (17) — only the app's server assigns roles; callers who may change members may
 *   promote and demote moderators
 */
function rolesIn(
  caller: Caller,
  access: Access,
  { add_moderators = [], demote_moderators = [], assign_roles = [] }: Static<typeof UpdateChannelRequest>,
): Map<string, AssignedRole> {
  const by = assignerIn(access, caller)
  return new Map([
    ...add_moderators.map((id) => [id, moderatorRole(by, true)] as const),
    ...demote_moderators.map((id) => [id, moderatorRole(by, false)] as const),
    ...assign_roles.map(
      ({ user_id, channel_role }) => [user_id, roleOfMember(by, channel_role, 'assign_roles')] as const,
    ),
  ])
}

/**
 * Changes single fields; a dot addresses a nested custom field [CHN-17].
 *
 * @throws ChatError NotAllowedError (17)
 */
export async function updateChannelPartial(
  server: Server,
  caller: Caller,
  access: Access,
  patch: PartialUpdate,
): Promise<UpdateAnswer> {
  const { app, cid } = access.channel
  checkPaths(patch)
  const { set: asked = {}, unset = [] } = patch
  if (!access.can('update-channel')) demandEach(access, [...Object.keys(asked), ...unset])
  const setIn = (channel: ChannelRow): Record<string, unknown> => ({
    ...patch.set,
    ...cleared(emptyFields, patch),
    ...patchedWithin({ config_overrides: JSON.parse(channel.overrides_json ?? '{}') }, channelFields, patch),
  })
  const set = setIn(access.channel)
  const unseen = await checkMayChange(server, caller, access)
  checkRequest.check(Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null)))
  checkData(server, caller, access, set)
  const invited = await invitedBy(server, caller, access, (set as ChannelChange).invites ?? [])
  let shown: ChannelRow | undefined
  const write = async (batch: Batch) => {
    const channel = stillThere(batch, access.channel)
    const set = setIn(channel)
    checkData(server, caller, { ...access, channel }, set)
    const was = { ...channel }
    Object.assign(channel, partOf(channel, { set, unset }))
    if (invited.length > 0) await inviteMembers(server, batch, channel, invited, caller.user)
    await announceUpdate(server, batch, channel, caller, was)
    shown = { ...channel }
  }
  await server.commit.write(app, [cid], write, unseen)
  return answer(server, caller, access, unseen.alone === undefined ? undefined : shown)
}

/** Fields with a permission of their own, which allows changing them and nothing else. */
const rights = new Map([
  ['frozen', 'update-channel-frozen'],
  ['cooldown', 'update-channel-cooldown'],
])

/** @throws ChatError NotAllowedError (17) */
function demandEach(access: Access, fields: readonly string[]) {
  if (fields.length === 0) demand(access, 'update-channel')
  for (const field of fields) demand(access, rights.get(field) ?? 'update-channel')
}

/**
 * Checked again on the channel in the write: a permitted user may have frozen it since.
 *
 * @throws ChatError NotAllowedError (17) — a field has its own permission, or the team belongs to another tenant
 */
function checkData(server: Server, caller: Caller, access: Access, data: ChannelChange) {
  const { team = access.channel.team } = data
  if (team !== access.channel.team)
    demand(accessWith(server, { ...access.channel, team }, caller.server, caller.user, access.member), 'update-channel')
  if (data.config_overrides !== undefined) checkOverrides(caller, data.config_overrides)
  if (data.frozen !== undefined && (data.frozen ? 1 : 0) !== access.channel.frozen)
    demand(access, 'update-channel-frozen')
  if (data.cooldown !== undefined && data.cooldown !== access.channel.cooldown)
    demand(access, 'update-channel-cooldown')
}

/** The value of a built-in field after it is cleared. */
const emptyFields = {
  name: null,
  image: null,
  team: null,
  frozen: false,
  disabled: false,
  cooldown: 0,
  auto_translation_enabled: false,
  auto_translation_language: '',
  config_overrides: {},
  filter_tags: [],
}

const checkRequest = new Validator(ChannelChange)

/** A full replace: custom fields that are not sent are removed. */
function wholeOf(channel: ChannelRow, data: ChannelChange): Partial<ChannelRow> {
  return {
    name: data.name ?? null,
    image: data.image ?? null,
    team: data.team ?? channel.team,
    frozen: flagOf(data.frozen, channel.frozen),
    disabled: flagOf(data.disabled, channel.disabled),
    cooldown: data.cooldown ?? channel.cooldown,
    overrides_json: data.config_overrides ? overridesOf(data.config_overrides) : channel.overrides_json,
    data: withTags(JSON.stringify(customOf(data, channelFields)), data.filter_tags ?? tagsOf(channel)),
    auto_translation_enabled: flagOf(data.auto_translation_enabled, channel.auto_translation_enabled),
    auto_translation_language: (data.auto_translation_language ?? channel.auto_translation_language) || null,
  }
}

function flagOf(wanted: boolean | undefined, was: 0 | 1): 0 | 1 {
  return wanted === undefined ? was : wanted ? 1 : 0
}

function partOf(
  channel: ChannelRow,
  { set, unset }: { set: Record<string, unknown>; unset: string[] },
): Partial<ChannelRow> {
  const change: Partial<ChannelRow> = {}
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  if ('name' in set) change.name = text(set.name)
  if ('image' in set) change.image = text(set.image)
  if ('team' in set) change.team = text(set.team)
  if ('frozen' in set) change.frozen = set.frozen ? 1 : 0
  if ('disabled' in set) change.disabled = set.disabled ? 1 : 0
  if ('cooldown' in set) change.cooldown = Number(set.cooldown)
  if ('auto_translation_enabled' in set) change.auto_translation_enabled = set.auto_translation_enabled ? 1 : 0
  if ('auto_translation_language' in set) change.auto_translation_language = text(set.auto_translation_language) || null
  if ('config_overrides' in set) change.overrides_json = overridesOf(set.config_overrides as ConfigOverrides)
  const isCustom = (path: string) => !channelFields.has(path.split('.')[0]!)
  const custom = patched(JSON.parse(channel.data), {
    set: Object.fromEntries(Object.entries(set).filter(([path]) => isCustom(path))),
    unset: unset.filter(isCustom),
  })
  const tags = 'filter_tags' in set ? (set.filter_tags as string[]) : tagsOf(channel)
  return { ...change, data: withTags(JSON.stringify(custom), tags) }
}

async function announceUpdate(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  caller: Caller,
  was: ChannelRow,
  message?: Message,
) {
  const at = batch.nextTime(channel)
  channel.updated_at = at
  await setChannelData(batch.db, channel)
  batch.changedChannels.add(`${channel.app}|${channel.cid}`)
  const userSummaries = await userSummariesOf(server, channel.app, [
    ...usersOfChannel(channel),
    ...(caller.user ? [caller.user.id] : []),
  ])
  batch.publish(channel, 'channel.updated', {
    at,
    watchers: channelEvent(channel, 'channel.updated', at, {
      channel: channelWire(server, channel, userSummaries),
      ...(caller.user && { user: userSummaries.of(caller.user.id) }),
      ...(message && { message, message_id: message.id }),
    }),
  })
  if (channel.frozen !== was.frozen) {
    const type = channel.frozen ? 'channel.frozen' : 'channel.unfrozen'
    batch.publishOutbound(channel.app, () => channelEvent(channel, type, at, {}))
  }
  batch.earlierChannels.push(was)
}

/** @param shown  the channel as only the caller sees it */
async function answer(
  server: Server,
  caller: Caller,
  { channel: { app, cid } }: Access,
  shown: ChannelRow | undefined,
): Promise<UpdateAnswer> {
  const channel = shown ?? (await channelByCid(server.database.read, app, cid))!
  const rows = await membersOfChannels(server, app, [cid], { limit: 100, offset: 0 })
  const userSummaries = await userSummariesOf(server, app, [
    ...usersOfChannel(channel),
    ...rows.map((row) => row.user_id),
  ])
  const { member, can } = await accessTo(server, caller, channel)
  const seesShadows = can('ban-channel-member')
  const mute = caller.user && (await mutedChannels(server, app, caller.user.id)).get(cid)
  return {
    channel: ownChannel(server, channel, caller, { member, mute }, userSummaries),
    members: rows.map((row) => memberWire(row, userSummaries.of(row.user_id), channel.created_by, seesShadows)),
  }
}

/** `hide_history_before` wins over `hide_history`. */
function hideBeforeOf(server: Server, request: Static<typeof UpdateChannelRequest>): HideBefore {
  if (request.hide_history_before === undefined) return request.hide_history ? 'joining' : null
  const at = microsOf(request.hide_history_before)
  if (at === undefined || at > server.clock.micros())
    throw inputError('hide_history_before', 'hide_history_before must be a past time')
  return at
}
