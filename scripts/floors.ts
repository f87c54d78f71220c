/**
 * The server's folders stand on four floors, and imports run down only:
 *
 *     administration → features → chat → platform
 *
 * Imports that still run up are listed in `scripts/upward-imports.txt`. The list only gets shorter: a new one is refused,
 * and so is a line for one that is gone.
 */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Import } from './imports.ts'

const ROOT = 'apps/server/src'
const LIST = 'scripts/upward-imports.txt'

/** From the ground up. */
export const floors = ['platform', 'chat', 'features', 'administration'] as const

/** An import of a file on a higher floor, as `from -> to`; undefined for any other. */
export function upward({ from, specifier }: Pick<Import, 'from' | 'specifier'>): string | undefined {
  if (!specifier.startsWith('.') || /\.test\.ts$/.test(from.path)) return undefined
  const to = posix.join(posix.dirname(from.path), specifier)
  const [low, high] = [floorOf(from.path), floorOf(to)]
  if (low === -1 || high <= low) return undefined
  return `${inServer(from.path)} -> ${inServer(to)}`
}

/** -1 for what stands on no floor: the wiring beside the floors, and other parts. */
function floorOf(path: string): number {
  return path.startsWith(`${ROOT}/`) ? floors.indexOf(inServer(path).split('/')[0] as (typeof floors)[number]) : -1
}

const inServer = (path: string) => posix.relative(ROOT, path)

export interface FloorBreach {
  path: string
  line: number
  why: string
}

/** @param listed the lines of `upward-imports.txt` */
export function floorBreaches(imports: readonly Import[], listed: readonly string[]): FloorBreach[] {
  const found = imports.flatMap((each) => {
    const pair = upward(each)
    return pair === undefined ? [] : [{ pair, path: each.from.path, line: each.line }]
  })
  const pairs = new Set(found.map(({ pair }) => pair))
  return [
    ...found
      .filter(({ pair }) => !listed.includes(pair))
      .map(({ pair, path, line }) => ({
        path,
        line,
        why: `${pair} runs up; imports run ${floors.toReversed().join(' → ')}`,
      })),
    ...listed.flatMap((pair, i) =>
      pairs.has(pair) ? [] : [{ path: LIST, line: i + 1, why: `${pair} is gone: delete the line` }],
    ),
  ]
}

export function listedUpward(root: string): string[] {
  return readFileSync(join(root, LIST), 'utf8').split('\n').filter(Boolean)
}
