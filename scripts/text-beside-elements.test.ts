import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findings } from './text-beside-elements.ts'

const root = join(import.meta.dirname, '..')
const config = join(root, 'scripts/fixtures/tsconfig.text.json')
const file = join(root, 'scripts/fixtures/text.tsx')

const known = `
import { Fragment, type ReactElement, type ReactNode } from 'react'
declare const name: string, count: number, many: string[], some: boolean, node: ReactNode, part: ReactElement
declare const t: (key: string) => string
declare const Box: (props: { children: ReactNode }) => ReactElement
`

/** The texts found in each of these expressions, in one run of the compiler. */
function found(expressions: readonly string[]): Record<string, string[]> {
  const before = known.split('\n').length
  const text = `${known}${expressions.map((expression, place) => `export const part${place} = ${expression}`).join('\n')}\n`
  const tsconfig = JSON.stringify({ extends: '../../tsconfig.json', include: [], files: ['text.tsx'] })
  const all = findings(root, ['scripts/fixtures/tsconfig.text.json'], { [config]: tsconfig, [file]: text })
  return Object.fromEntries(
    expressions.map((expression, place) => [
      expression,
      all.filter(({ line }) => line === before + place).map(({ text }) => text),
    ]),
  )
}

it('refuses text that stands beside other content', () => {
  const refused = {
    '<p><b />{name}</p>': ['{name}'],
    '<p><b />{t("key")}</p>': ['{t("key")}'],
    '<p>{some && <b />}{count}</p>': ['{count}'],
    '<p>{some && name}<b /></p>': ['{some && name}'],
    '<p>{some ? <b /> : name}<i /></p>': ['{some ? <b /> : name}'],
    '<p>Hello <b /></p>': ['Hello '],
    '<p>{name}{count}</p>': ['{name}', '{count}'],
    '<p>{many}</p>': ['{many}'],
    '<p>{many.map((each) => some ? each : <b key={each} />)}</p>': [
      '{many.map((each) => some ? each : <b key={each} />)}',
    ],
    '<p>{count && <b />}<i /></p>': ['{count && <b />}'],
    '<p><b />{node}</p>': ['{node}'],
    '<Box><b />{name}</Box>': ['{name}'],
    '<>{name}</>': ['{name}'],
    '<Fragment key="a">{name}</Fragment>': ['{name}'],
    'function Name() { return name }': ['name'],
    'function Name() { return some ? name : <b /> }': ['some ? name : <b />'],
  }
  expect(found(Object.keys(refused))).toEqual(refused)
})

it('allows text alone in its element, elements, and blanks', () => {
  const allowed = [
    '<p>{name}</p>',
    '<p>{some ? name : <b />}</p>',
    '<p>{node}</p>',
    '<p><b />{some && <i />}{part}</p>',
    '<p>{name && <b />}<i /></p>',
    '<p><b />{many.map((each) => <i key={each}>{each}</i>)}</p>',
    "<p><b />{' '}<i /></p>",
    '<p><b /> {/* a comment */} <i /></p>',
    '<Box>{name}</Box>',
    'function nameOf() { return name }',
    'function Name() { return <b>{name}</b> }',
  ]
  expect(found(allowed)).toEqual(Object.fromEntries(allowed.map((expression) => [expression, []])))
})
