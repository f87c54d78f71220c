/**
 * Checks the public API of the SDK and of the kit: `api.txt` in each package lists what its entry points export, with
 * the types. So a review sees every change of what applications build on.
 *
 *     node scripts/run.mjs scripts/api-report.ts [--write]     --write writes both lists again
 *
 * The types are the compiler's declarations. They take it seconds, so a passed check is not repeated until a file of a
 * package changes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { sourceFiles } from './source-files.ts'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/api-report.txt')
const packages = ['packages/client', 'packages/widgets']

/** Returns the declarations of a module; undefined for a third-party module. */
export type ReadDeclarations = (path: string) => string | undefined

/** What a name refers to: a declaration in a module, or a whole module. */
interface Meaning {
  path: string
  /** Absent for the whole module. */
  name?: string
}

interface Module {
  text: string
  /** Several for an overloaded function. */
  declared: Map<string, ESTree.Node[]>
  imported: Map<string, Meaning>
  exported: Map<string, Meaning>
  /** Modules whose exports are all re-exported here. */
  passedOn: string[]
}

/**
 * The public API of a package as text: what each entry point exports, then the types of the package that those name
 * without exporting them. Types of other packages are only named.
 *
 * @param entries  the module behind each entry point
 */
export function apiReport(entries: ReadonlyMap<string, string>, read: ReadDeclarations): string {
  const modules = new Map<string, Module | undefined>()
  const toldIn = new Map<string, string>()
  const reached: Meaning[] = []

  const sections = [...entries].map(([entry, path]) => {
    const names = [...exportsOf(path)].sort(([a], [b]) => compare(a, b))
    return [`## ${entry}`, ...names.map(([name, meaning]) => tellExport(entry, name, meaning))].join('\n\n')
  })
  const rest: string[] = []
  for (let next = reached.shift(); next; next = reached.shift())
    if (next.name === undefined) reached.push(...exportsOf(next.path).values())
    else if (!toldIn.has(keyOf(next)) && !isInner(next.name)) rest.push(tell('', next))
  return `${[...sections, '## Not exported, but named above', ...rest.sort(compare)].join('\n\n')}\n`

  function tellExport(entry: string, name: string, meaning: Meaning): string {
    const before = toldIn.get(keyOf(meaning))
    if (before) return `export ${name}, as in ${before}`
    const text = tell(entry, meaning)
    if (text === '') return `export ${name}, from ${meaning.path}`
    return name === meaning.name ? `export ${text}` : `export ${meaning.name} as ${name}\n${text}`
  }

  /** The declaration, or nothing for a third-party one; records which others it names. */
  function tell(entry: string, meaning: Meaning): string {
    const module = moduleAt(meaning.path)
    const nodes = module?.declared.get(meaning.name!)
    if (!module || !nodes) return ''
    toldIn.set(keyOf(meaning), entry)
    return nodes.map((node) => textOf(meaning.path, module, node)).join('\n')
  }

  function textOf(path: string, module: Module, declaration: ESTree.Node): string {
    const cuts: Cut[] = hiddenMembers(declaration).map(({ start, end }) => ({ start, end, put: '' }))
    const isShown = (node: ESTree.Node) =>
      node.start >= declaration.start &&
      node.end <= declaration.end &&
      !cuts.some(({ start, end, put }) => put === '' && node.start >= start && node.end <= end)
    const refer = (node: ESTree.Node) => {
      if (!isShown(node)) return
      const name = firstName(node)
      if (name === undefined) return
      const imported = module.imported.get(name)
      if (imported) reached.push(origin(imported))
      else if (module.declared.has(name)) reached.push({ path, name })
    }
    new Visitor({
      TSTypeReference: ({ typeName }) => refer(typeName),
      TSTypeQuery: ({ exprName }) => refer(exprName),
      TSInterfaceHeritage: ({ expression }) => refer(expression),
      TSClassImplements: ({ expression }) => refer(expression),
      ClassDeclaration: ({ superClass }) => void (superClass && refer(superClass)),
      // Written for types that the compiler inferred: `import('./shapes.ts').Command`.
      TSImportType: (node) => {
        if (!isShown(node)) return
        const from = resolved(path, node.source.value)
        const name = node.qualifier ? firstName(node.qualifier) : undefined
        reached.push(origin({ path: from, name }))
        if (node.qualifier) cuts.push({ start: node.start, end: node.qualifier.start, put: '' })
        else cuts.push({ start: node.start, end: node.end, put: `import('${from.split('/').at(-1)}')` })
      },
    }).visit(parseSync(path, module.text).program)
    return tidied(withCuts(module.text, declaration, cuts))
  }

  function exportsOf(path: string): Map<string, Meaning> {
    const module = moduleAt(path)
    if (!module) return new Map()
    const own = [...module.exported].map(([name, meaning]): [string, Meaning] => [name, origin(meaning)])
    return new Map([...module.passedOn.flatMap((from) => [...exportsOf(from)]), ...own])
  }

  /** Where a re-exported name is declared. */
  function origin(meaning: Meaning): Meaning {
    const module = moduleAt(meaning.path)
    if (!module || meaning.name === undefined || module.declared.has(meaning.name)) return meaning
    const imported = module.imported.get(meaning.name)
    return imported ? origin(imported) : (exportsOf(meaning.path).get(meaning.name) ?? meaning)
  }

  function moduleAt(path: string): Module | undefined {
    if (!modules.has(path)) {
      const text = read(path)
      modules.set(path, text === undefined ? undefined : readModule(path, text))
    }
    return modules.get(path)
  }
}

/** Interfaces between parts of the SDK, not for applications. */
function isInner(name: string): boolean {
  return /^(Channel|Client|Composer|Threads|Runner|LongPoll)Context$/.test(name)
}

function keyOf({ path, name }: Meaning): string {
  return `${path} ${name}`
}

function readModule(path: string, text: string): Module {
  const module: Module = { text, declared: new Map(), imported: new Map(), exported: new Map(), passedOn: [] }
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]!.message}`)
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration')
      for (const one of node.specifiers) {
        const name = one.type === 'ImportSpecifier' ? nameOf(one.imported) : undefined
        const whole = one.type === 'ImportDefaultSpecifier' ? 'default' : undefined
        module.imported.set(one.local.name, { path: resolved(path, node.source.value), name: name ?? whole })
      }
    else if (node.type === 'ExportAllDeclaration') {
      const from = resolved(path, node.source.value)
      if (node.exported) module.exported.set(nameOf(node.exported), { path: from })
      else module.passedOn.push(from)
    } else if (node.type === 'ExportNamedDeclaration') {
      const from = node.source ? resolved(path, node.source.value) : path
      for (const one of node.specifiers)
        module.exported.set(nameOf(one.exported), { path: from, name: nameOf(one.local) })
      if (node.declaration) for (const name of declare(node.declaration)) module.exported.set(name, { path, name })
    } else if (node.type === 'ExportDefaultDeclaration') {
      const name =
        'id' in node.declaration && node.declaration.id ? node.declaration.id.name : firstName(node.declaration)
      if (name !== undefined) module.exported.set('default', { path, name })
      if ('id' in node.declaration && node.declaration.id) declare(node.declaration)
    } else declare(node)
  }
  return module

  function declare(node: ESTree.Node): string[] {
    const names = namesOf(node)
    for (const name of names) module.declared.set(name, [...(module.declared.get(name) ?? []), node])
    return names
  }
}

function namesOf(node: ESTree.Node): string[] {
  if (node.type === 'VariableDeclaration')
    return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  return 'id' in node && node.id && 'name' in node.id && typeof node.id.name === 'string' ? [node.id.name] : []
}

/** Members that cannot be used outside the class. */
function hiddenMembers(declaration: ESTree.Node): ESTree.Node[] {
  if (declaration.type !== 'ClassDeclaration') return []
  return declaration.body.body.filter(
    (member) =>
      ('accessibility' in member && (member.accessibility === 'private' || member.accessibility === 'protected')) ||
      ('key' in member && member.key.type === 'PrivateIdentifier'),
  )
}

/** `calls` of `calls.Thing`. */
function firstName(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'TSQualifiedName') return firstName(node.left)
  return node.type === 'MemberExpression' ? firstName(node.object) : undefined
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === 'Literal' ? node.value : node.name
}

function resolved(from: string, to: string): string {
  return to.startsWith('.') ? join(dirname(from), to) : to
}

interface Cut {
  start: number
  end: number
  put: string
}

function withCuts(text: string, { start, end }: { start: number; end: number }, cuts: Cut[]): string {
  const inside = cuts.toSorted((a, b) => b.start - a.start)
  return inside.reduce(
    (rest, cut) => rest.slice(0, cut.start - start) + cut.put + rest.slice(cut.end - start),
    text.slice(start, end),
  )
}

function tidied(text: string): string {
  return text
    .replace(/^(?:export )?(?:declare )?/, '')
    .replace(/;$/gm, '')
    .replace(/^ *\n/gm, '')
    .replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2))
}

/** The same on every machine, whatever its language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// Reading the packages

/** Path in the repository → text of the list. */
function reports(): Map<string, string> {
  const entryPoints = new Map(packages.map((folder) => [folder, entriesOf(folder)]))
  const types = mkdtempSync(join(tmpdir(), 'api-report-'))
  try {
    declareTypes(types, new Map([...entryPoints.values()].flatMap((entries) => [...entries])))
    return new Map(
      [...entryPoints].map(([folder, entries]) => {
        const read = (path: string) => {
          const file = join(types, path.replace(/\.tsx?$/, '.d.ts'))
          return path.startsWith(`${folder}/`) && existsSync(file) ? readFileSync(file, 'utf8') : undefined
        }
        return [`${folder}/api.txt`, `${introduction}\n\n${apiReport(entries, read)}`]
      }),
    )
  } finally {
    rmSync(types, { recursive: true })
  }
}

const introduction = `The public surface of this package, written by \`node scripts/run.mjs scripts/api-report.ts --write\`.
Whatever changes here changes for everybody who builds on the package. Calls that a class gathers from other modules stand
at the end as functions; their first parameter is the client or the channel on which they are called.`

/** The entry points of a package and their modules, without style sheets and the script that packs it. */
function entriesOf(folder: string): Map<string, string> {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return new Map(
    Object.entries<string>(exports)
      .filter(([entryPoint, path]) => entryPoint !== './pack' && /\.tsx?$/.test(path))
      .map(([entryPoint, path]) => [join(name, entryPoint), join(folder, path)]),
  )
}

function declareTypes(outDir: string, entries: ReadonlyMap<string, string>) {
  const files = new Map([...entries].map(([name, path]) => [name, join(root, path)]))
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      // The check verifies the types; here they are only written down.
      noCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      removeComments: true,
      outDir,
      rootDir: root,
      typeRoots: [join(root, 'node_modules/@types')],
      // The compiler emits no declarations for files it finds in node_modules, and which path it finds first is a race.
      paths: Object.fromEntries([...files].map(([name, file]) => [name, [file]])),
    },
    files: [...files.values()],
    include: [],
  }
  const file = join(outDir, 'tsconfig.json')
  writeFileSync(file, JSON.stringify(settings))
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', file], { stdio: 'inherit' })
}

/** A hash of everything the lists are made of, and of the lists. */
function stateOfAll(): string {
  const hash = createHash('sha256')
  const read = ['package-lock.json', 'tsconfig.json', 'scripts/api-report.ts']
  for (const folder of packages) read.push(`${folder}/package.json`, `${folder}/api.txt`)
  for (const path of read.filter((path) => existsSync(join(root, path)))) hash.update(readFileSync(join(root, path)))
  for (const { path, text } of sourceFiles(root, ['packages'])) hash.update(`${path}\n${text}`)
  return hash.digest('hex')
}

if (import.meta.main) {
  const write = process.argv.includes('--write')
  if (!write && existsSync(cache) && readFileSync(cache, 'utf8') === stateOfAll()) {
    console.log('The public surface is as it was agreed on')
    process.exit(0)
  }
  let differing = 0
  for (const [path, text] of reports()) {
    const file = join(root, path)
    const known = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (known === text) continue
    if (write) {
      writeFileSync(file, text)
      continue
    }
    differing++
    console.error(`${path} is not what the package exports:`)
    for (const line of differences(known, text)) console.error(`  ${line}`)
  }
  if (differing > 0) {
    console.error('If that is meant, write the lists again: node scripts/run.mjs scripts/api-report.ts --write')
    process.exit(1)
  }
  mkdirSync(dirname(cache), { recursive: true })
  writeFileSync(cache, stateOfAll())
  console.log('The public surface is as it was agreed on')
}

/** Lines that only one of the two has. */
function differences(before: string, now: string): string[] {
  const [old, fresh] = [before.split('\n'), now.split('\n')]
  const [known, found] = [new Set(old), new Set(fresh)]
  return [
    ...old.filter((line) => !found.has(line)).map((line) => `- ${line}`),
    ...fresh.filter((line) => !known.has(line)).map((line) => `+ ${line}`),
  ]
}
