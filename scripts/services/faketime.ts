import { globSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The library that gives a program another time than the machine's. */
export function findFaketime(): string | undefined {
  return globSync(['/usr/lib/*/faketime/libfaketimeMT.so.1', '/usr/lib64/faketime/libfaketimeMT.so.1'])[0]
}

/** A clock that can be set, for programs started with its environment. */
export interface FakeClock {
  env: Record<string, string>
  /** Sets it to a number of seconds before or after the machine's; programs see it within a second or two. */
  set(seconds: number): Promise<void>
  remove(): Promise<void>
}

/** Equal to the machine's until it is set. Monotonic clocks, as timers use, are unchanged. */
export async function makeFakeClock(): Promise<FakeClock> {
  const library = findFaketime()
  if (!library) throw new Error('libfaketime is not on this machine.')
  const folder = await mkdtemp(join(tmpdir(), 'parley-clock-'))
  // Servers that run as another user read it too.
  await chmod(folder, 0o755)
  const file = join(folder, 'offset')
  async function set(seconds: number) {
    const next = join(folder, 'next')
    await writeFile(next, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    // So that no program reads a part of it.
    await rename(next, file)
  }
  await set(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
