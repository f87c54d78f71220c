import { feature } from '../../feature.ts'
import { memberEndpoints } from './member-endpoints.ts'

export const members = feature('members', {
  endpoints: memberEndpoints,
})
