import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'

/** A mouse that points and hovers; a machine without one would look like a touch screen that cannot be touched. */
const MOUSE = 2 | 4

const LAUNCH_MS = 100_000

/** Firefox as a distribution packages it. @param path  of its program */
export async function launchFirefox(path: string): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-firefox-'))
  const relay = join(folder, 'firefox')
  const command = [process.execPath, join(import.meta.dirname, 'firefox-relay.ts')].map((word) => `'${word}'`).join(' ')
  await writeFile(relay, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  try {
    return await firefox.launch({
      channel: 'moz-firefox',
      executablePath: relay,
      // The first start on a busy machine is slow.
      timeout: LAUNCH_MS,
      env: { ...process.env, FIREFOX_PATH: path },
      firefoxUserPrefs: { 'ui.primaryPointerCapabilities': MOUSE, 'ui.allPointerCapabilities': MOUSE },
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
