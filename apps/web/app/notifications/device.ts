import { call } from '../http-client.ts'
import { wish, wishes } from './notification-preferences.ts'

/** The state of notifications on this device. */
export type Standing = 'unsupported' | 'insecure' | 'unasked' | 'denied' | 'off' | 'on'

export const kinds = ['hidden', 'away'] as const
/** `hidden`: a page is open, but not visible. `away`: no page is open. */
export type Kind = (typeof kinds)[number]

/** The state of one kind of notification for the signed-in user. */
export async function standingOf(kind: Kind, personId: string): Promise<Standing> {
  // Browsers there report that the user has blocked them.
  if (!isSecureContext) return 'insecure'
  if (!('Notification' in window)) return 'unsupported'
  const registration = kind === 'away' ? await pushRegistration() : undefined
  if (kind === 'away' && !registration) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if (Notification.permission === 'default') return 'unasked'
  const wanted = wishes()[kind] === personId
  const subscribed = !registration || (await registration.pushManager.getSubscription()) !== null
  return wanted && subscribed ? 'on' : 'off'
}

/**
 * Turns a kind on for a user; the browser asks for permission, if it has not asked yet.
 *
 * @param publicKey  of the product, in base64url
 * @throws Error  the browser or the server refused
 */
export async function turnOn(kind: Kind, personId: string, publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  if (kind === 'away') {
    const registration = await pushRegistration()
    if (!registration) throw new Error('There is no service worker to subscribe with.')
    const options = { userVisibleOnly: true, applicationServerKey: publicKey }
    const known = await registration.pushManager.getSubscription()
    // A subscription for other keys receives nothing.
    if (known && !isFor(known, publicKey)) await known.unsubscribe()
    await keep(await registration.pushManager.subscribe(options))
  }
  wish({ ...wishes(), [kind]: personId })
}

export async function turnOff(kind: Kind): Promise<void> {
  const { [kind]: _, ...rest } = wishes()
  wish(rest)
  if (kind !== 'away') return
  const subscription = await (await pushRegistration())?.pushManager.getSubscription()
  if (!subscription) return
  await subscription.unsubscribe()
  await tell({ do: 'off', endpoint: subscription.endpoint })
}

/** Sends the subscription to the server again, which deleted it when the last session ended. */
export async function renew(personId: string): Promise<void> {
  if (wishes().away !== personId || Notification.permission !== 'granted') return
  const subscription = await (await pushRegistration())?.pushManager.getSubscription()
  if (subscription) await keep(subscription)
}

/** Undefined where the browser does not support push. */
async function pushRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return undefined
  const registration = await navigator.serviceWorker.getRegistration()
  // `ready` never resolves without a registered service worker.
  return registration && navigator.serviceWorker.ready
}

async function keep(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  await tell({ do: 'on', endpoint: endpoint!, p256dh: keys!.p256dh!, auth: keys!.auth! })
}

async function tell(fields: Record<string, string>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  await call('/settings/notifications', { method: 'POST', body })
}

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey
  const text =
    key &&
    btoa(String.fromCharCode(...new Uint8Array(key)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
  return text?.replace(/=+$/, '') === publicKey
}
