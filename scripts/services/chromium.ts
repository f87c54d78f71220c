import { findProgram } from './program.ts'

/** No sandbox (containers have none to offer), no background requests, no first-run pages. */
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

/** A fake microphone that beeps, with permission. */
export const microphoneArgs = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** The browser that `CHROMIUM_PATH` names, or the first one installed. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  return findProgram(
    ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'Google Chrome'],
    ['/usr/bin', '/snap/bin', '/Applications/Google Chrome.app/Contents/MacOS'],
  )
}

/**
 * Headless Chromium, from `CHROMIUM_SHELL_PATH` or as installed: a page uses a third less CPU in it. It shows no
 * notifications.
 */
export function findShell(): string | undefined {
  if (process.env.CHROMIUM_SHELL_PATH) return process.env.CHROMIUM_SHELL_PATH
  return findProgram(['chromium-headless-shell', 'chrome-headless-shell'], ['/usr/bin'])
}
