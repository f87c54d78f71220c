/** The imports of the sources, and the file of ours each one resolves to. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Visitor } from 'vite'
import { lineAt, parsed, type SourceFile } from './source-files.ts'

/** The fields of a package.json that matter here. */
export interface Manifest {
  name: string
  exports?: Record<string, string>
  dependencies?: Record<string, string>
}

/** One import of any form: static, dynamic, re-export, type. */
export interface Import {
  from: SourceFile
  line: number
  specifier: string
  /** The compiler drops it, so it costs nothing at run time. */
  isType: boolean
}

/** Reads the imports with a parser, so that examples in comments and strings do not count. */
export function importsOf(from: SourceFile): Import[] {
  const imports: Import[] = []
  const add = (at: number, source: string, isType: boolean) => {
    // A bundler suffix, as in `styles.css?url`, is not part of the name.
    const specifier = source.replace(/\?.*$/, '')
    imports.push({ from, line: lineAt(from.text, at), specifier, isType })
  }

  new Visitor({
    ImportDeclaration: (node) => add(node.start, node.source.value, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node.start, node.source.value, node.exportKind === 'type'),
    ExportNamedDeclaration(node) {
      if (node.source) add(node.start, node.source.value, node.exportKind === 'type')
    },
    TSImportType: (node) => add(node.start, node.source.value, true),
    ImportExpression(node) {
      if (node.source.type === 'Literal' && typeof node.source.value === 'string')
        add(node.start, node.source.value, false)
    },
  }).visit(parsed(from).program)
  return imports
}

/** The file of ours that an import resolves to; undefined for third-party packages. */
export function resolve(path: string, specifier: string, manifests: Record<string, Manifest>): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  const folder = Object.keys(manifests).find((each) => isInside(specifier, manifests[each]!.name))
  const file = folder && entryPoint(manifests[folder]!, specifier)
  return file && posix.join(folder, file)
}

/** The file behind an entry of a package's exports, such as `./src/users.ts`; undefined when there is none. */
export function entryPoint({ name, exports = {} }: Manifest, specifier: string): string | undefined {
  const path = `.${specifier.slice(name.length)}`
  if (exports[path]) return exports[path]
  for (const [pattern, file] of Object.entries(exports)) {
    const [start, end] = pattern.split('*')
    if (end === undefined || !path.startsWith(start!) || !path.endsWith(end)) continue
    return file.replace('*', path.slice(start!.length, path.length - end.length))
  }
  return undefined
}

export function isInside(specifier: string, name: string) {
  return specifier === name || specifier.startsWith(`${name}/`)
}

/** The package.json of each workspace, by its folder. */
export function readManifests(root: string): Record<string, Manifest> {
  const files = globSync(['{packages,apps,examples}/*/package.json', '{e2e,bench}/package.json'], { cwd: root })
  return Object.fromEntries(files.map((file) => [dirname(file), JSON.parse(readFileSync(join(root, file), 'utf8'))]))
}
