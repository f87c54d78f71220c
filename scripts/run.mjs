// Runs a TypeScript file of this repository on the pinned Node, installing the dependencies first if they are missing.
// This one file must run on whatever Node the machine has, so it is plain JavaScript and imports nothing of ours.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const node = join(root, 'node_modules/.bin/node')
const [file, ...args] = process.argv.slice(2)

if (isStale()) {
  console.log('Installing dependencies …')
  const install = spawnSync('npm', [existsSync(join(root, 'package-lock.json')) ? 'ci' : 'install'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (install.status !== 0) process.exit(install.status ?? 1)
}

// The tools a script starts are Node programs too; first on PATH, the pinned Node runs them as well.
const PATH = [dirname(node), process.env.PATH].join(delimiter)
// What TypeScript and packages are compiled to is kept: otherwise a start takes twice as long, and 27 MB more for good.
const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node')
const env = { ...process.env, PATH, NODE_COMPILE_CACHE }
const child = spawn(node, [join(root, file), ...args], { cwd: root, env, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

/** npm leaves a copy of the lock file behind; an older one than ours means the last install was for other versions. */
function isStale() {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(node) || !existsSync(installed)) return true
  const lock = join(root, 'package-lock.json')
  return existsSync(lock) && statSync(lock).mtimeMs > statSync(installed).mtimeMs && names(lock) !== names(installed)
}

function names(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(packages)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.link && !entry.optional && !entry.peer)
    .map(([path, { version }]) => `${path}@${version}`)
    .join()
}
