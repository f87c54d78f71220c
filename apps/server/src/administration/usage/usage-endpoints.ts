import { TeamUsageAnswer, TeamUsageRequest } from '@parley/protocol/usage'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { teamUsage } from './team-usage.ts'

const query = endpoint(
  {
    name: 'QueryTeamUsageStats',
    method: 'POST',
    path: '/stats/team_usage',
    body: TeamUsageRequest,
    answer: TeamUsageAnswer,
    serverOnly: true,
  },
  ({ caller, body }, server) => teamUsage(server, caller.app, body),
)

export const usageEndpoints: Endpoint[] = [query]
