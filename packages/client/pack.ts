/**
 * Builds the package as it is published: modules for browsers and for Node from 20 on, and types without dependencies.
 * `node packages/client/pack.ts <folder>` writes the tarball there.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** A shorter schema is written out wherever it is used. */
const SHORT_SCHEMA_CHARS = 120
const HERE = import.meta.dirname
const PACKAGES = dirname(HERE)
const described = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
/** The entry points of the package by name, without `./pack`: `{ index: 'src/index.ts', … }`. */
const entries: Record<string, string> = Object.fromEntries(
  Object.entries<string>(described.exports)
    .filter(([entryPoint]) => entryPoint !== './pack')
    .map(([entryPoint, path]) => [entryPoint === '.' ? 'index' : entryPoint.slice(2), path.slice(2)]),
)

/** @returns the path of the tarball */
export function packClient(folder: string): Promise<string> {
  return packInto(folder, async (made) => {
    await makeModules(made)
    writeTypes(
      made,
      Object.values(entries).map((path) => join(HERE, path)),
    )
    writeFileSync(join(made, 'package.json'), JSON.stringify(manifest(), null, 2))
    cpSync(join(HERE, 'README.md'), join(made, 'README.md'))
  })
}

/**
 * Packs what `make` writes, with the licence. It is built in a temporary folder: the given one may have files of its
 * owner, and gets only the tarball.
 *
 * @returns the path of the tarball
 */
export async function packInto(folder: string, make: (made: string) => Promise<void>): Promise<string> {
  const made = mkdtempSync(join(tmpdir(), 'parley-pack-'))
  try {
    await make(made)
    cpSync(join(PACKAGES, '../LICENSE'), join(made, 'LICENSE'))
    mkdirSync(folder, { recursive: true })
    const out = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: made, encoding: 'utf8' })
    return join(folder, out.trim())
  } finally {
    rmSync(made, { recursive: true })
  }
}

function makeModules(made: string) {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(HERE, path)]))
  return build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: made,
      target: 'es2022',
      minify: false,
      sourcemap: true,
      lib: { entry: input, formats: ['es'] },
      rolldownOptions: {
        external: [/^node:/],
        // One output module per source module, so that bundlers can drop unused ones.
        output: {
          preserveModules: true,
          preserveModulesRoot: PACKAGES,
          entryFileNames: '[name].js',
          sourcemapPathTransform,
        },
      },
    },
  })
}

/** Source maps contain the sources, and name them as the repository does: `packages/client/src/chat-client.ts`. */
export function sourcemapPathTransform(source: string, map: string): string {
  return relative(dirname(PACKAGES), resolve(dirname(map), source))
}

/**
 * Writes the types of a package and of the protocol, side by side.
 *
 * @param files  the modules whose types are written, with everything they import
 */
export function writeTypes(made: string, files: readonly string[], compilerOptions: object = {}) {
  const types = join(made, 'types')
  const settings = {
    extends: join(PACKAGES, '../tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      // `npm run check` checks the types; this only writes them.
      noCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: types,
      rootDir: PACKAGES,
      typeRoots: [join(PACKAGES, '../node_modules/@types')],
      ...compilerOptions,
    },
    files,
    include: [join(PACKAGES, 'protocol/src')],
    exclude: [join(PACKAGES, '**/*.test.ts')],
  }
  const settingsFile = join(made, 'tsconfig.json')
  writeFileSync(settingsFile, JSON.stringify(settings))
  execFileSync(join(PACKAGES, '../node_modules/.bin/tsc'), ['-p', settingsFile], { stdio: 'inherit' })
  rmSync(settingsFile)
  nameSchemas(join(types, 'protocol/src'))
  cpSync(join(HERE, 'schemas.d.mts'), join(types, 'schemas.d.mts'))
  for (const file of filesIn(types)) if (file.endsWith('.d.ts')) writeFileSync(file, withOwnPaths(file, types))
  checkKinds(types)
}

/** @throws Error a schema is of a kind that `schemas.d.mts` does not declare, so applications would get no type */
function checkKinds(types: string) {
  const known = readFileSync(join(types, 'schemas.d.mts'), 'utf8')
  for (const file of filesIn(join(types, 'protocol')).filter((name) => name.endsWith('.d.ts')))
    for (const [, kind = ''] of readFileSync(file, 'utf8').matchAll(/\bType\.(T\w+)/g))
      if (!new RegExp(`\\b${kind}\\b`).test(known)) throw new Error(`schemas.d.mts lacks ${kind}, which ${file} has.`)
}

/**
 * A schema that contains another one refers to it by name. The compiler would write it out in full at every use: seven
 * megabytes that every program with the package would have to parse.
 */
function nameSchemas(folder: string) {
  const declaration = /^(export )?declare const (\w+): ([^;]*Type\.T[\s\S]*?);$(?!\n[\s}])/gm
  const flat = (type: string) => type.replace(/\s+/g, ' ')
  const files = filesIn(folder).map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const named = files
    .flatMap(({ path, text }) =>
      [...text.matchAll(declaration)].flatMap(([, exported, name, type = '']) =>
        exported ? [{ path, name, type: flat(type) }] : [],
      ),
    )
    .sort((a, b) => b.type.length - a.type.length)
  for (const { path, text } of files) {
    const inPlace = (_: string, exported = '', name: string, type: string) => {
      const whole = flat(type)
      const held = named.filter((other) => other.type.length < whole.length && other.type.length > SHORT_SCHEMA_CHARS)
      const nameOf = (other: (typeof named)[number]) =>
        `typeof ${other.path === path ? '' : `import('${importPath(path, other.path)}').`}${other.name}`
      const shorter = held.reduce((rest, other) => rest.replaceAll(other.type, nameOf(other)), whole)
      return `${exported}declare const ${name}: ${shorter};`
    }
    writeFileSync(path, text.replace(declaration, inPlace))
  }
}

/** @returns a relative path, with `./` in front of one that does not go up */
function importPath(from: string, to: string): string {
  return `./${relative(dirname(from), to.replace(/\.d\.ts$/, '.js'))}`.replace('./..', '..')
}

/** Imports by names that only the repository resolves become relative ones. */
function withOwnPaths(file: string, types: string): string {
  const beside = (path: string) => importPath(file, join(types, path))
  return readFileSync(file, 'utf8')
    .replace(
      /(['"])@parley\/protocol\/([\w/-]+)\1/g,
      (_, quote, name) => quote + beside(`protocol/src/${name}.js`) + quote,
    )
    .replace(/(['"])typebox\1/g, (_, quote) => quote + beside('schemas.mjs') + quote)
    .replace(/(['"])(\.[^'"]*)\.tsx?\1/g, '$1$2.js$1')
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function manifest() {
  const { name, version, description, keywords, license, type, sideEffects, engines } = described
  const entry = ([key, path]: [string, string]) => {
    const module = `client/${path.replace(/\.ts$/, '')}`
    return [key === 'index' ? '.' : `./${key}`, { types: `./types/${module}.d.ts`, default: `./${key}.js` }]
  }
  const exports = Object.fromEntries(Object.entries(entries).map(entry))
  return { name, version, description, keywords, license, type, sideEffects, engines, exports }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.info(await packClient(resolve(process.argv[2] ?? '.')))
