/**
 * Counts the rules of docs/spec that are in the title of a test, by group and part, and refuses titles with an unknown
 * id and two rules with one id.
 *
 *     node scripts/rules-in-titles.ts [--list GROUP|all] [--part server|client|widgets|web]     lists those without a proof
 *
 * A rule for (server, client) needs a test in apps/server and one in packages/client; an end-to-end test proves it for
 * every part. Skipped tests prove nothing.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ESTree, Visitor } from 'vite'
import { allSources, lineAt, parsed, type Report, type SourceFile } from './source-files.ts'

export interface Rule {
  id: string
  parts: string[]
}

export interface Title {
  path: string
  line: number
  text: string
}

/** One rule in one of the parts that must satisfy it. */
export interface Duty {
  id: string
  part: string
  isProved: boolean
}

const homes: Record<string, string> = {
  'apps/server/': 'server',
  'packages/client/': 'client',
  'packages/widgets/': 'widgets',
  'apps/web/': 'web',
}

/** @param text  one page of docs/spec; other lines are ignored */
export function rulesIn(text: string): Rule[] {
  return [...text.matchAll(/^- \*\*([A-Z][A-Z0-9]*-\d+)\*\* \(([a-z, ]+)\) /gm)].map(([, id, parts]) => ({
    id: id!,
    parts: parts!.split(', '),
  }))
}

/** The titles of the tests in a file that will run. */
export function titlesIn(file: SourceFile): Title[] {
  const { path, text } = file
  const titles: Title[] = []
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (!first || !isTest(callee)) return
      const title = textOf(first)
      if (title !== undefined) titles.push({ path, line: lineAt(text, first.start), text: title })
    },
  }).visit(parsed(file).program)
  return titles
}

/** `it`, `test.concurrent`, `it.each(rows)` …, except permanently skipped ones. */
function isTest(callee: ESTree.Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'it' || callee.name === 'test'
  if (callee.type === 'CallExpression') return isTest(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return isTest(callee.tag)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  return !['skip', 'todo'].includes(callee.property.name) && isTest(callee.object)
}

/** The text of a title, without interpolated values. */
function textOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join(' ')
  return undefined
}

function idsIn(text: string): string[] {
  return text.match(/\b[A-Z][A-Z0-9]*-\d+\b/g) ?? []
}

export function duties(rules: Rule[], titles: Title[]): Duty[] {
  const proved = new Set<string>()
  for (const { path, text } of titles) {
    const home = Object.keys(homes).find((folder) => path.startsWith(folder))
    const parts = home ? [homes[home]] : path.startsWith('e2e/') ? Object.values(homes) : []
    for (const id of idsIn(text)) for (const part of parts) proved.add(`${id} ${part}`)
  }
  return rules.flatMap(({ id, parts }) => parts.map((part) => ({ id, part, isProved: proved.has(`${id} ${part}`) })))
}

/** Ids that two rules share: a test of one would seem to prove the other. */
export function doubled(rules: Rule[]): string[] {
  return [...Map.groupBy(rules, ({ id }) => id)].filter(([, { length }]) => length > 1).map(([id]) => id)
}

/** Ids that no rule has. `SHA-256` in a sentence is no id; in brackets, or with a known group, everything is. */
export function strangers(rules: Rule[], titles: Title[]): (Title & { id: string })[] {
  const known = new Set(rules.map(({ id }) => id))
  const groups = new Set(rules.map(({ id }) => groupOf(id)))
  return titles.flatMap((title) => {
    const inBrackets = new Set((title.text.match(/\[[^\]]*\]/g) ?? []).flatMap(idsIn))
    const meant = idsIn(title.text).filter((id) => inBrackets.has(id) || groups.has(groupOf(id)))
    return meant.filter((id) => !known.has(id)).map((id) => ({ ...title, id }))
  })
}

export function coverage(all: Duty[]): string {
  const lines = [...Map.groupBy(all, ({ id }) => groupOf(id))].map(([group, mine]) => {
    const open = Map.groupBy(
      mine.filter(({ isProved }) => !isProved),
      ({ part }) => part,
    )
    const counts = [...open].map(([part, { length }]) => `${part} ${length}`).join(', ')
    return `${group.padEnd(5)} ${fraction(mine).padStart(7)}${counts && `  open: ${counts}`}`
  })
  const proved = all.filter(({ isProved }) => isProved).length
  return [...lines, `rules proved: ${proved} of ${all.length} (${((100 * proved) / all.length).toFixed(1)} %)`].join(
    '\n',
  )
}

function fraction(mine: Duty[]) {
  return `${mine.filter(({ isProved }) => isProved).length}/${mine.length}`
}

function groupOf(id: string) {
  return id.slice(0, id.lastIndexOf('-'))
}

export function reportRules(root: string, files: readonly SourceFile[]): Report {
  const { rules, titles } = read(root, files)
  const unknown = strangers(rules, titles).map(({ path, line, id }) => `${path}:${line}: no rule is called ${id}`)
  const twice = doubled(rules).map((id) => `docs/spec: two rules are called ${id}`)
  const wrong = [...unknown, ...twice]
  return { lines: [coverage(duties(rules, titles)), ...wrong], passes: wrong.length === 0 }
}

function read(root: string, files: readonly SourceFile[]) {
  const pages = globSync('docs/spec/*.md', { cwd: root }).sort()
  const rules = pages.flatMap((page) => rulesIn(readFileSync(join(root, page), 'utf8')))
  const titles = files
    .filter(({ path }) => /\.test\.tsx?$/.test(path) && !path.startsWith('scripts/'))
    .flatMap(titlesIn)
  return { rules, titles }
}

if (import.meta.main) {
  const { list = 'all', part } = parseArgs({ options: { list: { type: 'string' }, part: { type: 'string' } } }).values
  const root = join(import.meta.dirname, '..')
  const { rules, titles } = read(root, allSources(root))
  for (const duty of duties(rules, titles))
    if (!duty.isProved && (!part || duty.part === part) && (list === 'all' || groupOf(duty.id) === list))
      console.log(`${duty.id}\t${duty.part}`)
}
