/**
 * Refuses imports against the direction of the map:
 *
 *     protocol ← client ← widgets ← web        protocol ← server
 *
 * Inside the server they run down its floors, see `floors.ts`. A package is entered through the `exports` of its
 * package.json, a noun's store is the noun's own, and the client runs anywhere: it has no dependency and does not use
 * Node.
 */
import { isBuiltin } from 'node:module'
import { basename, posix } from 'node:path'
import { floorBreaches, listedUpward } from './floors.ts'
import { entryPoint, type Import, importsOf, isInside, type Manifest, readManifests, resolve } from './imports.ts'
import type { Report, SourceFile } from './source-files.ts'

/** What each part may import, besides itself. A part not listed may import every package, and no app. */
const mayImport: Record<string, string[]> = {
  'packages/protocol': [],
  'packages/client': ['packages/protocol'],
  'packages/widgets': ['packages/client', 'packages/protocol'],
  'apps/web': ['packages/widgets', 'packages/client', 'packages/protocol'],
  'apps/server': ['packages/protocol'],
  'apps/process': [],
}
/** What both apps share as programs; it imports neither. */
const PROCESS = 'apps/process'
const packages = ['packages/protocol', 'packages/client', 'packages/widgets']

/** The one file of the client that is for servers. */
const CLIENT_SERVER_ENTRY = 'packages/client/src/server.ts'

export interface Breach {
  path: string
  line: number
  why: string
}

/**
 * @param files      every source file
 * @param manifests  the package.json of each workspace, by its folder
 */
export function breaches(files: readonly SourceFile[], manifests: Record<string, Manifest>): Breach[] {
  const imports = files.flatMap(importsOf)
  return [
    ...imports.flatMap((each) => {
      const why = againstTheMap(each, manifests) ?? throughAStore(each) ?? fromNode(each)
      return why ? [{ path: each.from.path, line: each.line, why }] : []
    }),
    ...carriedByTheClient(imports, manifests),
  ]
}

function againstTheMap({ from, specifier }: Import, manifests: Record<string, Manifest>): string | undefined {
  const part = partOf(from.path)
  if (specifier.startsWith('.')) {
    const other = partOf(posix.join(posix.dirname(from.path), specifier))
    // scripts/, which is no package, provides services and builds.
    if (other === part || other === 'scripts') return undefined
    // Both apps start and stop alike; what starts them reads their settings.
    if (other === PROCESS && (part === 'scripts' || part.startsWith('apps/'))) return undefined
    if (part === 'scripts' && /^\.\.\/apps\/(server\/src\/platform|web\/src)\/settings\.ts$/.test(specifier))
      return undefined
    return `${specifier} reaches into ${other}; ${packages.includes(other) ? 'import the package by its name' : 'an app is not for importing'}`
  }

  const target = Object.keys(manifests).find((folder) => isInside(specifier, manifests[folder]!.name))
  if (!target || target === part) return undefined
  const allowed = mayImport[part] ?? packages
  if (!allowed.includes(target) && !(isTest(from.path) && packages.includes(target)))
    return `${part} may not import ${target}; it may import ${allowed.join(', ') || 'no other part'}`
  if (!entryPoint(manifests[target]!, specifier))
    return `${specifier} is not among the exports of ${target}/package.json`
  return undefined
}

/** Stores are wired in app.ts; other code uses the noun's rules and access functions. */
function throughAStore({ from, specifier }: Import): string | undefined {
  if (partOf(from.path) !== 'apps/server' || !specifier.startsWith('.') || !/-store\.ts$/.test(specifier))
    return undefined
  const store = posix.join(posix.dirname(from.path), specifier)
  if (posix.dirname(store) === posix.dirname(from.path) || from.path === 'apps/server/src/app.ts') return undefined
  return `${basename(store)} is touched by ${posix.dirname(store)} alone; call a rule or an access function of that noun`
}

function fromNode({ from, specifier }: Import): string | undefined {
  // Files beside src build the package or its pages and are not part of it.
  if (!isInside(from.path, 'packages/client/src')) return undefined
  if (from.path === CLIENT_SERVER_ENTRY || isTest(from.path)) return undefined
  return isBuiltin(specifier)
    ? `the client runs in browsers too; ${specifier} is for ${CLIENT_SERVER_ENTRY} alone`
    : undefined
}

/** Packages a browser would have to load besides our own code: follows the client's imports through protocol. */
function carriedByTheClient(imports: Import[], manifests: Record<string, Manifest>): Breach[] {
  const client = manifests['packages/client']
  const found: Breach[] = Object.keys(client?.dependencies ?? {}).map((name) => ({
    path: 'packages/client/package.json',
    line: 1,
    why: `the client has no runtime dependencies, so ${name} cannot be one`,
  }))

  const byFile = Map.groupBy(
    imports.filter(({ isType }) => !isType),
    ({ from }) => from.path,
  )
  const seen = new Set<string>()
  const queue = [...byFile.keys()].filter((path) => path.startsWith('packages/client/src/') && !isTest(path))
  for (const path of queue) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const { line, specifier } of byFile.get(path) ?? []) {
      const next = resolve(path, specifier, manifests)
      if (next) queue.push(next)
      else if (!isBuiltin(specifier))
        found.push({
          path,
          line,
          why: `the client has no runtime dependencies, and this would bring ${specifier} along`,
        })
    }
  }
  return found
}

/** `packages/client`, `apps/server`, `e2e` … */
function partOf(path: string) {
  const [first, second] = path.split('/')
  return first === 'packages' || first === 'apps' || first === 'examples' ? `${first}/${second}` : first!
}

/** Tests and test-only code may use Node and every package. */
function isTest(path: string) {
  return /\.test\.tsx?$|\/(test|tests|testing)\//.test(path)
}

export function reportDirections(root: string, files: readonly SourceFile[]): Report {
  const upward = listedUpward(root)
  const found = [...breaches(files, readManifests(root)), ...floorBreaches(files.flatMap(importsOf), upward)]
  const lines = found.map(({ path, line, why }) => `${path}:${line}: ${why}`)
  return {
    lines: [
      ...lines,
      `${files.length} files, ${found.length} imports against the map, ${upward.length} that still run up a floor`,
    ],
    passes: found.length === 0,
  }
}
