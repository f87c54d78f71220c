/** Builds the web app when its sources, or those of the packages it consists of, changed since the last build. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMade } from './source-files.ts'

const root = join(import.meta.dirname, '..')
const web = join(root, 'apps/web')
const stamp = join(web, 'build/sources.sha256')
const sources = ['apps/web', 'packages/protocol', 'packages/client', 'packages/widgets']

/** @throws Error when the build fails; its output is on the terminal already */
export async function buildIfStale(): Promise<void> {
  const now = sourceHash(root, [...sources, 'package-lock.json'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return

  console.log('Building the web app …')
  const reactRouter = join(root, 'node_modules/.bin/react-router')
  // A test run has set NODE_ENV already; it must test the production build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const build = [reactRouter, 'build', '--logLevel', 'error']
  const { status } = spawnSync(process.execPath, build, { cwd: web, env, stdio: 'inherit' })
  if (status !== 0) throw new Error('The web app could not be built.')
  mkdirSync(join(web, 'build'), { recursive: true })
  writeFileSync(stamp, now)
}

/**
 * A hash over the names and contents of the sources in these places. Times do not count, as a checkout changes them
 * all.
 */
export function sourceHash(root: string, places: string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync(
    places.flatMap((place) => [place, `${place}/**/*`]),
    { cwd: root, exclude: isMade },
  ).sort()) {
    if (/\.test\.tsx?$/.test(path)) continue
    const content = read(join(root, path))
    if (content) hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** The file's content; undefined for a folder. */
function read(path: string) {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR') return undefined
    throw error
  }
}

if (import.meta.main)
  await buildIfStale().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
