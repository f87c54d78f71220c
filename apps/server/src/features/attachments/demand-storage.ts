import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { SettingError } from '../../../../process/settings.ts'
import type { Settings } from '../../platform/settings.ts'
import { openStorage } from './storage.ts'

/** A storage that does not answer for so long counts as unreachable. */
const PATIENCE_MS = 15_000

/**
 * Checks the storage at startup, before the server changes anything: writes, reads and deletes a small file.
 *
 * @throws SettingError with one line that names the setting, without secrets
 */
export async function demandStorage({ filesUrl, dataDir }: Pick<Settings, 'filesUrl' | 'dataDir'>): Promise<void> {
  const isFolder = filesUrl.startsWith('file:')
  const folder = isFolder ? filesUrl.slice('file:'.length) : dataDir
  const isOwn = isFolder && filesUrl !== `file:${dataDir}/files`
  const name = `probe-${randomUUID()}`
  const path = join(folder, 'passing', name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, name)
  } catch (cause) {
    throw new SettingError(
      `${isOwn ? 'FILES_URL' : 'DATA_DIR'} cannot be used: ${folder} cannot be written (${codeOf(cause)}).`,
      { cause },
    )
  }
  try {
    const late = setTimeout(PATIENCE_MS, undefined, { ref: false }).then(() => {
      throw new Error('it does not answer')
    })
    await Promise.race([tryOut(filesUrl, name, path), late])
  } catch (cause) {
    throw new SettingError(`FILES_URL cannot be used: ${problemOf(cause, filesUrl)}.`, { cause })
  } finally {
    await rm(path, { force: true })
  }
}

async function tryOut(filesUrl: string, name: string, path: string): Promise<void> {
  const storage = await openStorage(filesUrl)
  await storage.keep(name, path, 'text/plain')
  const chunks: Uint8Array[] = []
  for await (const chunk of await storage.read(name)) chunks.push(chunk)
  await storage.remove([name])
  if (Buffer.concat(chunks).toString() !== name) throw new Error('what is written there is not read again')
}

function problemOf(error: unknown, filesUrl: string): string {
  const { message } = error as Error
  if (filesUrl.startsWith('file:')) return `files cannot be kept there (${codeOf(error) ?? message})`
  const { host, pathname } = new URL(filesUrl)
  const bucket = pathname.split('/')[1]
  const code = codeOf(error)
  if (code !== undefined || message === 'fetch failed')
    return `the storage at ${host} cannot be reached${code === undefined ? '' : ` (${code})`}`
  const [, method, status] = /answered (\w+) with (\d+)/.exec(message) ?? []
  const [, said] = /<Code>(\w+)<\/Code>/.exec(message) ?? []
  const why = said ?? status
  if (said === 'NoSuchBucket' || status === '404') return `there is no bucket ${bucket} at ${host}`
  if (said === 'PermanentRedirect' || said === 'AuthorizationHeaderMalformed' || status === '301')
    return `the bucket ${bucket} is in another region (${why}); name it with ?region=`
  if (status === '403' || status === '401')
    return `the storage at ${host} refuses this key and secret for ${method} in the bucket ${bucket} (${why})`
  return status === undefined
    ? `the storage at ${host}: ${message.split('\n')[0]}`
    : `the storage at ${host} answers ${method} with ${why}`
}

/** The system's error code; fetch puts it on the cause. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : cause === undefined ? undefined : codeOf(cause)
}
