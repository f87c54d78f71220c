import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const files = globSync(['apps/web/app/**/*.css', 'packages/widgets/src/**/*.css'], { cwd: root })

it('a layout gives way to large letters as it does to a small screen: no width or height is asked for in pixels', () => {
  expect(files.length).toBeGreaterThan(40)
  const inPixels = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/@(?:media|container)[^{]*\d(?:\.\d+)?px[^{]*/g)].map(
      ([rule]) => `${file}: ${rule.trim()}`,
    ),
  )
  expect(inPixels).toEqual([])
})
