/**
 * Refuses code whose result depends on the time or place it runs at.
 *
 * A test does not read the machine's calendar: it would fail on some evening, in some month, in some country. It has a
 * clock of its own, or gets a moment relative to now from `machine-time.ts`. The tests of the kit have a date of their
 * own instead, also in their pages, and so may read it.
 *
 * Neither tests nor the product format, sort or segment text in the machine's default language.
 */
import { Visitor } from 'vite'
import { lineAt, parsed, type Report, type SourceFile } from './source-files.ts'

/** Where the date is not the machine's, or is turned into something that a test may use. */
const ownDay = [
  'packages/widgets/',
  'scripts/machine-time.ts',
  // Runs with the machine's clock, and is shifted by hand.
  'apps/server/src/testing/fake-clock.ts',
]

/** Functions that use the machine's language by default; the number of arguments before the language. */
const localeAfter: Record<string, number> = {
  toLocaleString: 0,
  toLocaleDateString: 0,
  toLocaleTimeString: 0,
  toLocaleUpperCase: 0,
  toLocaleLowerCase: 0,
  localeCompare: 1,
}

/** Members of Intl that do not depend on the language. */
const withoutLocale = ['supportedValuesOf', 'getCanonicalLocales', 'Locale']

export interface Finding {
  path: string
  line: number
  why: string
}

/** The fields of a parsed node that matter here. */
interface Node {
  type: string
  start: number
  name?: string
  value?: unknown
  object?: Node
  property?: Node
  callee?: Node
  arguments?: Node[]
}

export function findings(file: SourceFile): Finding[] {
  const found: Finding[] = []
  const add = (at: number, why: string) => found.push({ path: file.path, line: lineAt(file.text, at), why })
  const readsDates = !isTest(file.path) || ownDay.some((path) => file.path.startsWith(path))

  new Visitor({
    NewExpression(node) {
      const why = intlWithoutLocale(node as Node)
      if (why) add(node.start, why)
      if (!readsDates && isNamed(node.callee as Node, 'Date') && node.arguments.length === 0)
        add(node.start, 'new Date() is the date of the machine; take a time from machine-time.ts or from a clock')
    },
    CallExpression(node) {
      const why = intlWithoutLocale(node as Node) ?? textWithoutLocale(node as Node)
      if (why) add(node.start, why)
      if (!readsDates && isNamed(node.callee as Node, 'Date'))
        add(node.start, 'Date() is the date of the machine; take a time from machine-time.ts or from a clock')
    },
    MemberExpression(node) {
      const [object, property] = [node.object as Node, node.property as Node]
      // With `Temporal.Now` the name itself is the clock, whichever method is called.
      const isClock =
        (isNamed(object, 'Date') && property.name === 'now') || (isNamed(object, 'Temporal') && property.name === 'Now')
      if (!readsDates && isClock)
        add(
          node.start,
          `${object.name}.${property.name} is the time of the machine; take one from machine-time.ts or from a clock, and measure with performance.now()`,
        )
    },
  }).visit(parsed(file).program)
  return found
}

function intlWithoutLocale({ callee, arguments: given }: Node): string | undefined {
  if (callee?.type !== 'MemberExpression' || !isNamed(callee.object!, 'Intl')) return undefined
  const name = callee.property!.name!
  if (withoutLocale.includes(name) || isGiven(given![0])) return undefined
  return `Intl.${name} without a locale speaks the language of the machine`
}

function textWithoutLocale({ callee, arguments: given }: Node): string | undefined {
  if (callee?.type !== 'MemberExpression') return undefined
  const name = callee.property!.name ?? ''
  const before = Object.hasOwn(localeAfter, name) ? localeAfter[name]! : undefined
  if (before === undefined || isGiven(given![before])) return undefined
  return `${name} without a locale speaks the language of the machine`
}

function isGiven(argument: Node | undefined) {
  return argument !== undefined && !isNamed(argument, 'undefined')
}

/** `Date`, and also `globalThis.Date`. */
function isNamed(node: Node, name: string): boolean {
  if (node.type === 'MemberExpression' && isNamed(node.object!, 'globalThis')) return node.property!.name === name
  return node.type === 'Identifier' && node.name === name
}

/** Tests and test-only code. */
function isTest(path: string) {
  return /\.test\.tsx?$|\.stories\.tsx$|\/testing\/|^e2e\/|^scripts\/(services|machine-time)/.test(path)
}

export function reportTimeAndPlace(files: readonly SourceFile[]): Report {
  const found = files.flatMap(findings)
  const lines = found.map(({ path, line, why }) => `${path}:${line}: ${why}`)
  return {
    lines: [...lines, `${files.length} files, ${found.length} that come out differently at another time or place`],
    passes: found.length === 0,
  }
}
