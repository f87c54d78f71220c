/**
 * Format and lint only the files that changed since they last passed. Biome checks each file by itself under these
 * rules, so a passed file passes until it, the settings or Biome change.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/format-and-lint.json')

const rules = digest('biome.json') + digest('package-lock.json')
const passed = new Set<string>(existsSync(cache) ? JSON.parse(readFileSync(cache, 'utf8')) : [])
const files = new Map(tracked().map((file) => [file, digest(file, rules)]))
const changed = [...files.keys()].filter((file) => !passed.has(files.get(file)!))

if (changed.length > 0) {
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed]
  const { status } = spawnSync(biome, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
mkdirSync(dirname(cache), { recursive: true })
writeFileSync(cache, JSON.stringify([...files.values()]))

function tracked(): string[] {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const names = listed.stdout.toString().split('\0')
  return names.filter((file) => /\.(tsx?|jsx?|mjs|cjs|json|css|html)$/.test(file) && existsSync(join(root, file)))
}

function digest(file: string, before = '') {
  return createHash('sha256')
    .update(before + file)
    .update(readFileSync(join(root, file)))
    .digest('base64')
}
