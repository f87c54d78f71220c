import { feature } from '../../feature.ts'
import { deliverWebhook } from './deliver-webhook.ts'

export const webhooks = feature('webhooks', {
  tasks: [deliverWebhook],
})
