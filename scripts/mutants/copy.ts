import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Mutant, withMutants } from './mutants.ts'

/** Our own packages, whose links must point into the copy. */
const SCOPE = '@parley'

/** A copy of the repository that mutants change. */
export class Copy {
  readonly root: string
  readonly #from: string

  /** @param from  root of the repository; uncommitted files are copied, ignored ones are not */
  constructor(from: string) {
    this.#from = from
    this.root = mkdtempSync(join(tmpdir(), 'parley-mutants-'))
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const paths = execFileSync('git', list, { cwd: from, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    for (const path of paths.split('\0').filter((path) => path && existsSync(join(from, path)))) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true })
      copyFileSync(join(from, path), join(this.root, path))
    }
    for (const folder of ['', ...workspaces(from)]) this.#lend(join(folder, 'node_modules'))
  }

  /**
   * Runs with the mutants in the files, and restores them afterwards.
   *
   * @param mutants  no two of them on one line
   */
  async with<T>(mutants: readonly Mutant[], run: () => Promise<T>): Promise<T> {
    const changed = Map.groupBy(mutants, ({ path }) => path)
    for (const [path, mine] of changed) writeFileSync(join(this.root, path), withMutants(this.#original(path), mine))
    try {
      return await run()
    } finally {
      for (const path of changed.keys()) writeFileSync(join(this.root, path), this.#original(path))
    }
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 })
  }

  readonly #originals = new Map<string, string>()

  /** The content at its first read: it may be edited meanwhile. */
  #original(path: string): string {
    const known = this.#originals.get(path) ?? readFileSync(join(this.root, path), 'utf8')
    this.#originals.set(path, known)
    return known
  }

  /** Packages are only read: each is a link. Caches are not shared, and our own packages link into the copy. */
  #lend(folder: string) {
    const from = join(this.#from, folder)
    if (!existsSync(from)) return
    mkdirSync(join(this.root, folder), { recursive: true })
    for (const name of readdirSync(from)) {
      if (name === SCOPE) spawnSync('cp', ['-a', join(from, name), join(this.root, folder)])
      else if (!/^\.(vite|cache)/.test(name)) symlinkSync(join(from, name), join(this.root, folder, name))
    }
  }
}

function workspaces(root: string): string[] {
  return ['apps', 'packages'].flatMap((group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => join(group, name)) : [],
  )
}
