import {
  ActionLogsAnswer,
  BypassRequest,
  CheckAnswer,
  CheckRequest,
  ConfigAnswer,
  ConfigQuery,
  ConfigsAnswer,
  CustomCheckAnswer,
  CustomCheckRequest,
  FlagContentAnswer,
  FlagContentRequest,
  FlagCountAnswer,
  FlagCountRequest,
  ModerationFlagsAnswer,
  QueryReviewQueueRequest,
  QueryReviewRequest,
  ReviewQueueAnswer,
  ReviewQueueItemAnswer,
  SubmitActionAnswer,
  SubmitActionRequest,
  UpsertConfigRequest,
  UserReportAnswer,
  UserReportQuery,
} from '@parley/protocol/review'
import { Done } from '@parley/protocol/wire'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { bypassModeration } from '../../chat/users/bypass-moderation.ts'
import { flagCount } from '../moderation/moderation-flags.ts'
import { deleteConfig, existingConfig, queryConfigs, upsertConfig } from './change-configs.ts'
import { checkContent, noteCustomCheck } from './check-content.ts'
import { entityTypeOf } from './entities.ts'
import { flagContent } from './flag-content.ts'
import { itemWires } from './item-wires.ts'
import { queryActions, queryFlags, queryReviewQueue, visibleFlag } from './query-review-queue.ts'
import { accessItem, checkMayModerate, checkMayReview } from './review-access.ts'
import { submitAction } from './submit-action.ts'
import { userReport } from './user-report.ts'

const BASE = '/api/v2/moderation'

const flag = endpoint(
  {
    name: 'FlagContent',
    method: 'POST',
    path: `${BASE}/flag`,
    body: FlagContentRequest,
    answer: FlagContentAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => ({ item_id: await flagContent(server, caller, body) }),
)

const report = endpoint(
  {
    name: 'GetUserReport',
    method: 'GET',
    path: `${BASE}/user_report`,
    query: UserReportQuery,
    answer: UserReportAnswer,
    asksAboutUser: true,
  },
  async ({ caller, query }, server) => {
    checkMayReview(caller)
    return userReport(server, caller, query.user_id)
  },
)

const queue = endpoint(
  {
    name: 'QueryReviewQueue',
    method: 'POST',
    path: `${BASE}/review_queue`,
    body: QueryReviewQueueRequest,
    answer: ReviewQueueAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayReview(caller)
    return queryReviewQueue(server, caller, body)
  },
)

const one = endpoint(
  { name: 'GetReviewQueueItem', method: 'GET', path: `${BASE}/review_queue/:id`, answer: ReviewQueueItemAnswer },
  async ({ caller, params }, server) => {
    checkMayReview(caller)
    const item = await accessItem(server, caller, params.id!)
    return { item: (await itemWires(server, caller.app.id, [item]))[0]! }
  },
)

const submit = endpoint(
  {
    name: 'SubmitAction',
    method: 'POST',
    path: `${BASE}/submit_action`,
    body: SubmitActionRequest,
    answer: SubmitActionAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayModerate(caller)
    const item = await submitAction(server, caller, body)
    return item ? { item } : {}
  },
)

const upsert = endpoint(
  {
    name: 'UpsertConfig',
    method: 'POST',
    path: `${BASE}/config`,
    body: UpsertConfigRequest,
    answer: ConfigAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayModerate(caller)
    return { config: await upsertConfig(server, caller, body) }
  },
)

const getConfig = endpoint(
  { name: 'GetConfig', method: 'GET', path: `${BASE}/config/:key`, query: ConfigQuery, answer: ConfigAnswer },
  async ({ caller, params, query }) => {
    checkMayReview(caller)
    return { config: existingConfig(caller, params.key!, query.team) }
  },
)

const removeConfig = endpoint(
  { name: 'DeleteConfig', method: 'DELETE', path: `${BASE}/config/:key`, query: ConfigQuery, answer: Done },
  async ({ caller, params, query }, server) => {
    checkMayModerate(caller)
    await deleteConfig(server, caller, params.key!, query.team)
    return {}
  },
)

const configs = endpoint(
  {
    name: 'QueryModerationConfigs',
    method: 'POST',
    path: `${BASE}/configs`,
    body: QueryReviewRequest,
    answer: ConfigsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayReview(caller)
    return queryConfigs(server, caller, body)
  },
)

const check = endpoint(
  { name: 'Check', method: 'POST', path: `${BASE}/check`, body: CheckRequest, answer: CheckAnswer, status: 201 },
  async ({ caller, body }, server) => {
    checkMayModerate(caller)
    return checkContent(server, caller, body)
  },
)

const customCheck = endpoint(
  {
    name: 'CustomCheck',
    method: 'POST',
    path: `${BASE}/custom_check`,
    body: CustomCheckRequest,
    answer: CustomCheckAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayModerate(caller)
    const item = await noteCustomCheck(server, caller, body)
    return { id: item.id, status: item.status, item }
  },
)

const flags = endpoint(
  {
    name: 'QueryModerationFlags',
    method: 'POST',
    path: `${BASE}/flags`,
    body: QueryReviewRequest,
    answer: ModerationFlagsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayReview(caller)
    return queryFlags(server, caller, body)
  },
)

const logs = endpoint(
  {
    name: 'QueryModerationLogs',
    method: 'POST',
    path: `${BASE}/logs`,
    body: QueryReviewRequest,
    answer: ActionLogsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayReview(caller)
    return queryActions(server, caller, body)
  },
)

const count = endpoint(
  {
    name: 'GetFlagCount',
    method: 'POST',
    path: `${BASE}/flag_count`,
    body: FlagCountRequest,
    answer: FlagCountAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    checkMayReview(caller)
    const type = body.entity_type === undefined ? undefined : entityTypeOf(body.entity_type)
    return { count: await flagCount(server, caller.app.id, body.entity_creator_id, type, visibleFlag(server, caller)) }
  },
)

const bypass = endpoint(
  {
    name: 'BypassModeration',
    method: 'POST',
    path: `${BASE}/bypass`,
    body: BypassRequest,
    answer: Done,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, body }, server) => {
    await bypassModeration(server, caller.app.id, body.target_user_id, body.enabled)
    return {}
  },
)

export const reviewEndpoints: Endpoint[] = [
  flag,
  report,
  queue,
  one,
  submit,
  upsert,
  getConfig,
  removeConfig,
  configs,
  check,
  customCheck,
  flags,
  logs,
  count,
  bypass,
]
