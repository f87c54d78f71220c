import { feature } from '../../feature.ts'
import { searchEndpoints } from './search-endpoints.ts'

export const search = feature('search', {
  endpoints: searchEndpoints,
})
