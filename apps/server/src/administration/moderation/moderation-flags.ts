/** Flags in the version 2 format: of messages, users, and custom entities of the app [administration.md 7.3]. */

import { REVIEW_PAGE } from '@parley/protocol/limits'
import type { ModerationFlag, QueryReviewRequest } from '@parley/protocol/review'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { type Entity, textColumn, timeColumn } from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
import type { FlagRow, Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { itemIdsOf } from '../review/raise-item.ts'
import { countFlagsAgainst, findFlags, flagKey, newestFlags } from './flag-store.ts'
import { type Found, NOBODY } from './flag-wires.ts'

/** @param itemOf the review item of a flag, by its subject */
export async function moderationFlagWires(
  server: Server,
  app: string,
  rows: readonly FlagRow[],
  { itemOf }: { itemOf: (subject: string) => string | undefined },
): Promise<ModerationFlag[]> {
  const people = rows.map(({ user_id }) => user_id).filter((id) => id !== NOBODY)
  const userSummaries = await userSummariesOf(server, app, people)
  return rows.map((row) => {
    const said = JSON.parse(row.data)
    const found: Found = row.user_id === NOBODY ? said : { custom: said }
    const { labels, custom = {}, ...result } = found
    const item = itemOf(row.subject)
    return {
      entity_type: row.entity_type,
      entity_id: row.entity_id,
      ...(row.target_id !== '' && { entity_creator_id: row.target_id }),
      type: row.type,
      ...(row.reason !== null && { reason: row.reason }),
      ...(labels && { labels }),
      result: Object.keys(result).length > 0 ? [result as Record<string, unknown>] : [],
      ...(Object.keys(custom).length > 0 && { custom }),
      user_id: row.user_id,
      ...(row.user_id !== NOBODY && { user: userSummaries.of(row.user_id) }),
      ...(item !== undefined && { review_queue_item_id: item }),
      created_at: isoOf(row.created_at),
      updated_at: isoOf(row.updated_at),
    }
  })
}

/** The newest flags of each of these subjects, by subject. */
export async function flagsAbout(
  server: Server,
  app: string,
  itemIds: ReadonlyMap<string, string>,
  perSubject: number,
  db: Kysely<Tables>,
): Promise<Map<string, ModerationFlag[]>> {
  const rows = await newestFlags(db, server.database.dialect, app, [...itemIds.keys()], perSubject)
  const wires = await moderationFlagWires(server, app, rows, { itemOf: (subject) => itemIds.get(subject) })
  const bySubject = new Map<string, ModerationFlag[]>()
  for (const [i, { subject }] of rows.entries()) bySubject.set(subject, [...(bySubject.get(subject) ?? []), wires[i]!])
  return bySubject
}

/** The filter and sort fields of flags, whatever their subject. */
const flagEntity: Entity = {
  filterName: 'filter',
  custom: undefined,
  tieBreak: flagKey,
  fields: {
    entity_type: textColumn('f.entity_type'),
    entity_id: textColumn('f.entity_id'),
    entity_creator_id: textColumn('f.target_id'),
    type: textColumn('f.type'),
    user_id: textColumn('f.user_id'),
    reason: textColumn('f.reason'),
    channel_cid: textColumn('f.cid'),
    created_at: timeColumn('f.created_at'),
    updated_at: timeColumn('f.updated_at'),
  },
}

/**
 * The flags matching a filter, newest first unless sorted otherwise.
 *
 * @param visible whether the caller may see the flag of the row `f`
 */
export async function findModerationFlags(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryReviewRequest>,
  visible: RawBuilder<boolean>,
): Promise<{ flags: ModerationFlag[]; next?: string; prev?: string }> {
  const app = caller.app.id
  const reader = readerOf(server, caller)
  const listing = {
    name: ['moderation flags', app],
    entity: flagEntity,
    limit: REVIEW_PAGE,
    sort: [{ field: 'created_at', direction: -1 as const }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) =>
    findFlags(db, app, { ...query, where: sql<boolean>`${query.where} and ${visible}` }),
  )
  const items = await itemIdsOf(
    server,
    app,
    shown.map((row) => row.subject),
  )
  return {
    flags: await moderationFlagWires(server, app, shown, { itemOf: (subject) => items.get(subject) }),
    ...around,
  }
}

/**
 * How many flags there are of content a user created, optionally of one entity type only.
 *
 * @param visible as above
 */
export function flagCount(
  server: Server,
  app: string,
  creatorId: string,
  entityType: string | undefined,
  visible: RawBuilder<boolean>,
): Promise<number> {
  return countFlagsAgainst(server.database.read, app, creatorId, entityType, visible)
}
