/** Stored secrets of external services are never shown again [administration.md 1.2]. */

/** Secret settings of the app, its webhooks and its providers. */
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

/** The same settings with each secret masked except its end, which identifies it. */
export function masked<Settings extends object>(settings: Settings): Settings {
  const shown = ([key, value]: [string, unknown]) =>
    secretKeys.has(key) && typeof value === 'string' && value !== '' ? [key, maskOf(value)] : [key, value]
  return Object.fromEntries(Object.entries(settings).map(shown)) as Settings
}

/** When a caller sends back the masked value, the secret does not change. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(MASK)
}

/** Settings as sent, with masked values replaced by the secrets they stand for. */
export function unmasked<Settings extends object>(sent: Settings, before: Partial<Settings> | undefined): Settings {
  const meant = ([key, value]: [string, unknown]) =>
    secretKeys.has(key) && isMasked(value) ? [key, before?.[key as keyof Settings]] : [key, value]
  return Object.fromEntries(Object.entries(sent).map(meant)) as Settings
}

/** A secret shorter than twice this length is masked completely. */
function maskOf(secret: string): string {
  return secret.length < SHOWN_CHARS * 2 ? MASK : MASK + secret.slice(-SHOWN_CHARS)
}
