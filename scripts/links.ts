/**
 * Checks the links of our pages against their targets, and the pointers in comments against our pages.
 *
 * - A link leads to an existing file, and to a heading that it has.
 * - A link such as [`Hub`](…/hub.ts#L42) names a line: it must be the one that declares `Hub`.
 * - A comment that names a page is resolved from its own folder, from the root, from docs or from docs/wire; a number
 *   behind it is a section of that page: `messaging.md 5.2`.
 *
 *   node scripts/run.mjs scripts/links.ts [--write]     --write updates the line numbers
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { allSources, lineAt, parsed, type Report, type SourceFile } from './source-files.ts'

/** Folders of the pages that comments name without their folder. */
const POINTED = ['docs', 'docs/wire']

export interface Wrong {
  page: string
  link: string
  why: string
}

const LINK = /\[(?:`([^`]+)`|[^\]]*)\]\(([^)#\s]*)(?:#L(\d+))?(?:#([^)\s]*))?\)/g
/** Files that HTML loads, in pages of either kind. */
const HTML_LINK = /<[a-z]+\b[^>]*?\b(?:href|src|srcset)="([^"#]*)(?:#([^"]*))?"/g
/** Links in examples are ignored. */
const CODE = /^( *)(```|~~~)[^\n]*\n[\s\S]*?^\1\2|`[^`\n]*`/gm

/** The broken links of a page, and the page with corrected line numbers. */
export function checkPage(page: string, text: string): { wrong: Wrong[]; mended: string } {
  const wrong: Wrong[] = []
  const mended = text.replace(LINK, (link: string, name?: string, path = '', line?: string, heading?: string) => {
    const why = whyWrong(page, text, path, heading)
    if (why !== undefined) wrong.push({ page, link, why })
    if (why !== undefined || line === undefined || name === undefined) return link
    const declared = lineOf(name, readFileSync(join(dirname(page), path), 'utf8'))
    if (declared === undefined) wrong.push({ page, link, why: `${name} is not declared there` })
    else if (declared !== Number(line)) wrong.push({ page, link, why: `${name} is declared in line ${declared}` })
    return declared === undefined ? link : link.replace(`#L${line}`, `#L${declared}`)
  })
  for (const [link, path = '', heading] of text.replace(CODE, '').matchAll(HTML_LINK)) {
    const why = whyWrong(page, text, path, heading)
    if (why !== undefined) wrong.push({ page, link, why })
  }
  return { wrong, mended }
}

/** Other sites are not checked. */
function whyWrong(page: string, text: string, path: string, heading: string | undefined): string | undefined {
  if (/^[a-z]+:/.test(path)) return undefined
  const target = path === '' ? page : join(dirname(page), path)
  if (path !== '' && !existsSync(target)) return 'there is no such file'
  if (!heading || !target.endsWith('.md')) return undefined
  return anchorsOf(path === '' ? text : readFileSync(target, 'utf8')).has(heading)
    ? undefined
    : 'the page has no such heading'
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>()
  return new Set(
    headingsOf(text).map((heading) => {
      const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
      const anchor = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
      const times = seen.get(anchor) ?? 0
      seen.set(anchor, times + 1)
      return times === 0 ? anchor : `${anchor}-${times}`
    }),
  )
}

function headingsOf(text: string): string[] {
  const withoutBlocks = text.replace(/^( *)(```|~~~)[^\n]*\n[\s\S]*?^\1\2/gm, '')
  return [...withoutBlocks.matchAll(/^#{1,6} +(.+?)(?: +#+)? *$/gm)].map(([, heading]) => heading!)
}

/** The first line that declares a name, as a function, a class, a value or a method. */
export function lineOf(name: string, source: string): number | undefined {
  const declaration = new RegExp(
    `\\b(?:function|class|const|interface|type)\\s+${name}\\b(?!\\s*(?:,|}|as\\b))|^\\s*(?:async\\s+)?#?${name}\\s*(?:<[^>]*>)?\\(`,
  )
  const index = source.split('\n').findIndex((line) => declaration.test(line))
  return index < 0 ? undefined : index + 1
}

/** Turns the pointers in a generated page into links, relative to its folder. */
export function withPointersLinked(text: string, folder: string, root: string): string {
  return text.replace(POINTER, (pointer: string, path: string) => {
    const target = POINTED.map((place) => join(place, path)).find((place) => existsSync(join(root, place)))
    if (!target) return pointer
    const headings = headingsOf(readFileSync(join(root, target), 'utf8'))
    const anchors = [...anchorsOf(readFileSync(join(root, target), 'utf8'))]
    // The name goes with the first section.
    return pointer.replace(/(?:[\w-]+\.md )?(\d+(?:\.\d+)*)/g, (words: string, section: string) => {
      const anchor = anchors[headings.findIndex((heading) => isSection(heading, section))]
      return `[${words}](${relative(folder, target)}#${anchor})`
    })
  })
}

function isSection(heading: string, number: string): boolean {
  return new RegExp(`^${number.replaceAll('.', '\\.')}\\b(?!\\.\\d)`).test(heading)
}

/** A page that a comment names, and sections of it. */
const POINTER = /(?<![\w/.-])((?:[\w.-]+\/)*[\w.-]+\.md)\b((?:,? (?:and )?\d+(?:\.\d+)*\b(?! *(?:%|ms|s\b)))*)/g

/** The broken pointers in a file's comments. @param read  returns the text of a page by its path from the root */
export function deadPointers(file: SourceFile, read: (path: string) => string | undefined): Wrong[] {
  if (!file.text.includes('.md')) return []
  const { comments } = parsed(file)
  return comments.flatMap(({ value, start }) => {
    const place = `${file.path}:${lineAt(file.text, start)}`
    return [...value.matchAll(POINTER)].flatMap(([, path = '', numbers = '']) => {
      const page = [join(dirname(file.path), path), path, ...POINTED.map((folder) => `${folder}/${path}`)]
        .map(read)
        .find((text) => text !== undefined)
      const sections = numbers.match(/\d+(?:\.\d+)*/g) ?? []
      if (page === undefined) return [{ page: place, link: path, why: 'there is no such page' }]
      const headings = headingsOf(page)
      return sections
        .filter((number) => !headings.some((heading) => isSection(heading, number)))
        .map((number) => ({ page: place, link: `${path} ${number}`, why: 'the page has no such section' }))
    })
  })
}

/** @param write  updates the line numbers of links */
export function reportLinks(root: string, files: readonly SourceFile[], write = false): Report {
  const pages = tracked(root, ['*.md', '*.html'])
  const wrong = pages.flatMap((name) => {
    const page = join(root, name)
    const text = readFileSync(page, 'utf8')
    const checked = checkPage(page, text)
    if (write && checked.mended !== text) writeFileSync(page, checked.mended)
    return write ? checkPage(page, checked.mended).wrong : checked.wrong
  })
  const known = new Map(
    pages.filter((name) => name.endsWith('.md')).map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  )
  wrong.push(...files.flatMap((file) => deadPointers(file, (path) => known.get(path))))
  const lines = wrong.map(({ page, link, why }) => `${page.replace(`${root}/`, '')}: ${link}: ${why}`)
  const sum = `${pages.length} pages and ${files.length} files, ${wrong.length} links and pointers that lead nowhere`
  return { lines: [...lines, sum], passes: wrong.length === 0 }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const { lines, passes } = reportLinks(root, allSources(root), process.argv.includes('--write'))
  console.log(lines.join('\n'))
  process.exit(passes ? 0 : 1)
}

function tracked(root: string, patterns: string[]): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns]
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))
}
