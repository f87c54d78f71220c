import { feature } from '../../feature.ts'
import { flagEndpoints } from './flag-endpoints.ts'
import { forgetFlagsInChannel, forgetFlagsOf, forgetReportedOf } from './forget-flags.ts'

export const moderation = feature('moderation', {
  endpoints: flagEndpoints,
  messages: { erase: forgetFlagsOf, erasePage: forgetFlagsInChannel, eraseOfUser: forgetReportedOf },
})
