import { createHash } from 'node:crypto'
import type { ChannelRequest } from '@parley/protocol/channels'
import { cidOf } from '@parley/protocol/cid'
import { CHANNEL_ID_CHARS } from '@parley/protocol/limits'
import Type from 'typebox'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, UserRow } from '../../platform/database/tables.ts'
import { Validator } from '../../platform/http/validate.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { type App, factsOf } from '../apps/app.ts'
import { checkNotBanned } from '../bans/banned.ts'
import { addMembers, idOfMember, newMembers } from '../members/change-members.ts'
import { inviteMembers, joiningAndInvited } from '../members/invites.ts'
import { publishToMuters } from '../mutes/mute.ts'
import { type Assigner, refusedIn } from '../permissions/assign-role.ts'
import { notGranted } from '../permissions/demand-in-app.ts'
import { withoutBlockers } from '../users/blocked.ts'
import { describedUsers } from '../users/upsert-users.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { type Access, accessTo, checkCid, demand } from './channel-access.ts'
import { channelByCid, channelByMembers, insertChannel, setChannelData } from './channel-store.ts'
import { channelEvent, channelWire, usersOfChannel } from './channel-wire.ts'
import { checkOverrides, overridesOf } from './config-overrides.ts'
import { empty } from './delete-channel.ts'
import { withTags } from './filter-tags.ts'
import { holdTypes } from './hold-types.ts'

/** The error for adding members to a channel created from its members. */
export const notInDistinct = 'cannot add/invite members to the distinct channel'

/** Channel fields that are not custom data; read-only ones sent by clients are ignored [CHN-37]. */
export const channelFields: ReadonlySet<string> = new Set(
  `id type cid created_at updated_at frozen disabled created_by created_by_id config config_overrides own_capabilities
   team hidden hide_messages_before muted mute_expires_at blocked cooldown truncated_at truncated_by deleted_at
   filter_tags auto_translation_enabled auto_translation_language members member_count message_count last_message_at
   name image invites membership watcher_count`.split(/\s+/),
)

/**
 * The channel with that type and id, or the channel of exactly these members; created when it is missing [CHN-12,
 * CHN-57]. `data` is used only on creation.
 *
 * @param alongside  runs in the transaction that creates it
 * @returns the caller's access to it, and whether it was created
 */
export async function getOrCreateChannel(
  server: Server,
  caller: Caller,
  type: string,
  id: string | undefined,
  data: ChannelRequest,
  alongside?: (batch: Batch) => Promise<void>,
): Promise<{ access: Access; created: boolean }> {
  checkCid(caller.app, type, id)
  const app = caller.app.id
  const memberIds = [...new Set((data.members ?? []).map(idOfMember))].sort()
  if (id === undefined && memberIds.length === 0)
    throw inputError('data.members', 'a channel without an id needs at least one member')
  const distinct = id === undefined ? hashOf(memberIds.join()) : null

  const known =
    id === undefined
      ? await channelByMembers(server.database.read, app, type, hashOf(memberIds.join()))
      : await server.channels.get(app, cidOf(type, id))
  if (known && known.deleted_at === null) {
    const access = await accessTo(server, caller, known)
    demand(access, 'read-channel')
    return { access, created: false }
  }

  const by = makerOf(caller, type, data.team ?? null)
  const named = await newMembers(server, caller, by, data.members ?? [], 'members')
  // A channel created from its members keeps them all: one left out could never be added later.
  const members = distinct === null ? await withoutBlockers(server, caller, named) : named
  if (distinct !== null && data.invites?.length) throw inputError('data.invites', notInDistinct)
  const asked = await withoutBlockers(
    server,
    caller,
    await newMembers(server, caller, by, data.invites ?? [], 'invites'),
  )
  const creator = await creatorOf(server, caller, data)
  // A creator among the members has nobody's invitation to wait for.
  const isOwn = (id: string) => id === creator.id && memberIds.includes(id)
  const { joining, invited } = joiningAndInvited(
    members,
    asked.filter(({ userId }) => !isOwn(userId)),
  )
  if (data.config_overrides) checkOverrides(caller, data.config_overrides)
  if (!caller.server) checkNotBanned(creator)
  if (!caller.server) {
    const may = makerIn(caller.app, creator, type, known, data.team ?? null)
    const wanted = [
      known ? 'recreate-channel' : 'create-channel',
      ...(data.frozen ? ['update-channel-frozen'] : []),
      ...(data.cooldown ? ['update-channel-cooldown'] : []),
    ]
    for (const permission of wanted) if (!may(permission)) throw notGranted(creator, permission, type)
    if (distinct !== null && !memberIds.includes(creator.id) && !may('create-distinct-channel-for-others'))
      throw new ChatError('NotAllowedError', `User '${creator.id}' can't make a channel of others without being in it`)
  }
  // Created again by id, it would lose the members that identify it.
  if (id !== undefined && (!known || known.distinct_members !== null)) checkNewId(id)

  const channelId = known?.id ?? id ?? distinctId(type, memberIds)
  const cid = cidOf(type, channelId)
  const created = await server.commit.write(app, [cid], async (batch) => {
    const now = batch.channel(app, cid) ?? (await channelByCid(batch.db, app, cid))
    if (now && now.deleted_at === null) return false
    await holdTypes(batch, caller.app, [type])
    const at = now ? batch.nextTime(now) : batch.now()
    const fresh = newRow(app, type, channelId, creator, data, distinct, at)
    if (now) {
      // Messages from before the deletion stay invisible [CHN-56].
      await empty(batch, now)
      Object.assign(now, fresh, { seq: now.seq, counted: now.counted, truncated_at: at })
      await setChannelData(batch.db, now)
      batch.touch(now)
      await publishToMuters(server, batch, app, { cid })
    } else {
      await insertChannel(batch.db, fresh)
      batch.created(fresh)
    }
    const channel = now ?? fresh
    await addMembers(server, batch, channel, joining, creator, null)
    if (invited.length > 0) await inviteMembers(server, batch, channel, invited, creator)
    batch.changedChannels.add(`${app}|${cid}`)
    if (batch.hasOutboundSubscribers(app)) {
      const userSummaries = await userSummariesOf(server, app, usersOfChannel(channel))
      const about = { channel: channelWire(server, channel, userSummaries), user: userSummaries.of(creator.id) }
      batch.publishOutbound(app, channelEvent(channel, 'channel.created', at, about))
    }
    await alongside?.(batch)
    return true
  })
  const channel = await server.channels.get(app, cid)
  if (!channel) throw new Error(`Channel ${cid} was made and is not there.`)
  const access = await accessTo(server, caller, channel)
  // Another request created it at the same moment, and the caller may not be able to read it.
  if (!created) demand(access, 'read-channel')
  return { access, created }
}

/** The id of the channel of a type created from exactly these members; undefined when there is none. */
export async function idOfDistinct(server: Server, app: string, type: string, memberIds: readonly string[]) {
  const members = [...new Set(memberIds)].sort().join()
  return (await channelByMembers(server.database.read, app, type, hashOf(members)))?.id
}

/** The id of the channel of exactly these members, and its lookup key. */
export function distinctNames(type: string, memberIds: readonly string[]): { id: string; hash: string } {
  const members = [...new Set(memberIds)].sort()
  return { id: distinctId(type, members), hash: hashOf(members.join()) }
}

/** The id of a channel created from exactly these members, whether it exists or not. */
export function idMadeFrom(type: string, memberIds: readonly string[]): string {
  return distinctId(type, [...new Set(memberIds)].sort())
}

/** 43 characters of a hash, independent of the order of the members [messaging.md 4.1]. */
function distinctId(type: string, memberIds: readonly string[]): string {
  return `!members-${hashOf(`${type}:${memberIds.join()}`)}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function checkNewId(id: string) {
  if (id.length > CHANNEL_ID_CHARS) throw inputError('id', `a channel id has at most ${CHANNEL_ID_CHARS} characters`)
  if (id.startsWith('!members-')) throw inputError('id', 'channel ids that start with !members- are reserved')
}

/** The creator of a channel as the user who assigns roles in it: the creator becomes its owner. */
function makerOf({ app, server, user }: Caller, type: string, team: string | null): Assigner {
  const may = user && makerIn(app, user, type, { created_by: user.id }, team)
  return { app, isServer: server, can: (permission) => may?.(permission) === true, refusal: refusedIn(user, type) }
}

/** The caller's rights on a missing or deleted channel. */
function makerIn(
  app: App,
  user: UserRow,
  type: string,
  gone: Pick<ChannelRow, 'created_by'> | undefined,
  team: string | null,
) {
  const scope = app.types.get(type)!.scope
  const circumstances = {
    owns: gone !== undefined && gone.created_by === user.id,
    sameTeam: app.sharesTeam(user, team),
    facts: () => ({ subject: factsOf(user), resource: { type, team } }),
  }
  return (permission: string) =>
    app.settings.disable_permissions_checks || scope.allows([app.roleIn(user, team)], permission, circumstances)
}

const created_by = Type.Optional(Type.Object({ id: Type.String() }))
const checkCreator = new Validator(
  Type.Object({ data: Type.Object({ created_by_id: Type.Optional(Type.String()), created_by }) }),
)

/**
 * The creator of a channel; the app's server may send a user object.
 *
 * @throws ChatError InputError (4) — a server-side call without a creator
 */
async function creatorOf(server: Server, caller: Caller, data: ChannelRequest): Promise<UserRow> {
  if (!caller.server) return caller.user!
  checkCreator.checkSent({ data })
  const { created_by } = data
  const id = data.created_by_id ?? created_by?.id ?? caller.user?.id
  if (created_by && created_by.id === id) await describedUsers(server, caller.app.id, [created_by])
  const creator = id === undefined ? undefined : await server.users.get(caller.app.id, id)
  if (id !== undefined && !creator) throw inputError('data.created_by_id', `could not find user ${id}`)
  if (!creator)
    throw inputError(
      'data.created_by_id',
      'either data.created_by or data.created_by_id must be provided when using server side auth.',
    )
  return creator
}

function newRow(
  app: string,
  type: string,
  id: string,
  creator: UserRow,
  data: ChannelRequest,
  distinct: string | null,
  at: number,
): ChannelRow {
  return {
    ...emptyChannel(app, type, id, distinct, at),
    created_by: creator.id,
    team: data.team ?? null,
    name: data.name ?? null,
    image: data.image ?? null,
    frozen: data.frozen ? 1 : 0,
    disabled: data.disabled ? 1 : 0,
    cooldown: data.cooldown ?? 0,
    data: withTags(JSON.stringify(customOf(data, channelFields)), data.filter_tags ?? []),
    overrides_json: data.config_overrides ? overridesOf(data.config_overrides) : null,
    auto_translation_enabled: data.auto_translation_enabled ? 1 : 0,
    auto_translation_language: data.auto_translation_language || null,
  }
}

/** A channel without any activity. */
export function emptyChannel(app: string, type: string, id: string, distinct: string | null, at: number): ChannelRow {
  return {
    app,
    cid: cidOf(type, id),
    type,
    id,
    created_by: '',
    team: null,
    name: null,
    image: null,
    frozen: 0,
    disabled: 0,
    cooldown: 0,
    data: '{}',
    distinct_members: distinct,
    created_at: at,
    updated_at: at,
    last_message_at: null,
    activity_at: at,
    member_count: 0,
    message_count: 0,
    seq: 0,
    counted: 0,
    event_at: at,
    truncated_at: null,
    truncated_by: null,
    deleted_at: null,
    hidden_by_some: 0,
    overrides_json: null,
    auto_translation_enabled: 0,
    auto_translation_language: null,
  }
}
