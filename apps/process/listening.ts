import { once } from 'node:events'
import { createServer } from 'node:net'
import { SettingError } from './settings.ts'

/**
 * Checks that a program can listen there before it changes anything; a port taken later is reported when it listens.
 *
 * @param place.setting  the one that moves it to another port
 * @throws SettingError — it cannot
 */
export async function demandPort(place: { setting: string; host: string; port: number }): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen(place.port, place.host), 'listening')
  } catch (error) {
    throw namingPort(error, place)
  }
  probe.close()
  await once(probe, 'close')
}

/** The same error, or a line that names the setting that causes it. */
export function namingPort(error: unknown, place: { setting: string; host: string; port: number }): unknown {
  const { setting, host, port } = place
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new SettingError(`${setting} ${port} is taken. Stop what listens there, or set ${setting} to another port.`)
  if (code === 'EACCES')
    return new SettingError(`${setting} ${port} may not be listened on by this user. Set ${setting} to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAFNOSUPPORT')
    return new SettingError(`HOST ${host} is no address of this machine (${code}).`)
  return error
}
