/**
 * How many calls are let in: per app, endpoint and platform, per user, and per second. Every node counts for itself.
 * @see messaging.md 1.8
 */
import { ChatError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import { networkOf } from './trusted-proxies.ts'

const MINUTE_SECONDS = 60
/** In one second no more than this part of what a minute allows. */
const BURST_PART = 30
/**
 * Counters kept at once. Calls beyond them in the same minute are not counted, so that no caller can fill our memory.
 */
const COUNTERS_MAX = 200_000

const perMinute = new Map<string, number>(
  Object.entries({
    10000: 'Connect LongPoll GetOrCreateChannel GetApp MarkRead MarkChannelsRead QueryChannels SendEvent Sync',
    1000: `CreateGuest DeleteMessage DeleteReaction GetMessage GetManyMessages GetReactions GetReplies QueryReactions
      QueryUsers RunMessageAction SendMessage SendReaction StopWatchingChannel UpdateMessage UpdateMessagePartial
      UploadFile UploadImage UnreadCounts`,
    60: `DeleteChannel DeleteChannels DeleteDevice ListDevices DeleteFile DeleteImage DeleteUser DeleteUsers DeactivateUser
      ReactivateUser ExportUser ExportUsers ExportChannels TruncateChannel CheckPush CreateChannelType GetChannelType
      ListChannelTypes UpdateChannelType DeleteChannelType UpdateApp`,
  }).flatMap(([limit, names]) => names.split(/\s+/).map((name) => [name, Number(limit)] as const)),
)
/** Of operations that are not listed above. */
const OTHERS_PER_MINUTE = 300
/** Counted also where nothing is limited: the caller sees by it that calls are counted [administration.md 11]. */
const ASKING = 'GetRateLimits'

export const platforms = ['server', 'android', 'ios', 'web', 'unity'] as const
export type Platform = (typeof platforms)[number]

/** Which limits hold. All are off unless an operator turns them on [SET-5]. */
export interface RateLimitSettings {
  /** Per app, endpoint and platform. */
  app: boolean
  /** The same in one second. */
  burst: boolean
  /** Per user, endpoint and platform; undefined for none. A server is no user. */
  userPerMinute: number | undefined
  /** What each endpoint allows in place of the numbers above. */
  perMinute: number | undefined
}

export interface RateState {
  limit: number
  remaining: number
  /** Unix seconds when the window ends. */
  reset: number
}

/** A call as the limits see it. */
export interface Counted {
  app: string
  operation: string
  platform: Platform
  /** Undefined for a server. */
  user: string | undefined
}

export class RateLimits {
  #clock: Clock
  #settings: RateLimitSettings
  #thisMinute: Window
  #thisSecond: Window
  /** Names of all there is to ask about. */
  readonly operations: readonly string[]
  constructor(clock: Clock, settings: RateLimitSettings, operations: readonly string[]) {
    this.#clock = clock
    this.#settings = settings
    this.#thisMinute = new Window(clock, MINUTE_SECONDS)
    this.#thisSecond = new Window(clock, 1)
    this.operations = operations
  }

  /**
   * Counts a call; a call that is refused counts too.
   *
   * @returns what is left of the limit that will refuse first, or, of a refused call, of the one that refused it
   */
  count({ app, operation, platform, user }: Counted): RateState & { refusal?: ChatError; waitSeconds?: number } {
    const settings = this.#settings
    const limit = this.#limitOf(operation)
    const key = `${app}|${operation}|${platform}`
    const holding: WindowState[] = []
    if (this.#isCounted(operation)) {
      const state = this.#thisMinute.count(key, limit)
      if (settings.app && state.isOver)
        return this.#refused(state, `${operation} may be called ${limit} times a minute`)
      if (settings.app) holding.push(state)
    }
    if (settings.burst) {
      const perSecond = Math.max(1, Math.ceil(limit / BURST_PART))
      const state = this.#thisSecond.count(key, perSecond)
      if (state.isOver) return this.#refused(state, `${operation} may be called ${perSecond} times a second`)
      holding.push(state)
    }
    if (settings.userPerMinute !== undefined && user !== undefined) {
      const state = this.#thisMinute.count(`${key}|${user}`, settings.userPerMinute)
      if (state.isOver)
        return this.#refused(state, `${operation} may be called ${settings.userPerMinute} times a minute by one user`)
      holding.push(state)
    }
    // Of two that have the same left, the one that lasts longer.
    const [first] = holding.sort((a, b) => a.remaining - b.remaining || b.reset - a.reset)
    if (!first) return this.look(app, operation, platform)
    const { isOver: _, ...state } = first
    return state
  }

  /** What is left, without a call. Where nothing is limited, everything is, but for asking. */
  look(app: string, operation: string, platform: Platform): RateState {
    // Where nothing was counted, an empty name is as good as any.
    const key = this.#isCounted(operation) ? `${app}|${operation}|${platform}` : ''
    const { isOver: _, ...state } = this.#thisMinute.look(key, this.#limitOf(operation))
    return state
  }

  #isCounted(operation: string): boolean {
    return this.#settings.app || operation === ASKING
  }

  #limitOf(operation: string): number {
    return this.#settings.perMinute ?? perMinute.get(operation) ?? OTHERS_PER_MINUTE
  }

  #refused({ isOver: _, ...state }: WindowState, text: string) {
    const waitSeconds = Math.max(1, state.reset - Math.floor(this.#clock.now() / 1000))
    return { ...state, refusal: new ChatError('RateLimitError', `Too many requests: ${text}`), waitSeconds }
  }
}

interface WindowState extends RateState {
  isOver: boolean
}

/** Counters that are all reset when their time is over. */
class Window {
  #clock: Clock
  #seconds: number
  #number = 0
  #counts = new Map<string, number>()
  constructor(clock: Clock, seconds: number) {
    this.#clock = clock
    this.#seconds = seconds
  }

  count(key: string, limit: number): WindowState {
    this.#turn()
    const before = this.#counts.get(key)
    if (before !== undefined || this.#counts.size < COUNTERS_MAX) this.#counts.set(key, (before ?? 0) + 1)
    return this.look(key, limit)
  }

  look(key: string, limit: number): WindowState {
    this.#turn()
    const count = this.#counts.get(key) ?? 0
    const reset = (this.#number + 1) * this.#seconds
    return { limit, remaining: Math.max(0, limit - count), reset, isOver: count > limit }
  }

  #turn() {
    const number = Math.floor(this.#clock.now() / 1000 / this.#seconds)
    if (number === this.#number) return
    this.#number = number
    this.#counts.clear()
  }
}

/** Anonymous callers are distinguished by their address. */
export function namelessAt(address: string | undefined): string {
  return `!anon ${networkOf(address ?? '')}`
}

/** The counter of a call, from the client's description of itself. */
export function platformOf(client: string | undefined, isServer: boolean): Platform {
  if (isServer) return 'server'
  const text = client?.toLowerCase() ?? ''
  if (text.includes('unity')) return 'unity'
  if (text.includes('android')) return 'android'
  return text.includes('ios') || text.includes('swift') ? 'ios' : 'web'
}
