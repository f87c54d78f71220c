import { feature } from '../../feature.ts'
import { deliverPush } from './deliver-push.ts'
import { pushEndpoints } from './push-endpoints.ts'

export const push = feature('push', {
  endpoints: pushEndpoints,
  tasks: [deliverPush],
})
