/** Secrets of other people's services are kept, and shown to nobody again [administration.md 1.2]. */

/** Settings that are secrets, of the app, of its hooks and of its providers. */
export const secretKeys: ReadonlySet<string> = new Set([
  'sqs_key',
  'sqs_secret',
  'sns_key',
  'sns_secret',
  'apn_auth_key',
  'apn_p12_cert',
  'firebase_credentials',
  'firebase_server_key',
  'huawei_app_secret',
  'xiaomi_app_secret',
  'api_key',
])

const MASK = '*****'
const SHOWN_CHARS = 4

/** The same settings with nothing of their secrets but the end, by which one tells them apart. */
export function masked<Settings extends object>(settings: Settings): Settings {
  const shown = ([key, value]: [string, unknown]) =>
    secretKeys.has(key) && typeof value === 'string' && value !== '' ? [key, maskOf(value)] : [key, value]
  return Object.fromEntries(Object.entries(settings).map(shown)) as Settings
}

/** Somebody sends back what was shown: the secret stays as it is. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(MASK)
}

/** Settings as they were sent, with the secrets behind those that were sent as they were shown. */
export function unmasked<Settings extends object>(sent: Settings, before: Partial<Settings> | undefined): Settings {
  const meant = ([key, value]: [string, unknown]) =>
    secretKeys.has(key) && isMasked(value) ? [key, before?.[key as keyof Settings]] : [key, value]
  return Object.fromEntries(Object.entries(sent).map(meant)) as Settings
}

/** Of a secret of less than twice as many letters nothing is shown. */
function maskOf(secret: string): string {
  return secret.length < SHOWN_CHARS * 2 ? MASK : MASK + secret.slice(-SHOWN_CHARS)
}
