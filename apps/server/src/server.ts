import type { Logger } from 'pino'
import type { AppCache } from './apps/app-cache.ts'
import type { Files } from './attachments/files.ts'
import type { LinkPreviews } from './attachments/link-previews.ts'
import type { ChannelCache } from './channels/channel-cache.ts'
import type { Clock } from './clock.ts'
import type { CommandHandlers } from './commands/command-handlers.ts'
import type { Database } from './database/database.ts'
import type { GroupCommit } from './database/group-commit.ts'
import type { FaultLog } from './fault-log.ts'
import type { Gifs } from './gifs/gifs.ts'
import type { Drain } from './http/drain.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { Tokens } from './http/tokens.ts'
import type { TrustedProxies } from './http/trusted-proxies.ts'
import type { MessagePageCache } from './messages/message-page-cache.ts'
import type { Addresses } from './moderation/addresses.ts'
import type { CircuitBreaker } from './outbound/circuit-breaker.ts'
import type { Outages } from './outbound/outages.ts'
import type { OutboundPolicy } from './outbound/outbound-fetch.ts'
import type { PushServices } from './push/push-services.ts'
import type { Gateway } from './realtime/gateway.ts'
import type { Hub } from './realtime/hub.ts'
import type { LiveConnections } from './realtime/live-connections.ts'
import type { Presence } from './realtime/presence.ts'
import type { Pace } from './review/pace.ts'
import type { Settings } from './settings.ts'
import type { Tasks } from './tasks/tasks.ts'
import type { Translator } from './translation/translator.ts'
import type { Usage } from './usage/usage.ts'
import type { GuestLimit } from './users/guest-limit.ts'
import type { UserCache } from './users/user-cache.ts'

/** What every rule and endpoint works with. Wired by hand in `app.ts`. */
export interface Server {
  settings: Settings
  /** The server's public URL. */
  publicUrl: string
  clock: Clock
  database: Database
  commit: GroupCommit
  hub: Hub
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
