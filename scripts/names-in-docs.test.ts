import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatEvents } from '@parley/protocol/events'
import { chatHookEvents, moderationHookEvents } from '@parley/protocol/hooks'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Names in the first column of the tables of a page. */
function firstColumn(page: string): string[] {
  const cells = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].map((match) => match[1]!)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
}

it('every metric has a line in docs/operating.md, and no other has', () => {
  const [, section = ''] = read('docs/operating.md').split(/^### Metrics$/m)
  const [table = ''] = section.split(/^## /m)
  const made = [...read('apps/server/src/platform/http/metrics.ts').matchAll(/name: '(\w+)'/g)].map(([, name]) => name!)
  expect(made).toContain('parley_connections')
  expect(firstColumn(table).toSorted()).toEqual(made.toSorted())
})

it('the server’s endpoints besides its API are in docs/operating.md', () => {
  const operating = read('docs/operating.md')
  const paths = [...read('apps/server/src/chat/api/http-server.ts').matchAll(/httpServer\.get\('([^']+)'/g)].map(
    ([, path]) => path!,
  )
  expect(paths).toContain('/health')
  expect(paths.filter((path) => !operating.includes(`\`${path}\``))).toEqual([])
})

it('every event that only webhooks get is in docs/webhooks.md, and no other is', () => {
  const events = new Set<string>([...chatHookEvents, ...moderationHookEvents])
  const onlyTold = [...events].filter((event) => !Object.hasOwn(chatEvents, event))
  expect(firstColumn(read('docs/webhooks.md')).toSorted()).toEqual(onlyTold.toSorted())
})

it('every export of the kit is in packages/widgets/components.md, and no other is', () => {
  const [exported = ''] = read('packages/widgets/api.txt').split('## Not exported')
  // The other entry points are for the repository itself, and are not published.
  const published = exported
    .split(/^## /m)
    .filter((section) => /^@parley\/widgets(\/(carousel|texts|brand))?\n/.test(section))
  expect(published).toHaveLength(4)
  const names = published.flatMap((section) =>
    [...section.matchAll(/^export (?:\w+ as (\w+)|(?:[a-z]+ )?(\w+))/gm)].map(([, renamed, name]) => renamed ?? name!),
  )
  expect(firstColumn(read('packages/widgets/components.md')).toSorted()).toEqual(names.toSorted())
})

it('the pages of the kit are packed with it', () => {
  const pages = globSync('*.md', { cwd: join(root, 'packages/widgets') })
  const pack = read('packages/widgets/pack.ts')
  expect(pages.filter((page) => !pack.includes(`'${page}'`))).toEqual([])
})
