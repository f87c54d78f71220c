/** All checks that read the sources: each file is parsed once for all of them. */
import { join } from 'node:path'
import { reportBrowserMemory } from './browser-memory.ts'
import { reportDirections } from './import-directions.ts'
import { reportLinks } from './links.ts'
import { reportRules } from './rules-in-titles.ts'
import { allSources } from './source-files.ts'
import { reportTimeAndPlace } from './time-and-place.ts'

const root = join(import.meta.dirname, '..')
const files = allSources(root)
const reports = {
  'import directions': reportDirections(root, files),
  'rules in titles': reportRules(root, files),
  links: reportLinks(root, files),
  'time and place': reportTimeAndPlace(files),
  'browser memory': reportBrowserMemory(files),
}
for (const [name, { lines, passes }] of Object.entries(reports))
  console.log(`${passes ? '' : 'failed: '}${name}\n${lines.join('\n')}\n`)
process.exit(Object.values(reports).every(({ passes }) => passes) ? 0 : 1)
