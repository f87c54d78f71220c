import type { Campaign, QueryCampaignsRequest } from '@parley/protocol/campaigns'
import { CAMPAIGNS_PAGE } from '@parley/protocol/limits'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  type Entity,
  listOf,
  operators,
  textColumn,
  tieBreak,
  timeOrNoneColumn,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { Server } from '../../server.ts'
import { findCampaigns } from './campaign-store.ts'
import { composeCampaigns, firstUsers } from './campaigns-shown.ts'

const text = (column: string) => ({ ...textColumn(column), operators: operators.comparisons })

/** The filter and sort fields of campaigns [administration.md 12.2]. */
const campaignEntity = (dialect: Dialect): Entity => ({
  filterName: 'filter',
  custom: undefined,
  tieBreak: [tieBreak('k.id')],
  fields: {
    id: text('k.id'),
    name: { ...text('k.name'), operators: operators.text },
    status: text('k.status'),
    sender_id: text('k.sender_id'),
    created_at: timeOrNoneColumn('k.created_at'),
    updated_at: timeOrNoneColumn('k.updated_at'),
    scheduled_for: timeOrNoneColumn('k.scheduled_for'),
    stats_started_at: timeOrNoneColumn('k.started_at'),
    stats_completed_at: timeOrNoneColumn('k.completed_at'),
    segments: {
      kind: 'special',
      operators: ['$in'],
      compile(operator, value) {
        const ids = listOf('segments', operator, value)
        if (!ids.every((id) => typeof id === 'string')) throw wrongType('segments', 'a list of segment ids')
        return sql<boolean>`exists (select 1 from ${dialect.jsonTexts('k.segment_ids_json')} s
          where s.value ${dialect.among(ids as string[], 'text')})`
      },
    },
  },
})

/** Campaigns matching a filter, newest first unless sorted otherwise [CAM-7]. */
export async function queryCampaigns(
  server: Server,
  app: string,
  request: Static<typeof QueryCampaignsRequest>,
): Promise<{ campaigns: Campaign[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, app, undefined)
  const { dialect } = reader
  const listing = {
    name: ['campaigns', app],
    entity: campaignEntity(dialect),
    limit: CAMPAIGNS_PAGE,
    sort: [{ field: 'created_at', direction: -1 as const }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) => findCampaigns(db, app, query))
  const campaigns = await composeCampaigns(server, app, shown, firstUsers(request.user_limit))
  return { campaigns, ...around }
}
