/** The one place where everything is wired, by hand. */
import { randomUUID } from 'node:crypto'
import { type AddressInfo, isIPv6 } from 'node:net'
import { SYNC_DAYS } from '@parley/protocol/limits'
import pino from 'pino'
import { AppCache } from './apps/app-cache.ts'
import { appEndpoints } from './apps/app-endpoints.ts'
import { foundApp } from './apps/found-app.ts'
import { dropOldAppFiles } from './attachments/app-files.ts'
import { attachmentEndpoints } from './attachments/attachment-endpoints.ts'
import { openFiles } from './attachments/files.ts'
import { LinkPreviews } from './attachments/link-previews.ts'
import { blockListEndpoints } from './block-lists/block-list-endpoints.ts'
import { callEndpoints } from './calls/call-endpoints.ts'
import { campaignEndpoints } from './campaigns/campaign-endpoints.ts'
import { campaignStart, campaignStop } from './campaigns/campaign-life.ts'
import { countingReads, countReads } from './campaigns/count-reads.ts'
import { erasingRun } from './campaigns/erase-run.ts'
import { sendingCampaign } from './campaigns/send-campaign.ts'
import { updatingChannels } from './channels/batch-update.ts'
import { ChannelCache } from './channels/channel-cache.ts'
import { channelEndpoints } from './channels/channel-endpoints.ts'
import { channelsByCids } from './channels/channel-store.ts'
import { channelTypeEndpoints } from './channels/channel-type-endpoints.ts'
import { deletingChannels } from './channels/delete-channel.ts'
import { forgetOldMessages } from './channels/forget-old-messages.ts'
import { tellCapabilitiesIn, tellCapabilitiesOf, tellChangedCapabilities } from './channels/tell-capabilities.ts'
import { Watching } from './channels/watching.ts'
import { type Clock, every, systemClock } from './clock.ts'
import { commandEndpoints } from './commands/command-endpoints.ts'
import { CommandHandlers } from './commands/command-handlers.ts'
import { deleteEphemeralsBefore } from './commands/ephemeral-store.ts'
import { openDatabase } from './database/database.ts'
import type { Batch, EndedUser } from './database/batch.ts'
import { GroupCommit } from './database/group-commit.ts'
import type { ChannelRow, UserRow } from './database/tables.ts'
import { deviceEndpoints } from './devices/device-endpoints.ts'
import { draftEndpoints } from './drafts/draft-endpoints.ts'
import { Due, type DueKind } from './due/due.ts'
import { exportingChannels } from './exports/export-channels.ts'
import { exportEndpoints } from './exports/export-endpoints.ts'
import { exportingUsers } from './exports/export-users.ts'
import { BuiltInGifs } from './gifs/built-in-gifs.ts'
import { serveGifs } from './gifs/gif-files.ts'
import type { Gifs } from './gifs/gifs.ts'
import { Giphy } from './gifs/giphy.ts'
import { leaveForHooks } from './hooks/leave-for-hooks.ts'
import { tellingHook } from './hooks/tell-hook.ts'
import { openDoor } from './http/door.ts'
import { Metrics } from './http/metrics.ts'
import { rateLimitEndpoints } from './http/rate-limit-endpoints.ts'
import { RateLimits } from './http/rate-limits.ts'
import { Tokens } from './http/tokens.ts'
import { TrustedProxies } from './http/trusted-proxies.ts'
import { importEndpoints } from './imports/import-endpoints.ts'
import { forgettingImport, importing } from './imports/run-import.ts'
import { locationEnd } from './locations/live-locations.ts'
import { locationEndpoints } from './locations/location-endpoints.ts'
import { memberEndpoints } from './members/member-endpoints.ts'
import { membersAt } from './members/member-store.ts'
import { erasingMessages } from './messages/erase-messages.ts'
import { KeptPages } from './messages/kept-pages.ts'
import { messageEndpoints } from './messages/message-endpoints.ts'
import { deletingMessages } from './messages/messages-of-user.ts'
import { pendingEnd } from './messages/pending-messages.ts'
import { pinEnd } from './messages/pin-end.ts'
import { Addresses, forgetPlaces } from './moderation/addresses.ts'
import { lapseBans } from './moderation/ban.ts'
import { moderationEndpoints } from './moderation/moderation-endpoints.ts'
import { quietOf } from './moderation/muted-unread.ts'
import { Patience } from './outside/patience.ts'
import { permissionEndpoints } from './permissions/permission-endpoints.ts'
import { roleEndpoints } from './permissions/role-endpoints.ts'
import { pollEndpoints } from './polls/poll-endpoints.ts'
import { leaveForPhones } from './push/leave-for-phones.ts'
import { pushEndpoints } from './push/push-endpoints.ts'
import { PushServices } from './push/push-services.ts'
import { tellingPhones } from './push/tell-phones.ts'
import { deletingReactions } from './reactions/drop-reactions.ts'
import { reactionEndpoints } from './reactions/reaction-endpoints.ts'
import { standAnew, standingsOf } from './reads/counting.ts'
import { readEndpoints } from './reads/read-endpoints.ts'
import { beginReminding, remindOfUnread } from './reads/remind-of-unread.ts'
import { connectNats } from './realtime/bus.ts'
import { CatchingUp } from './realtime/catching-up.ts'
import { Outbox } from './realtime/connection.ts'
import { Gateway } from './realtime/gateway.ts'
import { Hub, type Newest } from './realtime/hub.ts'
import { LiveConnections } from './realtime/live-connections.ts'
import { longPollEndpoints } from './realtime/long-poll-endpoints.ts'
import { NumberedMail } from './realtime/numbered-mail.ts'
import { Presence } from './realtime/presence.ts'
import { remind } from './reminders/remind.ts'
import { reminderEndpoints } from './reminders/reminder-endpoints.ts'
import { forgetBounces } from './review/forget-items.ts'
import { Pace } from './review/pace.ts'
import { reviewEndpoints } from './review/review-endpoints.ts'
import { indexEarlierMessages } from './search/index-earlier-messages.ts'
import { searchEndpoints } from './search/search-endpoints.ts'
import { countingSegment } from './segments/count-segment.ts'
import { erasingTargets } from './segments/delete-segment.ts'
import { segmentEndpoints } from './segments/segment-endpoints.ts'
import type { Server } from './server.ts'
import type { Settings } from './settings.ts'
import { dropEventsBefore } from './sync/event-store.ts'
import { missedEvents } from './sync/missed-events.ts'
import { syncEndpoints } from './sync/sync-endpoints.ts'
import { taskEndpoints } from './tasks/task-endpoints.ts'
import { type TaskKind, Tasks } from './tasks/tasks.ts'
import { threadEndpoints } from './threads/thread-endpoints.ts'
import { LibreTranslate } from './translation/translator.ts'
import { Usage } from './usage/usage.ts'
import { usageEndpoints } from './usage/usage-endpoints.ts'
import { touchLastActive } from './users/last-active.ts'
import { tellOfUser } from './users/own-face.ts'
import { beginTimingAnswers, timeAnswers } from './users/response-times.ts'
import { UserCache } from './users/user-cache.ts'
import { userEndpoints } from './users/user-endpoints.ts'
import { userTasks } from './users/user-tasks.ts'

/** Bans that ran out are looked for this often: nobody is banned any longer than this. */
const LAPSE_MS = 1_000
/** Tasks of a node that died are taken up this soon after their claim ran out. */
const TASKS_MS = 5_000
/** What is due happens at most this much late. */
const DUE_MS = 1_000
/** What teams use is written down this often. */
const USAGE_MS = 60_000
/** What was told of channels is said again this often, as numbers: a node that missed some finds it in the log. */
const NEWEST_MS = 5_000
/** Channels in one mail of that; the bus takes no more than a megabyte. */
const NEWEST_PER_MAIL = 2_000
const HOUR_MS = 3_600_000
/** How often a server that ends looks for connections that are still there. */
const SWEEP_MS = 20
const DAY_MICROS = 86_400_000_000
/** `last_active` of a connected user is written this often [messaging.md 2.7]. */
const LAST_ACTIVE_MS = 15 * 60_000

export const endpoints = [
  ...appEndpoints,
  ...userEndpoints,
  ...deviceEndpoints,
  ...pushEndpoints,
  ...channelEndpoints,
  ...channelTypeEndpoints,
  ...callEndpoints,
  ...roleEndpoints,
  ...permissionEndpoints,
  ...memberEndpoints,
  ...messageEndpoints,
  ...reactionEndpoints,
  ...pollEndpoints,
  ...readEndpoints,
  ...threadEndpoints,
  ...draftEndpoints,
  ...reminderEndpoints,
  ...locationEndpoints,
  ...moderationEndpoints,
  ...reviewEndpoints,
  ...commandEndpoints,
  ...blockListEndpoints,
  ...attachmentEndpoints,
  ...searchEndpoints,
  ...syncEndpoints,
  ...longPollEndpoints,
  ...rateLimitEndpoints,
  ...taskEndpoints,
  ...segmentEndpoints,
  ...campaignEndpoints,
  ...exportEndpoints,
  ...importEndpoints,
  ...usageEndpoints,
]

/** What goes on after an answer. */
const taskKinds = [
  erasingMessages,
  deletingMessages,
  deletingReactions,
  deletingChannels,
  updatingChannels,
  ...userTasks,
  ...[countingSegment, erasingTargets, sendingCampaign, countingReads, erasingRun],
  tellingHook,
  exportingChannels,
  exportingUsers,
  importing,
  forgettingImport,
  tellingPhones,
] as unknown as TaskKind[]

/** What happens at a set time. */
const dueKinds: DueKind[] = [
  pendingEnd,
  pinEnd,
  remind,
  remindOfUnread,
  locationEnd,
  campaignStart,
  campaignStop,
  countReads,
  timeAnswers,
]

/** A server that listens. */
export interface RunningServer {
  url: string
  server: Server
  /** Lets calls under way end, asks sockets to come back, and closes the database. */
  stop(): Promise<void>
}

/** Rows changed on another node: caches forget them, and followers of the users are told. */
interface Changes {
  apps: string[]
  users: string[]
  members: string[]
  channels: string[]
  addresses: string[]
  updated: { app: string; id: string; veiled: boolean; ranked: boolean }[]
  ended: EndedUser[]
  earlier: ChannelRow[]
  /** Nobody knows: all that is kept is read anew. */
  unsure: boolean
}

const nothing: Changes = {
  apps: [],
  users: [],
  members: [],
  channels: [],
  addresses: [],
  updated: [],
  ended: [],
  earlier: [],
  unsure: false,
}

export async function startServer(settings: Settings, clock: Clock = systemClock): Promise<RunningServer> {
  // Addresses of calls are not written down: a socket's carries the token.
  const log = pino({ level: settings.logLevel, base: null })
  const node = randomUUID()
  const database = await openDatabase(settings.databaseUrl)
  const failed = (error: unknown) => log.error({ err: error }, 'a background task failed')
  const files = await openFiles(settings, database, clock, () => server.publicUrl)
  // From here on others are heard, who may speak of anything: nothing is waited for until all they need is there.
  const bus = settings.busUrl === undefined ? undefined : await connectNats(settings.busUrl, failed)
  const mail =
    bus &&
    new NumberedMail(node, bus, () => {
      presence.askAll()
      catchingUp.begin()
    })
  /** What this node knows may not be so any more, and events may have passed it by. */
  const catchingUp = new CatchingUp(
    clock,
    async () => {
      users.clear()
      channels.clear()
      addresses.clear()
      await apps.reloadAll()
      await hub.catchUp()
    },
    failed,
  )
  const { read, dialect } = database
  const outbox = new Outbox()
  const users = new UserCache(read, dialect)
  const channels = new ChannelCache(read, dialect, (app, places) => membersAt(read, dialect, app, places))

  const presence: Presence = new Presence(
    clock,
    mail,
    (app, userId, online) => {
      void tellPresence(app, userId, online).catch(failed)
    },
    {
      gone(other, { dead }) {
        hub.nodeGone(other)
        void tasks.relieve(other).catch(failed)
        // What it stored last it may not have told.
        if (dead) catchingUp.begin()
      },
      back: () => catchingUp.begin(),
    },
  )
  const watching = new Watching(() => server, failed)
  const hub: Hub = new Hub(node, clock, bus, {
    standings: (app, userId, cids) => standingsOf(read, dialect, apps.of(app), userId, cids),
    quiet: (app, userId) => quietOf(read, app, userId),
    newestSeqs: async (app, cids) =>
      new Map((await channelsByCids(read, dialect, app, cids)).map((channel) => [channel.cid, channel.seq])),
    eventsAfter: (app, cid, seq) => missedEvents(server, app, cid, seq),
    watchingChanged: (app, cid, userId, on) => watching.changed(app, cid, userId, on),
    arrived(app, userId) {
      presence.arrived(app, userId)
      return touchLastActive(server, app, [userId]).catch(failed)
    },
    left: (app, userId) => presence.left(app, userId),
    counted: (app, userId, count) => presence.counted(app, userId, count),
    inWords: (app, text) => files.inWords(apps.of(app), text),
    failed,
  })

  const committed = (batch: Batch) => {
    for (const channel of batch.channels) channels.put(channel)
    const changes: Changes = {
      apps: [...batch.changedApps],
      users: [...batch.changedUsers, ...batch.seenUsers.keys()],
      members: [...batch.changedMembers],
      channels: [...batch.changedChannels],
      addresses: [...batch.changedAddresses],
      updated: batch.updatedUsers.map((user) => ({
        app: user.app,
        id: user.id,
        veiled: batch.veiledUsers.has(user),
        ranked: batch.rankedUsers.has(user),
      })),
      ended: [],
      earlier: [],
      unsure: false,
    }
    for (const key of batch.changedUsers) users.forget(key)
    for (const [key, at] of batch.seenUsers) users.seen(key, at)
    for (const key of changes.members) channels.forgetMember(key)
    for (const id of changes.addresses) addresses.forget(id)
    if (Object.values(changes).some((changed) => Array.isArray(changed) && changed.length > 0))
      mail?.send('changes', changes)
    // One message each: somebody may be in very many channels.
    for (const ended of batch.endedUsers) mail?.send('changes', { ...nothing, ended: [ended] })
    hub.publish(batch.publications)
    // One message each, as well: a row may be large.
    for (const was of batch.earlierChannels) {
      mail?.send('changes', { ...nothing, earlier: [was] })
      void tellCapabilitiesIn(server, was).catch(failed)
    }
    if (batch.hasTasks) tasks.look()
    for (const user of batch.updatedUsers)
      userChanged(user, { veiled: batch.veiledUsers.has(user), ranked: batch.rankedUsers.has(user) })
    for (const user of batch.endedUsers) userEnded(user)
  }
  const told = (batch: Batch) => {
    try {
      committed(batch)
    } catch (error) {
      // What is stored is stored: who misses an event catches up from the log.
      failed(error)
      unsure()
    }
  }
  /** Something may be stored that was not told: this node looks, and so do the others. */
  const unsure = () => {
    mail?.send('changes', { ...nothing, unsure: true })
    catchingUp.begin()
  }
  const commit = new GroupCommit(
    database,
    clock,
    { committed: told, unsure },
    {
      hears(id) {
        const { hooks, pushedEvents } = apps.of(id)
        return hooks.length > 0 || pushedEvents.size > 0
      },
      async keep(batch) {
        await leaveForHooks(server, batch)
        await leaveForPhones(server, batch)
      },
    },
  )
  const apps = new AppCache(read, (before, after) => {
    void standAnew(server.hub, before, after)
      .then(() => tellChangedCapabilities(server, before, after))
      .catch(failed)
    void beginReminding(server, after).catch(failed)
    void beginTimingAnswers(server, after).catch(failed)
  })
  const tasks: Tasks = new Tasks(() => server, taskKinds, failed, node)
  const usage = new Usage(node, () => server)
  const due = new Due(() => server, dueKinds, failed)
  const addresses = new Addresses(() => server, failed)
  const publicUrl = settings.publicUrl ?? urlAt(settings.host, settings.port)
  const limits = new RateLimits(clock, settings.rateLimits, ['Connect', ...endpoints.map(({ name }) => name)])
  const gifs = gifsOf(settings, () => server.publicUrl, clock, failed)
  const server: Server = {
    settings,
    publicUrl,
    clock,
    database,
    commit,
    hub,
    presence,
    apps,
    translator: settings.translation && new LibreTranslate(settings.translation, clock),
    users,
    channels,
    pages: new KeptPages(),
    pace: new Pace(clock),
    files,
    previews: new LinkPreviews({ settings, clock }),
    tasks,
    usage,
    tokens: new Tokens(clock),
    proxies: new TrustedProxies(settings.trustedProxies),
    addresses,
    live: new LiveConnections(node, clock, bus, hub),
    get gateway() {
      return gateway
    },
    limits,
    commandHandlers: new CommandHandlers({ settings, clock }),
    hookPatience: new Patience(clock),
    push: new PushServices({ settings, clock }),
    log,
    gifs,
  }
  const gateway = new Gateway(node, server, outbox, log)

  async function tellPresence(app: string, userId: string, online: boolean) {
    const user = await users.get(app, userId)
    if (!user || user.invisible) return
    // That they are here is written a moment later.
    const seen = online ? { ...user, last_active: clock.now() * 1000 } : user
    await tellOfUser(server, seen, { type: 'user.presence.changed', at: clock.now() * 1000, online })
  }

  /** Tells those on this node who know the user; to them, becoming invisible looks like leaving. */
  function userChanged(user: UserRow, { veiled, ranked }: { veiled: boolean; ranked: boolean }) {
    const online = presence.isOnline(user.app, user.id)
    const told = tellOfUser(server, user, { type: 'user.updated', at: user.updated_at, online })
    const at = clock.now() * 1000
    const shown = () => tellOfUser(server, user, { type: 'user.presence.changed', at, online: true })
    void (veiled && online ? told.then(shown) : told).catch(failed)
    if (ranked) void tellCapabilitiesOf(server, user).catch(failed)
    gateway.userChanged(user)
  }

  function userEnded({ app, id, body, cids, reason }: EndedUser) {
    if (body !== undefined) hub.tellAllWhoKnow(app, id, cids, body)
    gateway.userEnded(app, id, reason)
  }

  if (mail) listenToOthers(mail, server, userChanged, userEnded, catchingUp, failed)
  bus?.onReturn(() => catchingUp.begin())
  if (settings.app) await foundApp(database, { ...settings.app, region: settings.region }, clock.now() * 1000)
  await apps.loadAll()
  for (const app of apps.all()) await beginReminding(server, app)

  const metrics = new Metrics()
  metrics.watch(server, () => outbox.dropped)
  const door = await openDoor(server, endpoints, metrics, log)
  gateway.listenOn(door.server)
  serveGifs(door)
  let dropping = Promise.resolve()
  const tellNewest = () => {
    const newest = hub.takeNewest()
    for (let at = 0; at < newest.length; at += NEWEST_PER_MAIL)
      mail?.send('newest', { newest: newest.slice(at, at + NEWEST_PER_MAIL) })
  }
  const stopTasks = [
    every(clock, NEWEST_MS, tellNewest),
    every(clock, HOUR_MS, () => {
      void dropEventsBefore(database.write, clock.now() * 1000 - SYNC_DAYS * DAY_MICROS).catch(failed)
    }),
    every(clock, HOUR_MS, () => void tasks.sweep().catch(failed)),
    every(clock, HOUR_MS, () => {
      dropping = dropping.then(() => dropOldAppFiles(server)).catch(failed)
    }),
    every(clock, HOUR_MS, () => void forgetOldMessages(server).catch(failed)),
    every(clock, HOUR_MS, () => void forgetPlaces(server).catch(failed)),
    every(clock, HOUR_MS, () => void forgetBounces(server).catch(failed)),
    every(clock, HOUR_MS, () => void deleteEphemeralsBefore(database.write, clock.now() * 1000).catch(failed)),
    every(clock, USAGE_MS, () => void usage.write().catch(failed)),
    every(clock, TASKS_MS, () => tasks.look()),
    every(clock, DUE_MS, () => due.look()),
    every(clock, LAPSE_MS, () => void lapseBans(server).catch(failed)),
    every(clock, LAST_ACTIVE_MS, () => {
      const byApp = Map.groupBy(hub.connections.values(), (connection) => connection.app)
      for (const [app, connections] of byApp)
        void touchLastActive(
          server,
          app,
          connections.map((connection) => connection.userId),
        ).catch(failed)
    }),
  ]
  if (bus) tasks.look()
  else await tasks.relieve()
  due.look()
  await door.listen({ port: settings.port, host: settings.host })
  const { port } = door.server.address() as AddressInfo
  const url = urlAt(settings.host, port)
  server.publicUrl = settings.publicUrl ?? url
  log.info({ url, database: dialect.name, cluster: bus !== undefined }, 'listening')
  let ending = false
  const indexing = indexEarlierMessages(server, () => ending).catch(failed)

  return {
    url,
    server,
    async stop() {
      ending = true
      for (const stop of stopTasks) stop()
      await gateway.close()
      const closed = door.close()
      // A call that was under way leaves its connection open for the next one, and somebody may have come to stay while
      // the others went: neither must hold us up.
      const sweep = setInterval(() => {
        gateway.endAll()
        door.server.closeIdleConnections()
      }, SWEEP_MS)
      await closed
      clearInterval(sweep)
      await tasks.close()
      server.push.close()
      await due.close()
      await indexing
      await dropping
      await usage.write().catch(failed)
      await commit.drained()
      catchingUp.close()
      presence.close()
      await bus?.close()
      await database.close()
    },
  }
}

function urlAt(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

function gifsOf(
  { gifs }: Settings,
  publicUrl: () => string,
  clock: Clock,
  failed: (error: unknown) => void,
): Gifs | undefined {
  if (gifs === undefined) return undefined
  return gifs === 'built-in' ? new BuiltInGifs(publicUrl) : new Giphy(gifs, clock, failed)
}

function listenToOthers(
  mail: NumberedMail,
  server: Server,
  userChanged: (user: UserRow, how: { veiled: boolean; ranked: boolean }) => void,
  userEnded: (user: EndedUser) => void,
  catchingUp: CatchingUp,
  failed: (error: unknown) => void,
) {
  const { apps, users, channels, addresses, hub } = server
  mail.receive<Partial<Changes>>('changes', (said) => {
    // A node of another version may say less.
    const changes: Changes = { ...nothing, ...said }
    for (const id of changes.apps) apps.reload(id).catch(failed)
    for (const key of changes.users) users.forget(key)
    for (const key of changes.members) channels.forgetMember(key)
    for (const key of changes.channels) channels.forget(key)
    for (const id of changes.addresses) addresses.forget(id)
    for (const { app, id, ...how } of changes.updated) {
      const tell = async () => {
        const user = await users.get(app, id)
        if (user) userChanged(user, how)
      }
      tell().catch(failed)
    }
    for (const user of changes.ended) userEnded(user)
    for (const was of changes.earlier) tellCapabilitiesIn(server, was).catch(failed)
    if (changes.unsure) catchingUp.begin()
  })
  mail.receive<{ newest: Newest[] }>('newest', ({ newest }) => {
    for (const each of newest) hub.expect(each)
  })
}
