import type { AppSettings } from '@parley/protocol/apps'
import type { ChannelConfig, ConfigOverrides } from '@parley/protocol/channel-types'
import type { Command } from '@parley/protocol/commands'
import type { PushProvider, PushTemplate } from '@parley/protocol/devices'
import type { Permission } from '@parley/protocol/permissions'
import type { AppRow, AppRuleRow, ChannelRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import { builtInCommands, builtInTypes, madeType, type TypeConfig } from '../channels/channel-types.ts'
import { APP_SCOPE, defaultGrants, type Grants } from '../permissions/default-grants.ts'
import { modified, Scope } from '../permissions/grants.ts'
import { defaultSettings } from './app-settings.ts'
import { type Webhook, webhooksOf } from './webhook-settings.ts'

/** The creation date shown for built-in types, roles and block lists. */
export const BUILT_IN_AT = Date.UTC(2026, 0, 1) * 1000
/** Maximum cached effective configurations of channels with overrides. */
const OVERRIDES_KEPT = 1_000

/** The changed settings, and the app-level grants. */
export interface StoredSettings extends Partial<AppSettings> {
  grants?: Record<string, readonly string[]>
  suspended?: boolean
  placement?: string
  suspended_explanation?: string
}

/** The changed fields of a channel type; a missing field has its default. */
export interface StoredType {
  config: Partial<TypeConfig>
  /** Only roles whose grants were changed. */
  grants?: Record<string, readonly string[]>
  permissions?: object[]
}

export interface ChannelType {
  name: string
  isBuiltIn: boolean
  stored: StoredType
  config: TypeConfig
  /** As channels show it. */
  shown: ChannelConfig
  scope: Scope
}

/** The channel's overrides of its type. */
interface Effective {
  config: ChannelConfig
  scope: Scope
}

/** What a role applies to: a built-in user role is not a member role, and vice versa [administration.md 3.2]. */
export type RoleLevel = 'user' | 'channel'

const userRoles = ['user', 'guest', 'anonymous', 'admin', 'moderator', 'global_admin', 'global_moderator']
const channelRoles = ['channel_member', 'channel_moderator']

/**
 * A tenant with everything its administrators configured, compiled for fast checks. It is immutable: a rule change
 * creates a new one [administration.md 1–4].
 */
export class App {
  readonly id: string
  readonly key: string
  readonly secret: string
  readonly name: string
  /** The region it was created in; empty when it has none. */
  readonly placement: string
  readonly settings: AppSettings
  /** Where events go besides the sockets; an app without any adds no cost. */
  readonly webhooks: readonly Webhook[]
  readonly stored: StoredSettings
  readonly types: ReadonlyMap<string, ChannelType>
  /** Custom ones, besides the built-in ones. */
  readonly permissions: ReadonlyMap<string, Permission>
  readonly commands: ReadonlyMap<string, Command>
  readonly roles: ReadonlyMap<string, { custom: boolean; createdAt: Micros; updatedAt: Micros }>
  /** By type and name, with their secrets. */
  readonly pushProviders: ReadonlyMap<string, PushProvider>
  /** By event, type and name of the provider. */
  readonly pushTemplates: ReadonlyMap<string, PushTemplate>
  readonly scope: Scope
  readonly #rules: readonly AppRuleRow[]
  #effective = new Map<string, Effective>()
  constructor(row: AppRow, rules: readonly AppRuleRow[]) {
    this.id = row.id
    this.key = row.key
    this.secret = row.secret
    this.name = row.name
    this.stored = JSON.parse(row.settings_json)
    const { grants, suspended: _, suspended_explanation: __, placement = '', ...changed } = this.stored
    this.placement = placement
    this.settings = { ...defaultSettings, ...changed }
    this.webhooks = webhooksOf(this.settings)
    this.#rules = rules
    const of = <Body>(kind: AppRuleRow['kind']) =>
      this.rulesOf(kind).map((rule) => ({ ...rule, body: JSON.parse(rule.body_json) as Body }))

    this.permissions = new Map(of<Permission>('permission').map(({ name, body }) => [name, body]))
    this.commands = new Map([
      ...builtInCommands.map((command) => [command.name, command] as const),
      ...of<Omit<Command, 'name' | 'created_at' | 'updated_at'>>('command').map(
        ({ name, body, created_at, updated_at }) =>
          [name, { name, ...body, created_at: isoOf(created_at), updated_at: isoOf(updated_at) }] as const,
      ),
    ])
    this.roles = new Map<string, { custom: boolean; createdAt: Micros; updatedAt: Micros }>([
      ...[...userRoles, ...channelRoles].map(
        (name) => [name, { custom: false, createdAt: BUILT_IN_AT, updatedAt: BUILT_IN_AT }] as const,
      ),
      ...of('role').map(
        ({ name, created_at, updated_at }) =>
          [name, { custom: true, createdAt: created_at, updatedAt: updated_at }] as const,
      ),
    ])
    this.pushProviders = new Map(
      of<Omit<PushProvider, 'created_at' | 'updated_at'>>('push_provider').map(
        ({ name, body, created_at, updated_at }) =>
          [name, { ...body, created_at: isoOf(created_at), updated_at: isoOf(updated_at) }] as const,
      ),
    )
    this.pushTemplates = new Map(
      of<Omit<PushTemplate, 'created_at' | 'updated_at'>>('push_template').map(
        ({ name, body, created_at, updated_at }) =>
          [name, { ...body, created_at: isoOf(created_at), updated_at: isoOf(updated_at) }] as const,
      ),
    )
    this.scope = this.#scopeWith(defaultGrants(APP_SCOPE), grants)
    const types = new Map<string, { body: StoredType; at: [Micros, Micros] }>()
    for (const name of builtInTypes.keys()) types.set(name, { body: { config: {} }, at: [BUILT_IN_AT, BUILT_IN_AT] })
    for (const { name, body, created_at, updated_at } of of<StoredType>('channel_type'))
      types.set(name, { body, at: [builtInTypes.has(name) ? BUILT_IN_AT : created_at, updated_at] })
    this.types = new Map([...types].map(([name, { body, at }]) => [name, this.#typeOf(name, body, at)]))
  }

  get suspended(): boolean {
    return this.stored.suspended === true
  }

  /** What was configured of one kind, as it is stored. */
  rulesOf(kind: AppRuleRow['kind']): AppRuleRow[] {
    return this.#rules.filter((rule) => rule.kind === kind)
  }

  hasRole(name: string, level: RoleLevel): boolean {
    const elsewhere = level === 'user' ? channelRoles : userRoles
    return this.roles.has(name) && !elsewhere.includes(name)
  }

  /** @throws Error — the type was deleted, which cannot happen to a type with channels */
  typeOf({ type }: Pick<ChannelRow, 'type'>): ChannelType {
    const found = this.types.get(type)
    if (!found) throw new Error(`There is no channel type ${type}.`)
    return found
  }

  /** Whether read state is kept in channels of a type; channel overrides cannot change it. */
  countsReads(type: string): boolean {
    return this.types.get(type)?.config.read_events === true
  }

  /** A channel's config: that of its type with the channel's overrides [administration.md 2.4]. */
  configOf(channel: Pick<ChannelRow, 'type' | 'overrides_json'>): ChannelConfig {
    return channel.overrides_json === null ? this.typeOf(channel).shown : this.#effectiveOf(channel).config
  }

  /** The effective grants in a channel. */
  scopeOf(channel: Pick<ChannelRow, 'type' | 'overrides_json'>): Scope {
    return channel.overrides_json === null ? this.typeOf(channel).scope : this.#effectiveOf(channel).scope
  }

  /**
   * Whether a user has a permission that is not scoped to a channel.
   *
   * @param owns      whether the user owns the resource
   * @param sameTeam  whether the user shares a team with the resource
   */
  allows(user: UserRow | undefined, permission: string, owns = false, sameTeam = true): boolean {
    if (!user) return false
    if (this.settings.disable_permissions_checks && user.role !== 'anonymous') return true
    return this.scope.allows([user.role], permission, {
      owns,
      sameTeam,
      facts: () => ({ subject: factsOf(user), resource: {} }),
    })
  }

  /** The user's role in a team [administration.md 3.6]. */
  roleIn(user: Pick<UserRow, 'role' | 'teams_role_json'>, team: string | null): string {
    if (!this.settings.multi_tenant_enabled || team === null || user.teams_role_json === null) return user.role
    const roles = JSON.parse(user.teams_role_json) as Record<string, string>
    return Object.hasOwn(roles, team) ? roles[team]! : user.role
  }

  /** Whether user and resource share a team, or both have none; always true without multi-tenancy. */
  sharesTeam(user: Pick<UserRow, 'teams_json'>, team: string | null): boolean {
    if (!this.settings.multi_tenant_enabled) return true
    const teams = user.teams_json === null ? [] : (JSON.parse(user.teams_json) as string[])
    return team === null ? teams.length === 0 : teams.includes(team)
  }

  /** Expands a command list that may hold `all` and names of command sets [administration.md 2.1]. */
  commandsOf(names: readonly string[]): Command[] {
    const all = [...this.commands.values()]
    const named = new Set(names)
    if (named.has('all')) return all
    return all.filter(({ name, set }) => named.has(name) || (set !== '' && named.has(set)))
  }

  #typeOf(name: string, stored: StoredType, [createdAt, updatedAt]: [Micros, Micros]): ChannelType {
    const config = { ...(builtInTypes.get(name) ?? madeType), ...stored.config }
    return {
      name,
      isBuiltIn: builtInTypes.has(name),
      stored,
      config,
      shown: {
        name,
        ...config,
        commands: this.commandsOf(config.commands),
        created_at: isoOf(createdAt),
        updated_at: isoOf(updatedAt),
      },
      scope: this.#scopeWith(defaultGrants(name), stored.grants),
    }
  }

  /** Changed roles with their new grants; all other roles with the defaults. */
  #scopeWith(defaults: Grants, changed: Grants | undefined): Scope {
    if (!changed) return defaultScope(defaults)
    return new Scope(Object.fromEntries([...Object.entries(defaults), ...Object.entries(changed)]), this.permissions)
  }

  #effectiveOf(channel: Pick<ChannelRow, 'type' | 'overrides_json'>): Effective {
    const key = `${channel.type}|${channel.overrides_json}`
    let effective = this.#effective.get(key)
    if (!effective) {
      const type = this.typeOf(channel)
      const { commands, ...overrides } = JSON.parse(channel.overrides_json!) as ConfigOverrides
      effective = {
        config: { ...type.shown, ...overrides, ...(commands && { commands: this.commandsOf(commands) }) },
        scope: overrides.grants
          ? new Scope(modified(type.scope.grants, overrides.grants), this.permissions)
          : type.scope,
      }
      if (this.#effective.size >= OVERRIDES_KEPT) this.#effective.clear()
      this.#effective.set(key, effective)
    }
    return effective
  }
}

const defaultScopes = new WeakMap<Grants, Scope>()

/** Apps without changed rules share the compiled form. */
function defaultScope(grants: Grants): Scope {
  const scope = defaultScopes.get(grants) ?? new Scope(grants, new Map())
  defaultScopes.set(grants, scope)
  return scope
}

/** A user as conditions see it. */
export function factsOf(user: UserRow): Record<string, unknown> {
  const { id, role, name, image, language } = user
  const teams = user.teams_json === null ? [] : JSON.parse(user.teams_json)
  return { ...JSON.parse(user.data), id, role, name, image, language, teams }
}
