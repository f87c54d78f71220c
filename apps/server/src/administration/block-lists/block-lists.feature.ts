import { feature } from '../../feature.ts'
import { blockListEndpoints } from './block-list-endpoints.ts'

export const blockLists = feature('block-lists', {
  endpoints: blockListEndpoints,
})
