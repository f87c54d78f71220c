import {
  type Campaign,
  CampaignAnswer,
  CampaignsAnswer,
  CreateCampaignAnswer,
  CreateCampaignRequest,
  FlatCampaignAnswer,
  GetCampaignQuery,
  QueryCampaignsRequest,
  ScheduleCampaignRequest,
  StartCampaignRequest,
  TestCampaignRequest,
  UpdateCampaignRequest,
} from '@parley/protocol/campaigns'
import { CAMPAIGN_USERS_PAGE, CAMPAIGN_USERS_PAGE_MAX } from '@parley/protocol/limits'
import { Done } from '@parley/protocol/wire'
import { created, type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { isBeside, type PageAsked, pageAsked, pageOf } from '../../platform/database/cursor.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import { whole } from '../../platform/http/whole-number.ts'
import type { Server } from '../../server.ts'
import { accessCampaign } from './campaign-access.ts'
import { resumeCampaign, startCampaign, stopCampaign } from './campaign-life.ts'
import { composeCampaigns, inOrder } from './campaigns-shown.ts'
import { createCampaign } from './create-campaign.ts'
import { deleteCampaign } from './delete-campaign.ts'
import { queryCampaigns } from './query-campaigns.ts'
import { testCampaign } from './test-campaign.ts'
import { updateCampaign } from './update-campaign.ts'

/** Ten thousand ids of maximum length, and a message. */
const CAMPAIGN_BYTES = 4 * 1024 * 1024
const byId = [{ kind: 'text' as const, direction: 1 as const, isNeverNull: true }]

const create = endpoint(
  {
    name: 'CreateCampaign',
    method: 'POST',
    path: '/campaigns',
    body: CreateCampaignRequest,
    bodyBytes: CAMPAIGN_BYTES,
    answer: CreateCampaignAnswer,
    serverOnly: true,
  },
  async ({ caller, body: { query, ...body } }, server) => {
    if (query) return queryCampaigns(server, caller.app.id, query)
    return created(await shown(server, await createCampaign(server, caller.app.id, body)))
  },
)

const get = endpoint(
  {
    name: 'GetCampaign',
    method: 'GET',
    path: '/campaigns/:id',
    query: GetCampaignQuery,
    answer: CampaignAnswer,
    serverOnly: true,
  },
  async ({ caller, params, query: { limit: said, ...page } }, server) => {
    const limit = whole('limit', said || undefined, CAMPAIGN_USERS_PAGE, 1, CAMPAIGN_USERS_PAGE_MAX)
    return shown(server, await accessCampaign(server, caller, params.id!), { ...page, limit })
  },
)

const update = endpoint(
  {
    name: 'UpdateCampaign',
    method: 'PUT',
    path: '/campaigns/:id',
    body: UpdateCampaignRequest,
    bodyBytes: CAMPAIGN_BYTES,
    answer: FlatCampaignAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    const campaign = await accessCampaign(server, caller, params.id!)
    return flat(server, await updateCampaign(server, campaign, body))
  },
)

const remove = endpoint(
  { name: 'DeleteCampaign', method: 'DELETE', path: '/campaigns/:id', answer: Done, serverOnly: true },
  async ({ caller, params }, server) => {
    await deleteCampaign(server, await accessCampaign(server, caller, params.id!))
    return {}
  },
)

const query = endpoint(
  {
    name: 'QueryCampaigns',
    method: 'POST',
    path: '/campaigns/query',
    body: QueryCampaignsRequest,
    answer: CampaignsAnswer,
    serverOnly: true,
  },
  ({ caller, body }, server) => queryCampaigns(server, caller.app.id, body),
)

/** The same as the query, as older clients ask. */
const list = endpoint(
  {
    name: 'ListCampaigns',
    method: 'GET',
    path: '/campaigns',
    payload: QueryCampaignsRequest,
    answer: CampaignsAnswer,
    serverOnly: true,
  },
  ({ caller, query }, server) => queryCampaigns(server, caller.app.id, query),
)

const start = endpoint(
  {
    name: 'StartCampaign',
    method: 'POST',
    path: '/campaigns/:id/start',
    body: StartCampaignRequest,
    answer: CampaignAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    const campaign = await accessCampaign(server, caller, params.id!)
    return shown(server, await startCampaign(server, campaign, body))
  },
)

/** One handler for both methods; older clients stop with the second. */
const stop = (name: string, method: 'POST' | 'PATCH'): Endpoint =>
  endpoint(
    { name, method, path: '/campaigns/:id/stop', answer: FlatCampaignAnswer, serverOnly: true },
    async ({ caller, params }, server) => {
      const campaign = await accessCampaign(server, caller, params.id!)
      return flat(server, await stopCampaign(server, campaign))
    },
  )

const schedule = endpoint(
  {
    name: 'ScheduleCampaign',
    method: 'PATCH',
    path: '/campaigns/:id/schedule',
    body: ScheduleCampaignRequest,
    answer: FlatCampaignAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    const campaign = await accessCampaign(server, caller, params.id!)
    return flat(server, await startCampaign(server, campaign, body))
  },
)

const resume = endpoint(
  {
    name: 'ResumeCampaign',
    method: 'PATCH',
    path: '/campaigns/:id/resume',
    answer: FlatCampaignAnswer,
    serverOnly: true,
  },
  async ({ caller, params }, server) => {
    const campaign = await accessCampaign(server, caller, params.id!)
    return flat(server, await resumeCampaign(server, campaign))
  },
)

const test = endpoint(
  {
    name: 'TestCampaign',
    method: 'POST',
    path: '/campaigns/:id/test',
    body: TestCampaignRequest,
    answer: Done,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    await testCampaign(server, await accessCampaign(server, caller, params.id!), body.users)
    return {}
  },
)

/** A campaign with a page of its users, and the cursors of the adjacent pages. */
async function shown(server: Server, row: CampaignRow, asked: PageAsked = {}) {
  const list = { name: ['campaign users', row.app, row.id], keys: byId }
  const page = pageAsked(list, asked, CAMPAIGN_USERS_PAGE)
  const { place } = page
  const ids = inOrder(JSON.parse(row.user_ids_json)).filter((id) => !place || isBeside(byId, [id], place))
  if (place?.side === 'before') ids.reverse()
  const { shown, around } = pageOf(list, page, ids.slice(0, page.limit + 1), (id) => [id])
  const [campaign] = await composeCampaigns(server, row.app, [row], () => shown)
  return { campaign: campaign!, users: around }
}

async function flat(server: Server, row: CampaignRow): Promise<Campaign & { campaign: Campaign }> {
  const { campaign } = await shown(server, row)
  return { ...campaign, campaign }
}

export const campaignEndpoints: Endpoint[] = [
  create,
  list,
  query,
  get,
  update,
  remove,
  start,
  stop('StopCampaign', 'POST'),
  stop('PauseCampaign', 'PATCH'),
  schedule,
  resume,
  test,
]
