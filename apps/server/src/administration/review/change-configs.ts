import { MODERATION_CONFIGS, PAYLOAD_BYTES, REVIEW_PAGE } from '@parley/protocol/limits'
import type { ConfigParts, ModerationConfig, QueryReviewRequest, UpsertConfigRequest } from '@parley/protocol/review'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import { changeApp } from '../../chat/apps/change-app.ts'
import { isOfOwnTeams } from '../../chat/users/teams.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import { type Entity, operators, tieBreak, timeColumn } from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
import type { Server } from '../../server.ts'
import { blockListsOf } from '../block-lists/known-lists.ts'
import { findConfigs } from './config-store.ts'
import { configWire, moderationOf, nameOf, type StoredConfig } from './known-configs.ts'

/**
 * Creates or replaces the configuration of a key and team [MOD2-7]. It applies from the next message on.
 *
 * @throws ChatError InputError (4) — a block list that does not exist is named, or one configuration too many
 * @throws ChatError PayloadTooBigError (22)
 * @throws ChatError DoesNotExistError (16) — it is for a team the caller is not in
 */
export async function upsertConfig(
  server: Server,
  caller: Caller,
  { user_id: _, user: __, key, team = '', async = false, ...parts }: UpsertConfigRequest,
): Promise<ModerationConfig> {
  checkTeam(caller, key, team)
  const stored: StoredConfig = { key, team, async, ...(customOf(parts, new Set(), PAYLOAD_BYTES) as ConfigParts) }
  const app = await changeApp(server, caller.app, async (change) => {
    for (const { name } of parts.block_list_config?.rules ?? [])
      if (!blockListsOf(change.app).has(name))
        throw inputError('block_list_config.rules', `block list ${name} does not exist`)
    const moderation = moderationOf(change.app)
    if (!moderation.get(key, team) && moderation.size >= MODERATION_CONFIGS)
      throw inputError('key', `an app has at most ${MODERATION_CONFIGS} moderation configurations`)
    await change.put('moderation', nameOf(key, team), stored)
  })
  return moderationOf(app).get(key, team)!.config
}

/** @throws ChatError DoesNotExistError (16) [MOD2-8] */
export function existingConfig(caller: Caller, key: string, team = ''): ModerationConfig {
  checkTeam(caller, key, team)
  const known = moderationOf(caller.app).get(key, team)
  if (!known) throw missing(key)
  return known.config
}

/** @throws ChatError DoesNotExistError (16) [MOD2-9] */
export async function deleteConfig(server: Server, caller: Caller, key: string, team = ''): Promise<void> {
  existingConfig(caller, key, team)
  await changeApp(server, caller.app, (change) => change.remove('moderation', nameOf(key, team)))
}

/** The filter and sort fields of configurations [administration.md 7.6]. */
function configEntity(dialect: Dialect): Entity {
  const json = sql.raw(dialect.columnTypes.json)
  const said = (name: string) => ({
    kind: 'text' as const,
    sql: sql`(cast(r.body_json as ${json}) ->> ${sql.lit(name)})`,
    operators: operators.equality,
  })
  return {
    filterName: 'filter',
    custom: undefined,
    tieBreak: [tieBreak('r.name')],
    fields: {
      key: said('key'),
      team: said('team'),
      created_at: timeColumn('r.created_at'),
      updated_at: timeColumn('r.updated_at'),
    },
  }
}

/** The configurations matching a filter, newest first unless sorted [MOD2-10]; a client sees those of its teams. */
export async function queryConfigs(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryReviewRequest>,
): Promise<{ configs: ModerationConfig[]; next?: string; prev?: string }> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const own = [...moderationOf(caller.app).all()]
    .filter(({ config }) => isOfOwnTeams(caller, teamsIn(config.team)))
    .map(({ config }) => nameOf(config.key, config.team))
  const listing = {
    name: ['configs', caller.app.id],
    entity: configEntity(dialect),
    limit: REVIEW_PAGE,
    sort: [{ field: 'created_at', direction: -1 as const }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) => {
    const where = sql<boolean>`${query.where} and r.name ${dialect.among(own, 'text')}`
    return findConfigs(db, caller.app.id, { ...query, where })
  })
  const configs = shown.map(({ body_json, created_at, updated_at }) =>
    configWire(JSON.parse(body_json), created_at, updated_at),
  )
  return { configs, ...around }
}

function checkTeam(caller: Caller, key: string, team: string) {
  if (!isOfOwnTeams(caller, teamsIn(team))) throw missing(key)
}

function teamsIn(team: string): string[] {
  return team === '' ? [] : [team]
}

function missing(key: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find moderation config with key ${key}`)
}
