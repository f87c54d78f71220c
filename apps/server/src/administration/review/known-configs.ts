import type { ConfigParts, ModerationAction, ModerationConfig, Repetition, VelocityRule } from '@parley/protocol/review'
import { perApp } from '../../chat/apps/per-app.ts'
import type { Verdict } from '../../chat/messages/text-moderation.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { NamedList } from '../block-lists/verdict.ts'

/** Default window of a rule. */
const FAST_SECONDS = 60
const SLOW_SECONDS = 600
const FLOOD_SECONDS = 60

/** The stored part of a configuration, without its times. */
export type StoredConfig = Omit<ModerationConfig, 'created_at' | 'updated_at' | 'supported_video_call_harm_types'>

/** Too many messages in too short a time: matches from the `threshold`th message on, within the window. */
export interface PaceRule {
  by: 'velocity' | 'flood'
  does: Verdict['does']
  threshold: number
  seconds: number
  /** Counts only messages with links. */
  onlyLinks?: boolean
  /** Counts only messages with equal, or nearly equal, texts. */
  same?: 'identical' | 'similar'
  ban?: Verdict['ban']
}

/** A configuration, compiled for checking messages. */
export interface KnownConfig {
  config: ModerationConfig
  lists: readonly NamedList[]
  pace: readonly PaceRule[]
  /** Texts that may be repeated without limit, normalized for comparison. */
  allowed: ReadonlySet<string>
}

/** An app's moderation configurations, by key and team. Immutable: a change creates a new object. */
export class ModerationConfigs {
  #byName: ReadonlyMap<string, KnownConfig>
  #enabled: boolean
  /** @param enabled while moderation is off, no configuration applies */
  constructor(rows: readonly { body: StoredConfig; created_at: Micros; updated_at: Micros }[], enabled: boolean) {
    this.#enabled = enabled
    this.#byName = new Map(
      rows.map(({ body, created_at, updated_at }) => [
        nameOf(body.key, body.team),
        ready(configWire(body, created_at, updated_at)),
      ]),
    )
  }

  get size(): number {
    return this.#byName.size
  }

  all(): Iterable<KnownConfig> {
    return this.#byName.values()
  }

  get(key: string, team = ''): KnownConfig | undefined {
    return this.#byName.get(nameOf(key, team))
  }

  /** The configuration of a channel: its own, its type's, or that of all chat; its team's before any other. */
  of({ cid, type, team }: Pick<ChannelRow, 'cid' | 'type' | 'team'>): KnownConfig | undefined {
    if (!this.#enabled || this.size === 0) return undefined
    for (const key of [`chat:${cid}`, `chat:${type}`, 'chat']) {
      const found = (team === null ? undefined : this.get(key, team)) ?? this.get(key)
      if (found) return found
    }
    return undefined
  }
}

export function nameOf(key: string, team: string): string {
  return `${encodeURIComponent(team.toWellFormed())}/${key}`
}

export function configWire(body: StoredConfig, createdAt: Micros, updatedAt: Micros): ModerationConfig {
  const times = { created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) }
  return { ...body, supported_video_call_harm_types: [], ...times }
}

function ready(config: ModerationConfig): KnownConfig {
  return { config, ...readyParts(config, config.key) }
}

/** The parts this server can check without an external engine; the rest is only stored. */
export function readyParts(parts: ConfigParts, key?: string): Omit<KnownConfig, 'config'> {
  const { block_list_config: blockLists, velocity_filter_config: velocity, flood_config: flood } = parts
  return {
    lists: isOn(blockLists)
      ? blockLists.rules.flatMap(({ name, action }): NamedList[] => {
          const behavior = deeds[action]
          if (!behavior) return []
          const within = blockLists.match_substring === true
          return [{ blocklist: name, behavior, within, ...(key !== undefined && { config: key }) }]
        })
      : [],
    pace: [
      ...(isOn(velocity) ? velocity.rules.flatMap(velocityRules) : []),
      ...(isOn(flood) ? [...floodRules('identical', flood.identical), ...floodRules('similar', flood.similar)] : []),
    ],
    allowed: new Set((flood?.allowlist ?? []).map(compared)),
  }
}

/** Normalizes a text for comparison, ignoring case and extra white space. */
export function compared(text: string): string {
  return text.trim().replace(/\s+/gu, ' ').toLowerCase()
}

const deeds: Readonly<Record<ModerationAction, Verdict['does'] | undefined>> = {
  keep: undefined,
  flag: 'flag',
  shadow: 'shadow_block',
  remove: 'block',
  bounce: 'bounce',
  bounce_flag: 'bounce_flag',
  bounce_remove: 'bounce_remove',
  mask_flag: 'mask',
  ban: 'ban',
}

function isOn<Part extends { enabled?: boolean }>(part: Part | undefined): part is Part {
  return part !== undefined && part.enabled !== false
}

function velocityRules(rule: VelocityRule): PaceRule[] {
  const { action, url_only: onlyLinks = false, ip_ban: withAddresses, shadow_ban: shadow } = rule
  const does = deeds[action]
  if (!does) return []
  const common = { by: 'velocity' as const, does, onlyLinks }
  const fast = { threshold: rule.fast_spam_threshold, seconds: rule.fast_spam_ttl ?? FAST_SECONDS }
  const slow = { threshold: rule.slow_spam_threshold, seconds: rule.slow_spam_ttl ?? SLOW_SECONDS }
  const slowMinutes = rule.slow_spam_ban_duration ?? rule.ban_duration
  return [
    { ...common, ...fast, ban: { minutes: rule.ban_duration, shadow, withAddresses } },
    { ...common, ...slow, ban: { minutes: slowMinutes, shadow, withAddresses } },
  ].flatMap(({ threshold, ...others }) => (threshold === undefined ? [] : [{ threshold, ...others }]))
}

function floodRules(same: 'identical' | 'similar', rule: Repetition | undefined): PaceRule[] {
  const does = deeds[rule?.action ?? 'flag']
  if (!isOn(rule) || !does) return []
  return [{ by: 'flood', does, same, threshold: rule.threshold, seconds: rule.ttl ?? FLOOD_SECONDS }]
}

/** The moderation configurations of an app. */
export const moderationOf = perApp(
  (app) =>
    new ModerationConfigs(
      app.rulesOf('moderation').map((rule) => ({ ...rule, body: JSON.parse(rule.body_json) as StoredConfig })),
      app.settings.moderation_enabled,
    ),
)
