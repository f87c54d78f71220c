import { join } from 'node:path'

/** The versions of Node that hosts use, oldest first: 20 has neither a `navigator` nor a WebSocket; 22 and 24 have them. */
const versions = { 20: '20.20.2', 22: '22.23.5', 24: '24.22.3' }
const platform = process.platform === 'win32' ? 'win' : process.platform

export const nodeMajors = [20, 22, 24] as const
/** What a test installs with npm to have all of them: the binary of this machine alone, without an install script. */
export const nodePackages = nodeMajors.map(
  (major) => `node${major}@npm:node-${platform}-${process.arch}@${versions[major]}`,
)

/** The binary, in a folder where `nodePackages` are installed. */
export function nodeOf(folder: string, major: (typeof nodeMajors)[number]): string {
  return join(folder, `node_modules/node${major}/bin/node`)
}
