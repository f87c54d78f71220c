import { feature } from '../../feature.ts'
import { pollEndpoints } from './poll-endpoints.ts'

export const polls = feature('polls', {
  endpoints: pollEndpoints,
})
