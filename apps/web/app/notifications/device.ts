import { call } from '../http-client.ts'
import { wish, wishes } from './wishes.ts'

/** Where notifications stand on this device. */
export type Standing = 'unsupported' | 'insecure' | 'unasked' | 'denied' | 'off' | 'on'

export const kinds = ['hidden', 'away'] as const
/** While a page is open that nobody looks at, or while none is open. */
export type Kind = (typeof kinds)[number]

/** Where a kind stands for a person; a person who is signed in. */
export async function standingOf(kind: Kind, personId: string): Promise<Standing> {
  // Browsers there say that the person has blocked them.
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
 * Turns a kind on for a person; the browser asks, if it has not asked yet.
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
    // One that was made for other keys brings nothing.
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

/** Tells the server again where this browser takes messages: it forgot it when the last session ended. */
export async function renew(personId: string): Promise<void> {
  if (wishes().away !== personId || Notification.permission !== 'granted') return
  const subscription = await (await pushRegistration())?.pushManager.getSubscription()
  if (subscription) await keep(subscription)
}

/** Undefined where nothing can come in while no page is open. */
async function pushRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return undefined
  const registration = await navigator.serviceWorker.getRegistration()
  // `ready` never comes where none is let in.
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
