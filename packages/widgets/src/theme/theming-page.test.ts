import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(source, path), 'utf8')
const page = readFileSync(join(source, '../theming.md'), 'utf8')
const sheets = globSync('**/*.css', { cwd: source })
  .filter((file) => !/^(testing|gallery)/.test(file))
  .map(read)
  .join('\n')
  .replace(/\/\*.*?\*\//gs, '')
const components = globSync('**/*.tsx', { cwd: source }).map(read).join('\n')
const tokens = read('theme/tokens.css').replace(/\/\*.*?\*\//gs, '')

/** The variables that a rule of tokens.css sets, in their order. */
function setIn(selector: string): Record<string, string> {
  const rule = new RegExp(`^${selector.replaceAll('.', '\\.')} \\{(.*?)^\\}`, 'ms').exec(tokens)![1]!
  return Object.fromEntries(
    [...rule.matchAll(/(--chat-[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!]),
  )
}

/** The rows of the table under a heading of the page, without code marks. */
function rowsUnder(heading: string): string[][] {
  const part = page.split(/^## /m).find((part) => part.startsWith(heading))!
  const rows = part.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').replaceAll('`', '')))
}

describe('the theming page', () => {
  it('has every colour with its value in both themes', () => {
    const [light, dark] = [setIn('.chat-theme-light'), setIn('.chat-theme-dark')]
    const told = rowsUnder('Colours').map(([name, inLight, inDark]) => [name, inLight, inDark])
    expect(told).toEqual(Object.keys(light).map((name) => [name, light[name], dark[name]]))
  })

  it('has every size and typeface with its value', () => {
    expect(rowsUnder('Sizes').map(([name, value]) => [name, value])).toEqual(Object.entries(setIn('.chat')))
  })

  it('has every variable that a component reads and does not compute itself', () => {
    const used = new Set([...sheets.matchAll(/var\((--chat-[\w-]+)/g)].map(([, name]) => name!))
    const computed = new Set([...components.matchAll(/'(--chat-[\w-]+)':/g)].map(([, name]) => name!))
    const told = new Set([...page.matchAll(/^\| `(--chat-[\w-]+)`/gm)].map(([, name]) => name!))
    expect([...used].filter((name) => !told.has(name) && !computed.has(name))).toEqual([])
    expect([...told].filter((name) => !sheets.includes(name))).toEqual([])
  })

  it("gives the default of a component's variable", () => {
    for (const [name, value] of rowsUnder('Of single')) {
      if (/^(by|set by) /.test(value!)) continue
      const fallback = new RegExp(`var\\(${name}, (.+?)\\)(?:;|\\s|$)`, 'm').exec(sheets)?.[1]
      expect({ name, value: fallback }).toEqual({ name, value })
    }
  })

  it('names states that components really have', () => {
    const states = rowsUnder('States').map(([selector]) => /^\.([\w-]+)\[(data-[\w-]+)\]$/.exec(selector!)!)
    expect(states.length).toBeGreaterThan(15)
    for (const [, name, attribute] of states) {
      expect(components).toContain(name)
      expect(components).toMatch(new RegExp(`${attribute}'?[=:]`))
    }
  })
})
