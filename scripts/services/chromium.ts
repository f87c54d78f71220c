import { findProgram } from './program.ts'

/** A quiet browser: no sandbox (containers have none to offer), no calls home, no first-run pages. */
export const chromiumArgs = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A microphone that beeps, and is allowed. */
export const microphoneArgs = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** The browser that `CHROMIUM_PATH` names, or the first one the machine has. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  return findProgram(
    ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'Google Chrome'],
    ['/usr/bin', '/snap/bin', '/Applications/Google Chrome.app/Contents/MacOS'],
  )
}

/**
 * Chromium without windows, as `CHROMIUM_SHELL_PATH` names it or the machine has it: a page takes a third less of the
 * processor in it. It shows no notifications.
 */
export function findShell(): string | undefined {
  if (process.env.CHROMIUM_SHELL_PATH) return process.env.CHROMIUM_SHELL_PATH
  return findProgram(['chromium-headless-shell', 'chrome-headless-shell'], ['/usr/bin'])
}
