import { createHash } from 'node:crypto'
import type { ChannelTemplate } from '@parley/protocol/campaigns'
import type { ChannelRequest } from '@parley/protocol/channels'
import { cidOf, isChannelId, isCid } from '@parley/protocol/cid'
import type { Caller } from '../../chat/api/caller.ts'
import { type Access, accessAmong } from '../../chat/channels/channel-access.ts'
import { channelWire, usersOfChannel } from '../../chat/channels/channel-wire.ts'
import { getOrCreateChannel, idMadeFrom } from '../../chat/channels/get-or-create.ts'
import { addMembers } from '../../chat/members/change-members.ts'
import { hideChannel, showChannel } from '../../chat/members/hide-channel.ts'
import { membersNamed } from '../../chat/members/members-of-channels.ts'
import { updateMemberPartial } from '../../chat/members/update-member.ts'
import { sendMessage } from '../../chat/messages/send-message.ts'
import { storedAmong } from '../../chat/messages/stored-among.ts'
import { MEMBER } from '../../chat/permissions/assign-role.ts'
import { type UserSummaries, userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { CampaignRow, CampaignTargetRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { type Plan, planOf } from './campaign-content.ts'
import { markMade } from './campaign-store.ts'
import { Filling } from './fill-template.ts'

/** One target: the channel its message goes to, and the message's id. */
interface Place {
  row: CampaignTargetRow
  /** Undefined for a target channel. */
  receiver: UserRow | undefined
  cid: string
  /** Of the channel to be created; undefined for a channel made from its members. */
  channelId: string | undefined
  messageId: string
  access?: Access
}

/** The result of a page. */
export interface Delivered {
  row: CampaignTargetRow
  /** Users who got the message. */
  users: number
}

/**
 * Sends a page of a campaign: each target gets its own message through the usual send path. Targets that are gone or
 * cannot receive it are skipped.
 *
 * A message's id is derived from campaign and target, so repeating a page whose progress was not saved sends
 * nothing twice. The number of queries for users, channels, members and messages does not grow with the page.
 */
export async function sendPage(
  server: Server,
  campaign: CampaignRow,
  sender: UserRow,
  rows: readonly CampaignTargetRow[],
): Promise<Delivered[]> {
  const { app } = campaign
  const plan = planOf(campaign)
  const caller: Caller = { app: server.apps.of(app), server: true, user: sender, connectionId: undefined }
  const receivers = await server.users.getAll(
    app,
    rows.flatMap(({ target_id }) => (isCid(target_id) ? [] : target_id)),
  )
  const userSummaries = await userSummariesOf(server, app, [sender.id, ...receivers.keys()])
  const places = rows.flatMap((row) => placeOf(plan, campaign, sender, receivers, userSummaries, row) ?? [])
  const there = await accessAmong(
    server,
    caller,
    places.map(({ cid }) => cid),
  )
  for (const place of places) {
    const access = there.get(place.cid)
    if (access) place.access = access
  }
  if (plan.create_channels) await makeChannels(server, caller, plan, userSummaries, places)
  const reached = places.filter((place) => place.access) as (Place & { access: Access })[]
  await addSender(server, caller, plan, reached)
  if (plan.show_channels) await showToReceivers(server, app, reached)
  const stored = await storedAmong(
    server,
    app,
    reached.map(({ messageId }) => messageId),
  )
  const channelUserSummaries = await userSummariesOf(
    server,
    app,
    reached.flatMap(({ access }) => usersOfChannel(access.channel)),
  )
  const sent = new Map<CampaignTargetRow, string>()
  await settled(reached, async (place) => {
    const { messageId, row } = place
    if (
      stored.has(messageId) ||
      (await say(server, campaign, plan, sender, place, userSummaries, channelUserSummaries))
    )
      sent.set(row, messageId)
  })
  // Another node may have sent some of them concurrently.
  const others = reached.filter(({ row }) => !sent.has(row)).map(({ messageId }) => messageId)
  if (others.length > 0)
    for (const id of await storedAmong(server, app, others))
      sent.set(reached.find(({ messageId }) => messageId === id)!.row, id)
  await settled(reached, async ({ access, row }) => {
    if (row.made && access.member) await putAway(server, caller, plan, access, sender)
  })
  const accesses = new Map(reached.map(({ row, access }) => [row, access]))
  return rows.map((row) => {
    const message_id = sent.get(row) ?? null
    return {
      row: { ...row, message_id },
      users: message_id === null ? 0 : isCid(row.target_id) ? membersBut(accesses.get(row)!) : 1,
    }
  })
}

/**
 * The destination for a target; undefined for a deleted user, or if the channel cannot have the id for this user.
 */
function placeOf(
  { channel_template: template }: Plan,
  campaign: CampaignRow,
  sender: UserRow,
  receivers: ReadonlyMap<string, UserRow>,
  userSummaries: UserSummaries,
  row: CampaignTargetRow,
): Place | undefined {
  const messageId = idOf(campaign, row.target_id)
  if (isCid(row.target_id)) return { row, receiver: undefined, cid: row.target_id, channelId: undefined, messageId }
  const receiver = receivers.get(row.target_id)
  if (!receiver || receiver.deleted_at !== null || receiver.deactivated_at !== null) return undefined
  const type = template?.type ?? 'messaging'
  if (template?.id === undefined) {
    const id = idMadeFrom(type, [receiver.id, sender.id, ...extraMembers(template)])
    return { row, receiver, cid: cidOf(type, id), channelId: undefined, messageId }
  }
  const filling = new Filling({ sender: userSummaries.of(sender.id), receiver: userSummaries.of(receiver.id) })
  const channelId = filling.text(template.id)
  return isChannelId(channelId) ? { row, receiver, cid: cidOf(type, channelId), channelId, messageId } : undefined
}

/** Does not reveal the campaign, and receivers of another one cannot guess it. */
function idOf({ key }: CampaignRow, targetId: string): string {
  return `campaign-${createHash('sha256').update(`${key}|${targetId}`).digest('base64url')}`
}

function extraMembers(template: ChannelTemplate | undefined): string[] {
  const { members = [], members_template = [] } = template ?? {}
  return [...members, ...members_template.map(({ user_id }) => user_id)]
}

/** Creates the missing channels, each once; the same write records that they were made. */
async function makeChannels(
  server: Server,
  caller: Caller,
  plan: Plan,
  userSummaries: UserSummaries,
  places: readonly Place[],
): Promise<void> {
  const { type } = plan.channel_template!
  const missing = Map.groupBy(
    places.filter(({ access, receiver }) => !access && receiver),
    ({ cid }) => cid,
  )
  await settled([...missing.values()], async (sharing) => {
    const [{ row, receiver, channelId }] = sharing as [Place, ...Place[]]
    const data = channelFor(plan, caller.user!, receiver!, userSummaries)
    const { access, created } = await getOrCreateChannel(server, caller, type, channelId, data, (batch) =>
      markMade(batch.db, row),
    )
    if (created) row.made = 1
    for (const place of sharing) place.access = access
  })
}

function channelFor(
  { channel_template, sender_mode }: Plan,
  sender: UserRow,
  receiver: UserRow,
  userSummaries: UserSummaries,
): ChannelRequest {
  const { team, custom = {}, members = [], members_template = [] } = channel_template!
  const filling = new Filling({ sender: userSummaries.of(sender.id), receiver: userSummaries.of(receiver.id) })
  return {
    ...filling.value(custom),
    ...(team !== undefined && { team }),
    created_by_id: sender.id,
    members: [
      receiver.id,
      ...(sender_mode === 'exclude' ? [] : [sender.id]),
      ...members,
      ...members_template.map(({ custom, user_id, channel_role }) => ({
        ...custom,
        user_id,
        ...(channel_role !== undefined && { channel_role }),
      })),
    ],
  }
}

/** Where the sender must be a member, adds the sender to the channels they are not in. */
async function addSender(
  server: Server,
  caller: Caller,
  { sender_mode }: Plan,
  reached: readonly (Place & { access: Access })[],
): Promise<void> {
  if (sender_mode !== 'include') return
  const app = caller.app.id
  const sender = { userId: caller.user!.id, channelRole: MEMBER, data: '{}' }
  const without = reached.filter(({ access }) => !access.member && access.channel.distinct_members === null)
  const cids = [...new Set(without.map(({ cid }) => cid))]
  if (cids.length === 0) return
  await settled(cids, (cid) =>
    server.commit.write(app, [cid], async (batch) => {
      const channel = batch.channel(app, cid)
      if (channel) await addMembers(server, batch, channel, [sender], undefined, null)
    }),
  )
  const joined = await accessAmong(server, caller, cids)
  for (const place of without) place.access = joined.get(place.cid) ?? place.access
}

/** Receivers who hid their channel see it again. */
async function showToReceivers(server: Server, app: string, reached: readonly (Place & { access: Access })[]) {
  const byReceiver = new Map(reached.flatMap((place) => (place.receiver ? [[place.receiver.id, place] as const] : [])))
  const members = await membersNamed(
    server,
    app,
    [...byReceiver].map(([user_id, { cid }]) => ({ cid, user_id })),
  )
  await settled(
    members.filter(({ hidden }) => hidden),
    async ({ user_id }) => {
      const { access, receiver } = byReceiver.get(user_id)!
      await showChannel(server, access, receiver!)
    },
  )
}

/** Posts the message of one target; false if it was not posted. */
async function say(
  server: Server,
  { id: campaign_id }: CampaignRow,
  { message_template, skip_push, show_channels }: Plan,
  sender: UserRow,
  { access, receiver, messageId }: Place & { access: Access },
  userSummaries: UserSummaries,
  channelUserSummaries: UserSummaries,
): Promise<boolean> {
  const { text, attachments, custom = {}, poll_id } = message_template
  const filling = new Filling({
    sender: userSummaries.of(sender.id),
    ...(receiver && { receiver: userSummaries.of(receiver.id) }),
    channel: channelWire(server, access.channel, channelUserSummaries),
  })
  const message = await sendMessage(
    server,
    access,
    sender,
    {
      ...filling.value(custom),
      campaign_id,
      id: messageId,
      text: filling.text(text),
      ...(attachments && { attachments: filling.value(attachments) }),
      ...(poll_id !== undefined && { poll_id }),
    },
    // A target channel is shown to all its members; else only the receiver matters, who sees it already.
    { fromServer: true, isNoCommand: true, skipPush: skip_push, keepHidden: !(show_channels && !receiver) },
  )
  return message.type !== 'error'
}

/** Hides a channel made for a receiver from the sender's list. */
async function putAway(server: Server, caller: Caller, { sender_visibility }: Plan, access: Access, sender: UserRow) {
  if (sender_visibility === 'hidden') await hideChannel(server, access, sender, { clearHistory: false })
  if (sender_visibility === 'archived')
    await updateMemberPartial(server, caller, access, sender.id, { set: { archived: true } })
}

function membersBut({ channel, member }: Access): number {
  return Math.max(0, channel.member_count - (member ? 1 : 0))
}

/** Runs for all items at once; an item that the rules forbid is skipped. */
async function settled<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(run))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !(outcome.reason instanceof ChatError)) throw outcome.reason
}
