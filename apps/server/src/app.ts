/** The one place where everything is wired, by hand. */

import { randomUUID } from 'node:crypto'
import { type AddressInfo, isIPv6 } from 'node:net'
import pino from 'pino'
import { openingDatabase } from '../../process/database-problem.ts'
import { Pace } from './administration/review/pace.ts'
import { Usage } from './administration/usage/usage.ts'
import { openHttpServer } from './chat/api/http-server.ts'
import { Tokens } from './chat/api/tokens.ts'
import { AppCache } from './chat/apps/app-cache.ts'
import { foundApp } from './chat/apps/found-app.ts'
import { Addresses } from './chat/bans/addresses.ts'
import { ChannelCache } from './chat/channels/channel-cache.ts'
import { channelsByCids } from './chat/channels/channel-store.ts'
import { publishChangedCapabilities } from './chat/channels/publish-capabilities.ts'
import { Watching } from './chat/channels/watching.ts'
import { consequences } from './chat/connections/consequences.ts'
import { Gateway } from './chat/connections/gateway.ts'
import { LiveConnections } from './chat/connections/live-connections.ts'
import { membersAt } from './chat/members/member-store.ts'
import { withoutHiddenQuotes } from './chat/messages/hidden-quotes.ts'
import { MessagePageCache } from './chat/messages/message-page-cache.ts'
import { mutesOf } from './chat/mutes/muted-unread.ts'
import { reloadUnreadStates, reloadUnreadStatesByTeam, unreadStatesOf } from './chat/reads/counting.ts'
import { beginReminding } from './chat/reads/remind-of-unread.ts'
import { GuestLimit } from './chat/users/guest-limit.ts'
import { touchLastActive } from './chat/users/last-active.ts'
import { sendPresence } from './chat/users/own-user.ts'
import { beginTimingAnswers } from './chat/users/response-times.ts'
import { UserCache } from './chat/users/user-cache.ts'
import { extensionsOf, type Feature } from './feature.ts'
import { keepNamedFiles, NamedFiles } from './features/attachments/file-mentions.ts'
import { openFiles } from './features/attachments/files.ts'
import { LinkPreviews } from './features/attachments/link-previews.ts'
import { CommandHandlers } from './features/commands/command-handlers.ts'
import { BuiltInGifs } from './features/gifs/built-in-gifs.ts'
import type { Gifs } from './features/gifs/gifs.ts'
import { Giphy } from './features/gifs/giphy.ts'
import { enqueuePush } from './features/push/enqueue-push.ts'
import { PushServices } from './features/push/push-services.ts'
import { pushedEventsOf } from './features/push/pushed-events.ts'
import { indexEarlierMessages } from './features/search/index-earlier-messages.ts'
import { missedEvents } from './features/sync/missed-events.ts'
import { enqueueWebhooks } from './features/webhooks/enqueue-webhooks.ts'
import { features as allFeatures } from './features.ts'
import { startMaintenance } from './maintenance.ts'
import { operationsOf } from './operations.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { CommitMarks } from './platform/database/commit-marks.ts'
import { openDatabase } from './platform/database/database.ts'
import { DatabaseClock } from './platform/database/database-clock.ts'
import { GroupCommit } from './platform/database/group-commit.ts'
import { NodeLease } from './platform/database/node-lease.ts'
import { FaultLog } from './platform/fault-log.ts'
import { Drain } from './platform/http/drain.ts'
import { Metrics } from './platform/http/metrics.ts'
import { RateLimits } from './platform/http/rate-limits.ts'
import { TrustedProxies } from './platform/http/trusted-proxies.ts'
import { CircuitBreaker } from './platform/outbound/circuit-breaker.ts'
import { Outages } from './platform/outbound/outages.ts'
import { operatorPolicy, publicPolicy } from './platform/outbound/outbound-fetch.ts'
import { AfterCommit } from './platform/realtime/after-commit.ts'
import { connectNats } from './platform/realtime/bus.ts'
import { ClusterBarrier } from './platform/realtime/cluster-barrier.ts'
import { Outbox } from './platform/realtime/connection.ts'
import { Hub } from './platform/realtime/hub.ts'
import { Presence } from './platform/realtime/presence.ts'
import { Resync } from './platform/realtime/resync.ts'
import { SequencedBus } from './platform/realtime/sequenced-bus.ts'
import { ScheduledJobs } from './platform/scheduled-jobs/scheduled-jobs.ts'
import type { Settings } from './platform/settings.ts'
import { Tasks } from './platform/tasks/tasks.ts'
import { LibreTranslate } from './platform/translation/translator.ts'
import type { Server } from './server.ts'

/** How often a server that ends looks for connections that are still there. */
const SWEEP_MS = 20

/** A server that listens. */
export interface RunningServer {
  url: string
  server: Server
  /**
   * Takes the server out of the load balancer and disconnects the clients, for as long as the settings allow; call
   * `stop` next.
   */
  drain(): Promise<void>
  /** Ends the draining. */
  hurry(): void
  /** Resolves when it must not go on, since another server uses its database. */
  lost: Promise<Error>
  /** Lets calls under way end, asks sockets to come back, and closes the database. */
  stop(): Promise<void>
}

/** Replacements of external services in tests. */
export interface Surroundings {
  /** The parts the server consists of, where it is not all of them. */
  features?: readonly Feature[]
  /** Hosts on this machine that tests use as public ones. */
  neighbours?: readonly string[]
}

/** @param clock what time it is; undefined for the database's time, which all nodes have in common, or the machine's */
export async function startServer(
  settings: Settings,
  ownClock?: Clock,
  { features = allFeatures, neighbours = [] }: Surroundings = {},
): Promise<RunningServer> {
  const { endpoints, taskKinds, scheduledJobKinds, routes } = operationsOf(features)
  // Addresses of calls are not written down: a socket's carries the token.
  const log = pino({ level: settings.logLevel, base: null })
  const node = randomUUID()
  let lease: NodeLease | undefined
  const waiting = (why: string) => log.warn(why)
  const database = await openingDatabase('DATABASE_URL', settings.databaseUrl, () =>
    openDatabase(settings.databaseUrl, {
      ...settings,
      waiting,
      async first({ dialect, write }) {
        if (dialect.name !== 'postgres') return
        const terms = { node, hasBus: settings.bus !== undefined, waitMs: settings.startWaitMs, waiting }
        lease = await NodeLease.take(write, dialect, terms)
      },
    }),
  )
  const lost = Promise.withResolvers<Error>()
  lease?.renew(lost.resolve)
  const databaseClock =
    ownClock || database.dialect.name !== 'postgres' ? undefined : await DatabaseClock.of(database, systemClock.after)
  const clock = ownClock ?? databaseClock ?? systemClock
  const faults = new FaultLog(log, clock)
  const failed = (error: unknown) => faults.report('a background task failed', error)
  const outboundPolicies = {
    operator: operatorPolicy(settings, clock),
    public: publicPolicy(clock, () => server.publicUrl, neighbours),
  }
  const files = await openFiles(settings, database, clock, () => server.publicUrl, outboundPolicies.public)
  // From here on messages of other nodes arrive, about anything: all they need must exist without waiting.
  const bus =
    settings.bus &&
    (await connectNats(settings.bus, {
      failed,
      away: (why) => log.warn({ why }, 'the bus does not answer'),
      back: () => log.info('the bus is back'),
    }).catch(async (error: unknown) => {
      await database.close()
      throw error
    }))
  const sequencedBus =
    bus &&
    new SequencedBus(node, bus, () => {
      presence.askAll()
      resync.begin()
    })
  /** What this node knows may not be so any more, and events may have passed it by. */
  const resync = new Resync(
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
    sequencedBus,
    (app, userId, online) => {
      void sendPresence(server, app, userId, online).catch(failed)
    },
    {
      gone(other, { dead }) {
        hub.nodeGone(other)
        void tasks.relieve(other).catch(failed)
        // It may not have published its last commits.
        if (dead) resync.begin()
      },
      back: () => resync.begin(),
    },
  )
  const watching = new Watching(() => server, failed)
  const hub: Hub = new Hub(node, clock, bus, {
    unreadStates: (app, userId, cids) => unreadStatesOf(read, dialect, apps.of(app), userId, cids),
    mutes: (app, userId) => mutesOf(read, app, userId),
    newestSeqs: async (app, cids) =>
      new Map((await channelsByCids(read, dialect, app, cids)).map((channel) => [channel.cid, channel.seq])),
    eventsAfter: (app, cid, seq) => missedEvents(server, app, cid, seq),
    watchingChanged: (app, cid, userId, on) => watching.changed(app, cid, userId, on),
    async arrived(app, userId) {
      presence.arrived(app, userId)
      // What others write then counts them in; what they wrote before is in the totals that are read next.
      const [user] = await Promise.all([
        users.get(app, userId),
        touchLastActive(server, app, [userId]).catch(failed),
        clusterBarrier.everywhere(),
      ])
      hub.setInvisible(app, userId, user?.invisible === 1)
    },
    left: (app, userId) => presence.left(app, userId),
    counted: (app, userId, count) => presence.counted(app, userId, count),
    withoutHidden: withoutHiddenQuotes,
    inWords: (app, text) => files.forClients(apps.of(app), text),
    failed,
    commits: () => marks.number,
    receivedCommits: (other, number) => marks.received(other, number),
  })

  const named = new NamedFiles()
  database.onWritten((values) => named.note(values))
  const marks = new CommitMarks(node, clock)
  const afterCommit = new AfterCommit(
    () => server,
    sequencedBus,
    resync,
    consequences,
    failed,
    () => {
      log.error(
        'the database has lost what it had confirmed: everything is read again, by this node and by all clients',
      )
      marks.reset()
      users.clear()
      channels.clear()
      addresses.clear()
      server.pages.clear()
      hub.reset()
      resync.begin()
      // Clients that reconnect ask for missed events, and must learn that those are unknown.
      commit
        .writeAlong('', ({ db }) => marks.noteLoss(db))
        .catch(failed)
        .finally(() => gateway.resync())
    },
  )
  const commit = new GroupCommit(
    database,
    clock,
    afterCommit,
    {
      hasSubscribers(id) {
        const { webhooks } = apps.of(id)
        return webhooks.length > 0 || pushedEventsOf(apps.of(id)).size > 0
      },
      async keep(batch) {
        await enqueueWebhooks(server, batch)
        await enqueuePush(server, batch)
        await keepNamedFiles(batch, named)
      },
    },
    marks,
  )
  const clusterBarrier = new ClusterBarrier(
    node,
    bus,
    () => presence.otherNodes,
    () => Promise.all([commit.written(), apps.settled()]),
  )
  const apps: AppCache = new AppCache(read, (before, after) => {
    void reloadUnreadStates(server.hub, before, after)
      .then(() => publishChangedCapabilities(server, before, after))
      .then(() => reloadUnreadStatesByTeam(server.hub, before, after))
      .catch(failed)
    void beginReminding(server, after).catch(failed)
    void beginTimingAnswers(server, after).catch(failed)
  })
  const tasks: Tasks = new Tasks(() => server, taskKinds, failed, node)
  const usage = new Usage(node, () => server)
  const scheduledJobs = new ScheduledJobs(() => server, scheduledJobKinds, failed)
  const addresses = new Addresses(() => server, failed)
  const publicUrl = settings.publicUrl ?? urlAt(settings.host, settings.port)
  const limits = new RateLimits(clock, settings.rateLimits, ['Connect', ...endpoints.map(({ name }) => name)])
  const gifs = gifsOf(settings, () => server.publicUrl, clock, failed)
  const server: Server = {
    settings,
    extensions: extensionsOf(features),
    publicUrl,
    clock,
    database,
    commit,
    hub,
    clusterBarrier,
    presence,
    apps,
    translator: settings.translation && new LibreTranslate(settings.translation, clock),
    users,
    channels,
    pages: new MessagePageCache(),
    pace: new Pace(clock),
    files,
    previews: new LinkPreviews(outboundPolicies.public),
    outboundPolicies,
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
    guestLimit: new GuestLimit(clock, settings.guestsPerMinute),
    drain: new Drain(clock, settings.drainSeconds * 1_000),
    commandHandlers: new CommandHandlers(outboundPolicies.operator),
    webhookBreaker: new CircuitBreaker(clock),
    outages: new Outages(log),
    push: new PushServices(outboundPolicies.operator, settings.push),
    log,
    faults,
    gifs,
  }
  const gateway = new Gateway(node, server, outbox, faults)

  afterCommit.listen()
  bus?.onReturn(() => resync.begin())
  if (settings.app) await foundApp(database, { ...settings.app, region: settings.region }, clock.micros())
  await apps.loadAll()
  for (const app of apps.all()) await beginReminding(server, app)

  const metrics = new Metrics()
  metrics.watch(server, () => outbox.dropped)
  const httpServer = await openHttpServer(server, endpoints, routes, metrics, faults)
  gateway.listenOn(httpServer.server)
  const stopMaintenance = startMaintenance(server, features, scheduledJobs, afterCommit, marks, failed)
  if (bus) tasks.look()
  else await tasks.relieve()
  scheduledJobs.look()
  if (bus) await lease?.meet(() => presence.otherNodes)
  await httpServer.listen({ port: settings.port, host: settings.host })
  const { port } = httpServer.server.address() as AddressInfo
  const url = urlAt(settings.host, port)
  server.publicUrl = settings.publicUrl ?? url
  log.info({ url, database: dialect.name, cluster: bus !== undefined }, 'listening')
  let ending = false
  const indexing = indexEarlierMessages(server, () => ending).catch(failed)

  return {
    url,
    server,
    drain: () => server.drain.begin((ms, hurried) => gateway.drain(ms, hurried)),
    hurry: () => server.drain.hurry(),
    lost: lost.promise,
    async stop() {
      ending = true
      const maintenanceDone = stopMaintenance()
      await gateway.close()
      const closed = httpServer.close()
      // A call that was under way leaves its connection open for the next one, and a client may have connected while
      // the others left: neither may delay the stop.
      const sweep = setInterval(() => {
        gateway.endAll()
        httpServer.server.closeIdleConnections()
      }, SWEEP_MS)
      await closed
      clearInterval(sweep)
      await tasks.close()
      server.push.close()
      await scheduledJobs.close()
      await indexing
      await maintenanceDone
      await usage.write().catch(failed)
      await commit.drained()
      resync.close()
      presence.close()
      await bus?.close()
      databaseClock?.close()
      await lease?.end()
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
