/**
 * The settings of a program: a table by environment variable is the only way to read them. A new setting gets a line in
 * its program's table and one in docs/settings.md.
 */
import { isIP } from 'node:net'
import { nearMiss } from './near-miss.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads one setting. `text` is neither empty nor wrapped in spaces or quotes. */
export type Setting<Value> = (text: string, name: string) => Value

export type SettingTable = Readonly<Record<string, Setting<unknown>>>

/** The values of a table's settings; undefined for unset ones. */
export type SettingsOf<Table extends SettingTable> = { [Name in keyof Table]: ReturnType<Table[Name]> | undefined }

/** A setting that cannot be used. The message is one line that names it and holds no password. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/**
 * Reads all settings of a program.
 *
 * @throws SettingError naming the first setting that is misspelt, or has a value that cannot be used
 */
export function settingsIn<Table extends SettingTable>(env: Environment, table: Table): SettingsOf<Table> {
  for (const name of Object.keys(env)) {
    const meant = env[name]?.trim() && nearMiss(name, Object.keys(table))
    if (meant) throw new SettingError(`${name} is no setting; did you mean ${meant}? Set that one, and not ${name}.`)
  }
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(table)) {
    const text = textOf(env, name)
    values[name] = text === undefined ? undefined : read(text, name)
  }
  return values as SettingsOf<Table>
}

/** Refuses what settings files and consoles add by mistake: it would become part of a password or a URL. */
function textOf(env: Environment, name: string): string | undefined {
  const text = env[name] ?? ''
  if (text.trim() === '') return undefined
  if (text !== text.trim())
    throw new SettingError(`${name} has a space or a line break before or after its value; set it without.`)
  if (/^["'`“”‘’«»]|["'`“”‘’«»]$/.test(text))
    throw new SettingError(`${name} has a quotation mark before or after its value; set it without.`)
  if (/\p{Cc}/u.test(text)) throw new SettingError(`${name} must be one line, without control characters.`)
  return text
}

/** Any text. */
export const anyText: Setting<string> = (text) => text

/** @param shortest  in characters */
export function secretOf(shortest: number): Setting<string> {
  return (text, name) => {
    // The value is not repeated, for it is nearly a secret.
    if (text.length < shortest) throw new SettingError(`${name} must have at least ${shortest} characters.`)
    return text
  }
}

export function wholeNumber(min: number, max: number): Setting<number> {
  return (text, name) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new SettingError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
    return value
  }
}

export function oneOf<const Choice extends string>(...choices: Choice[]): Setting<Choice> {
  return (text, name) => {
    const choice = choices.find((each) => each === text)
    if (choice === undefined) throw new SettingError(`${name} must be ${alternatives(choices)}, not "${text}".`)
    return choice
  }
}

export const onOrOff: Setting<boolean> = (text, name) => oneOf('on', 'off')(text, name) === 'on'

/** A server's URL, without a trailing slash. */
export const httpUrl: Setting<string> = (text, name) => {
  const url = /^https?:\/\/[^/]/.test(text) ? URL.parse(text) : null
  if (!url) throw new SettingError(`${name} must be an address that begins with http:// or https://${notThat(text)}.`)
  return text.replace(/\/+$/, '')
}

/** A URL that is given to others, so without credentials; normalized as browsers do. */
export const publicUrl: Setting<string> = (text, name) => {
  const value = httpUrl(text, name)
  const { username, password, search, hash } = new URL(value)
  if (username || password || search || hash || /[?#]$/.test(value))
    throw new SettingError(`${name} must be an address without a user, a question mark or a hash sign.`)
  return new URL(value).href.replace(/\/+$/, '')
}

/** A URL without a path. */
export const originUrl: Setting<string> = (text, name) => {
  const value = publicUrl(text, name)
  const { href, origin } = new URL(value)
  if (href !== `${origin}/`) throw new SettingError(`${name} must be an address without a path${notThat(text)}.`)
  return value
}

/** `sqlite:<file>`, `sqlite::memory:` or `postgres://…` */
export const databaseUrl: Setting<string> = (text, name) => {
  if (/^sqlite:.+/.test(text)) return text
  // The driver accepts one without a host, for a local socket.
  const url = /^postgres(ql)?:\/\/.+/.test(text) ? URL.parse(text.replace('@/', '@localhost/')) : null
  if (!url || url.hash)
    throw new SettingError(
      `${name} must be sqlite:<file> or postgres://user:password@host/database, with what is special in user and password written as %xx.`,
    )
  return text
}

/** The address a program listens on. */
export const listenHost: Setting<string> = (text, name) => {
  if (!isIP(text) && !/^[\w-]+(\.[\w-]+)*\.?$/.test(text))
    throw new SettingError(`${name} must be an address or a host name of this machine, without http:// and port.`)
  return text
}

/** Several, separated by commas or spaces. */
export function listOf(isOne: (text: string) => boolean, says: string): Setting<string[]> {
  return (text, name) => {
    const values = text.split(/[\s,]+/).filter(Boolean)
    const wrong = values.find((value) => !isOne(value))
    if (wrong !== undefined)
      throw new SettingError(`${name} must be ${says}, several divided by commas${notThat(wrong)}.`)
    return values
  }
}

/** `host` or `host:port` */
export const hostList = listOf(
  (text) => URL.parse(`http://${text}`)?.host === text.replace(/:80$/, ''),
  'host or host:port',
)

/** `, not "…"`, unless it may contain a password. */
function notThat(text: string): string {
  return text.includes('@') ? '' : `, not "${text}"`
}

function alternatives(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join() : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}
