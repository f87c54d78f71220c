import { browserKeys, type startPushService } from '../../../scripts/services/push-service.ts'
import type { Visitor } from './browser.ts'

type PushService = Awaited<ReturnType<typeof startPushService>>

/**
 * Lets a browser subscribe to pushes. A browser in a test has no push service, so a fake one takes its place: the page
 * gets a subscription there, and its pushes arrive in `service.brought` under `path`.
 *
 * @param origin  the product's, where notifications are allowed
 */
export async function canBePushedTo({ page }: Visitor, service: PushService, origin: string) {
  const [keys, path] = [browserKeys(), `/browser-${++browsers}`]
  await page.context().grantPermissions(['notifications'], { origin })
  await page.addInitScript(
    ({ endpoint, p256dh, auth }) => {
      const subscription = {
        endpoint,
        options: { applicationServerKey: null },
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => localStorage.removeItem('subscribed'),
      }
      const known = () => (localStorage.getItem('subscribed') ? subscription : null)
      PushManager.prototype.getSubscription = async () => known() as unknown as PushSubscription
      PushManager.prototype.subscribe = async () => {
        localStorage.setItem('subscribed', 'yes')
        return known() as unknown as PushSubscription
      }
    },
    { endpoint: `http://${service.host}${path}`, p256dh: keys.p256dh, auth: keys.auth },
  )
  return { keys, path }
}

let browsers = 0
