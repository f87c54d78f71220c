import { feature } from '../../feature.ts'
import { appEndpoints } from './app-endpoints.ts'

export const apps = feature('apps', {
  endpoints: appEndpoints,
})
