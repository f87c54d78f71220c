import {
  FlagAnswer,
  FlagReportAnswer,
  FlagReportsAnswer,
  FlagRequest,
  FlagsAnswer,
  QueryFlagReportsRequest,
  QueryMessageFlagsPayload,
  ReviewFlagReportRequest,
} from '@parley/protocol/moderation'
import { actingUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { flag, queryMessageFlags, unflag } from './flag.ts'
import { queryFlagReports, reviewFlagReport } from './flag-report.ts'

const flagging = endpoint(
  { name: 'Flag', method: 'POST', path: '/moderation/flag', body: FlagRequest, answer: FlagAnswer, status: 201 },
  async ({ caller, body }, server) => ({ flag: await flag(server, caller, actingUser(caller), body) }),
)

const unflagging = endpoint(
  { name: 'Unflag', method: 'POST', path: '/moderation/unflag', body: FlagRequest, answer: FlagAnswer },
  async ({ caller, body }, server) => ({ flag: await unflag(server, caller, actingUser(caller), body) }),
)

const queryFlags = endpoint(
  {
    name: 'QueryMessageFlags',
    method: 'GET',
    path: '/moderation/flags/message',
    payload: QueryMessageFlagsPayload,
    answer: FlagsAnswer,
  },
  async ({ caller, query }, server) => ({ flags: await queryMessageFlags(server, caller, query) }),
)

const queryReports = endpoint(
  {
    name: 'QueryFlagReports',
    method: 'POST',
    path: '/moderation/reports',
    body: QueryFlagReportsRequest,
    answer: FlagReportsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => ({ flag_reports: await queryFlagReports(server, caller, body) }),
)

const reviewReport = endpoint(
  {
    name: 'ReviewFlagReport',
    method: 'PATCH',
    path: '/moderation/reports/:id',
    body: ReviewFlagReportRequest,
    answer: FlagReportAnswer,
  },
  async ({ caller, params, body }, server) => ({
    flag_report: await reviewFlagReport(server, caller, params.id!, body),
  }),
)

export const flagEndpoints: Endpoint[] = [flagging, unflagging, queryFlags, queryReports, reviewReport]
