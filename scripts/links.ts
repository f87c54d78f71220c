/**
 * Holds the links of our pages against what they point at. A link such as [`Hub`](…/hub.ts#L42) names a line: it must
 * be the one that declares `Hub`.
 *
 *   node scripts/run.mjs scripts/links.ts [--write]     --write moves the line numbers to where the names are now
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface Wrong {
  page: string
  link: string
  why: string
}

const LINK = /\[(?:`([^`]+)`|[^\]]*)\]\(([^)#\s]*)(?:#L(\d+))?(?:#[^)]*)?\)/g

/** The links of a page that lead nowhere, and the page with its line numbers put right. */
export function checkPage(page: string, text: string): { wrong: Wrong[]; mended: string } {
  const wrong: Wrong[] = []
  const mended = text.replace(
    LINK,
    (link: string, name: string | undefined, path: string, line: string | undefined) => {
      if (path === '' || /^[a-z]+:/.test(path)) return link
      const target = join(dirname(page), path)
      if (!existsSync(target)) {
        wrong.push({ page, link, why: 'there is no such file' })
        return link
      }
      if (line === undefined || name === undefined) return link
      const declared = lineOf(name, readFileSync(target, 'utf8'))
      if (declared === undefined) wrong.push({ page, link, why: `${name} is not declared there` })
      else if (declared !== Number(line)) wrong.push({ page, link, why: `${name} is declared in line ${declared}` })
      return declared === undefined ? link : link.replace(`#L${line}`, `#L${declared}`)
    },
  )
  return { wrong, mended }
}

/** The first line that declares a name, as a function, a class, a value or a method. */
export function lineOf(name: string, source: string): number | undefined {
  const declaration = new RegExp(
    `\\b(?:function|class|const|interface|type)\\s+${name}\\b(?!\\s*(?:,|}|as\\b))|^\\s*(?:async\\s+)?#?${name}\\s*(?:<[^>]*>)?\\(`,
  )
  const index = source.split('\n').findIndex((line) => declaration.test(line))
  return index < 0 ? undefined : index + 1
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const write = process.argv.includes('--write')
  const pages = globSync(['*.md', 'docs/**/*.md', '{apps,packages,examples}/*/*.md', 'bench/*.md'], { cwd: root })
  const wrong = pages.flatMap((name) => {
    const page = join(root, name)
    const text = readFileSync(page, 'utf8')
    const checked = checkPage(page, text)
    if (write && checked.mended !== text) writeFileSync(page, checked.mended)
    return write ? checkPage(page, checked.mended).wrong : checked.wrong
  })
  for (const { page, link, why } of wrong) console.error(`${relative(root, page)}: ${link}: ${why}`)
  console.log(`${pages.length} pages, ${wrong.length} wrong links`)
  process.exit(wrong.length > 0 ? 1 : 0)
}
