import { isDeepStrictEqual } from 'node:util'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Connection } from '../../platform/realtime/connection.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { capabilitiesOf } from '../permissions/capabilities.ts'
import { cachedUserSummaries } from '../users/user-summaries.ts'
import { type Access, accessWith } from './channel-access.ts'
import { channelEvent, channelWire, usersOfChannel } from './channel-wire.ts'

/** Watches processed before yielding to the event loop: a rule change may affect very many. */
const AT_ONCE = 200

/**
 * After an app's rules changed: publishes capabilities to the watchers on this node whose capabilities changed [CHN-49,
 * administration.md 3.8].
 */
export async function publishChangedCapabilities(server: Server, before: App, after: App): Promise<void> {
  if (sameRights(before, after)) return
  const then: Server = { ...server, apps: Object.assign(Object.create(server.apps), { of: () => before }) }
  const at = server.clock.micros()
  let looked = 0
  for (const connection of [...server.hub.connections.values()]) {
    if (connection.app !== after.id || connection.anonymous) continue
    const user = await server.users.get(after.id, connection.userId)
    for (const cid of [...connection.watching]) {
      const channel = user && (await server.channels.get(after.id, cid))
      if (!channel || channel.deleted_at !== null) continue
      const member = await server.channels.member(after.id, cid, connection.userId)
      const under = (rules: Server) => accessWith(rules, channel, false, user as UserRow, member)
      const access = under(server)
      const now = capabilitiesOf(access)
      if (!isDeepStrictEqual(capabilitiesOf(under(then)), now))
        server.hub.send([connection], after.id, capabilitiesEvent(server, channel, at, now))
      letGo(server, connection, access)
      if (++looked % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Publishes a user's new capabilities to the user's connections on this node, for each watched channel [CHN-49]. */
export async function publishCapabilitiesOf(server: Server, user: UserRow): Promise<void> {
  const { app, id } = user
  const at = server.clock.micros()
  for (const connection of [...(server.hub.user(app, id)?.connections ?? [])])
    for (const cid of [...connection.watching]) {
      const channel = await server.channels.get(app, cid)
      if (!channel || channel.deleted_at !== null) continue
      const member = await server.channels.member(app, cid, id)
      const access = accessWith(server, channel, false, user, member)
      server.hub.send([connection], app, capabilitiesEvent(server, channel, at, capabilitiesOf(access)))
      letGo(server, connection, access)
    }
}

/** Publishes capabilities to a channel's watchers on this node where they changed [CHN-49]. */
export async function publishCapabilitiesIn(server: Server, was: ChannelRow): Promise<void> {
  const { app, cid } = was
  const watching = server.hub.watchersHere(app, cid).filter((connection) => !connection.anonymous)
  const channel = watching.length > 0 && (await server.channels.get(app, cid))
  if (!channel || channel.deleted_at !== null) return
  const ids = new Set(watching.map((connection) => connection.userId))
  const places = [...ids].map((user_id) => ({ cid, user_id }))
  const [users, rows] = await Promise.all([
    server.users.getAll(app, [...ids, ...usersOfChannel(channel)]),
    server.channels.membersAt(app, places),
  ])
  const members = new Map(rows.map((member) => [member.user_id, member]))
  const told: { connection: Connection; now: string }[] = []
  let looked = 0
  for (const connection of watching) {
    const user = users.get(connection.userId)
    const under = (state: ChannelRow) =>
      JSON.stringify(capabilitiesOf(accessWith(server, state, false, user, members.get(connection.userId))))
    const now = under(channel)
    if (user && under(was) !== now) told.push({ connection, now })
    if (++looked % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const [now, alike] of Map.groupBy(told, ({ now }) => now)) {
    const connections = alike.map(({ connection }) => connection)
    server.hub.send(connections, app, capabilitiesEvent(server, channel, channel.updated_at, JSON.parse(now)))
  }
  for (const connection of watching) {
    const user = users.get(connection.userId)
    letGo(server, connection, accessWith(server, channel, false, user, members.get(connection.userId)))
  }
}

/** A user who can no longer read a channel receives none of its events, member or not. */
function letGo({ hub }: Server, connection: Connection, { can, channel }: Access) {
  if (!can('read-channel')) hub.unwatch(connection, channel.cid)
}

/** Publishes capabilities to a user who watches the channel, where a membership change changed them. */
export function announceCapabilities(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  user: UserRow,
  { before, after }: { before: MemberRow | undefined; after: MemberRow | undefined },
) {
  const under = (member: MemberRow | undefined) => capabilitiesOf(accessWith(server, channel, false, user, member))
  const now = under(after)
  if (isDeepStrictEqual(now, under(before))) return
  const { app, cid } = channel
  const at = batch.nextTime(channel)
  const watchers = capabilitiesEvent(server, channel, at, now)
  batch.publications.push({ app, cid, seq: 0, at, watchers, only: [user.id] })
}

/** The user's new capabilities in the channel, with the channel in its public form. */
function capabilitiesEvent(server: Server, channel: ChannelRow, at: Micros, own: readonly string[]): string {
  return channelEvent(channel, 'capabilities.changed', at, {
    own_capabilities: own,
    channel: channelWire(server, channel, cachedUserSummaries(server, channel.app)),
  })
}

/** Whether no input of the capabilities changed. */
export function sameRights(before: App, after: App): boolean {
  const facts = (app: App) =>
    JSON.stringify([
      app.stored,
      [...app.permissions.values()],
      [...app.types.values()].map(({ name, stored }) => [name, stored]),
    ])
  return facts(before) === facts(after)
}
