/**
 * Refuses direct use of what a browser may refuse: its storages, its databases, its channels between pages and its locks.
 * The files named here use them, and cope with a browser where they are missing, refused, full or garbled.
 */
import { Visitor } from 'vite'
import { lineAt, parsed, type Report, type SourceFile } from './source-files.ts'

const accessors = [
  'packages/client/src/storage/indexed-db.ts',
  'packages/widgets/src/preferences/device-memory.ts',
  'apps/web/app/ui/browser-memory.ts',
]

/** What runs in a browser. */
const CHECKED = /^(packages\/(client|widgets)\/src|apps\/web\/app)\//
const TESTS = /\.test\.tsx?$|\.stories\.tsx$|\/testing\//

const globals = ['localStorage', 'sessionStorage', 'indexedDB', 'BroadcastChannel']

export interface Finding {
  path: string
  line: number
  name: string
}

export function findings(file: SourceFile): Finding[] {
  if (!CHECKED.test(file.path) || TESTS.test(file.path) || accessors.includes(file.path)) return []
  const found: Finding[] = []
  const add = (at: number, name: string) => found.push({ path: file.path, line: lineAt(file.text, at), name })
  const types = new Set<number>()
  new Visitor({
    // `BroadcastChannel` as the name of a type uses none.
    TSTypeReference: (node) => types.add(node.typeName.start),
    Identifier(node) {
      if (globals.includes(node.name) && !types.has(node.start)) add(node.start, node.name)
    },
    MemberExpression(node) {
      const { object, property } = node
      if (
        object.type === 'Identifier' &&
        object.name === 'navigator' &&
        'name' in property &&
        property.name === 'locks'
      )
        add(node.start, 'navigator.locks')
    },
  }).visit(parsed(file).program)
  return found
}

export function reportBrowserMemory(files: readonly SourceFile[]): Report {
  const found = files.flatMap(findings)
  const lines = found.map(
    ({ path, line, name }) => `${path}:${line}: ${name} may be refused; use ${accessors[1]} or ${accessors[2]}`,
  )
  return { lines: [...lines, `${found.length} direct uses of what a browser may refuse`], passes: found.length === 0 }
}
