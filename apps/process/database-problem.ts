import { SettingError } from './settings.ts'

/** Primary result codes of SQLite, without their extended part. */
const ofSqlite: Record<number, string> = {
  8: 'the file is read-only',
  11: 'the file is damaged',
  13: 'the disk is full',
  14: 'the file cannot be opened',
  26: 'the file is no SQLite database',
}

/** PostgreSQL's reasons to refuse a connection. */
const ofPostgres: Record<string, (url: URL) => string> = {
  '28P01': ({ host }) => `the database at ${host} refuses this user and password`,
  '28000': ({ host }) => `the database at ${host} lets this user in in no such way`,
  '3D000': ({ host, pathname }) =>
    `there is no database "${decodeURIComponent(pathname.slice(1))}" at ${host}; create it`,
  '42501': ({ host }) => `this user may not make tables in the database at ${host}`,
  '25006': ({ host }) => `the database at ${host} is read-only`,
  '53100': ({ host }) => `the disk of the database at ${host} is full`,
  '53300': ({ host }) => `the database at ${host} has no connection left`,
  '57P03': ({ host }) => `the database at ${host} is still starting`,
}

/**
 * Opens a database at the start of a program. A wrong URL or an unusable database is reported in one line with the
 * setting's name; bugs are thrown unchanged.
 *
 * @param url  its value; passwords in it are not repeated
 */
export async function openingDatabase<Opened>(name: string, url: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    const problem = problemOf(error, url)
    throw problem === undefined ? error : new SettingError(`${name} cannot be used: ${problem}.`, { cause: error })
  }
}

function problemOf(error: unknown, url: string): string | undefined {
  if (!(error instanceof Error) || error instanceof SettingError) return undefined
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message: string }
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length)
    if (typeof errcode === 'number') return `${ofSqlite[errcode & 0xff] ?? firstLine(message)} (${file})`
    return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? `${file} cannot be written (${code})` : undefined
  }
  const place = URL.parse(url.replace('@/', '@localhost/')) ?? new URL('postgres://localhost')
  const told = typeof code === 'string' ? ofPostgres[code] : undefined
  if (told) return told(place)
  if (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) return `no database answers at ${place.host} (${code})`
  // The driver's errors about keys, certificates and passwords have no code, or one of OpenSSL.
  return typeof code === 'string' || /SASL|SSL|terminated|timeout/.test(message) ? firstLine(message) : undefined
}

function firstLine(message: string): string {
  return message.split('\n')[0]!.replace(/\.$/, '')
}
