import { feature } from '../../feature.ts'
import { pollEndpoints } from './poll-endpoints.ts'
import { userPolls, userVotes } from './user-deletion.ts'

export const polls = feature('polls', {
  endpoints: pollEndpoints,
  userDeletion: { stages: { votes: userVotes, polls: userPolls } },
})
