import { findProgram } from './program.ts'

/** The browser that `FIREFOX_PATH` names, or the first one installed. */
export function findFirefox(): string | undefined {
  if (process.env.FIREFOX_PATH) return process.env.FIREFOX_PATH
  return findProgram(['firefox-esr', 'firefox'], ['/usr/bin', '/Applications/Firefox.app/Contents/MacOS'])
}
