import type { Logger } from 'pino'
import type { Pace } from './administration/review/pace.ts'
import type { Usage } from './administration/usage/usage.ts'
import type { Tokens } from './chat/api/tokens.ts'
import type { AppCache } from './chat/apps/app-cache.ts'
import type { Addresses } from './chat/bans/addresses.ts'
import type { ChannelCache } from './chat/channels/channel-cache.ts'
import type { Gateway } from './chat/connections/gateway.ts'
import type { LiveConnections } from './chat/connections/live-connections.ts'
import type { Extensions } from './chat/extensions.ts'
import type { MessagePageCache } from './chat/messages/message-page-cache.ts'
import type { GuestLimit } from './chat/users/guest-limit.ts'
import type { UserCache } from './chat/users/user-cache.ts'
import type { Files } from './features/attachments/files.ts'
import type { LinkPreviews } from './features/attachments/link-previews.ts'
import type { CommandHandlers } from './features/commands/command-handlers.ts'
import type { Gifs } from './features/gifs/gifs.ts'
import type { PushServices } from './features/push/push-services.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import type { GroupCommit } from './platform/database/group-commit.ts'
import type { FaultLog } from './platform/fault-log.ts'
import type { Drain } from './platform/http/drain.ts'
import type { RateLimits } from './platform/http/rate-limits.ts'
import type { TrustedProxies } from './platform/http/trusted-proxies.ts'
import type { CircuitBreaker } from './platform/outbound/circuit-breaker.ts'
import type { Outages } from './platform/outbound/outages.ts'
import type { OutboundPolicy } from './platform/outbound/outbound-fetch.ts'
import type { ClusterBarrier } from './platform/realtime/cluster-barrier.ts'
import type { Hub } from './platform/realtime/hub.ts'
import type { Presence } from './platform/realtime/presence.ts'
import type { Settings } from './platform/settings.ts'
import type { Tasks } from './platform/tasks/tasks.ts'
import type { Translator } from './platform/translation/translator.ts'

/** What every rule and endpoint works with. Wired by hand in `app.ts`. */
export interface Server {
  settings: Settings
  /** What features add to channels, messages and users. */
  extensions: Extensions
  /** The server's public URL. */
  publicUrl: string
  clock: Clock
  database: Database
  commit: GroupCommit
  hub: Hub
  clusterBarrier: ClusterBarrier
  gateway: Gateway
  live: LiveConnections
  presence: Presence
  apps: AppCache
  tokens: Tokens
  proxies: TrustedProxies
  addresses: Addresses
  /** How fast people write, where an app wants to know. */
  pace: Pace
  /** Undefined where no translation service is set up. */
  translator: Translator | undefined
  users: UserCache
  channels: ChannelCache
  /** The newest messages of the channels listed last. */
  pages: MessagePageCache
  files: Files
  previews: LinkPreviews
  /** Whose targets a call to another server may reach. */
  outboundPolicies: { operator: OutboundPolicy; public: OutboundPolicy }
  tasks: Tasks
  /** Counts what teams use. */
  usage: Usage
  limits: RateLimits
  guestLimit: GuestLimit
  drain: Drain
  commandHandlers: CommandHandlers
  /** Knows which webhooks are worth a call at this moment. */
  webhookBreaker: CircuitBreaker
  /** Writes down once that another server fails. */
  outages: Outages
  push: PushServices
  log: Logger
  /** Where what went wrong on our side is written down. */
  faults: FaultLog
  /** Undefined where no gif service is set up. */
  gifs: Gifs | undefined
}
