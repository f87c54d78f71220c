import { expect, it } from 'vitest'
import { apiReport } from './api-report.ts'

/** Declarations as the compiler writes them, by path. */
function report(files: Record<string, string>, entries: Record<string, string> = { '@parley/kit': 'kit/index.ts' }) {
  return apiReport(new Map(Object.entries(entries)), (path) => files[path])
}

it('lists what an entry point exports, sorted, wherever it is declared and by its exported name', () => {
  const text = report({
    'kit/index.ts': `export { b as later, type A } from './b.ts';\nexport type * from './c.ts';`,
    'kit/b.ts': `export declare function b(one: string): void;\nexport declare function b(two: number): void;\nexport interface A {\n    on: boolean;\n}`,
    'kit/c.ts': 'export type C = 1;\nexport declare const unseen = 1;',
  })
  expect(text).toContain(`## @parley/kit

export interface A {
  on: boolean
}

export type C = 1

export b as later
function b(one: string): void
function b(two: number): void
`)
})

it('lists types that exports name without exporting them, and what those name in turn', () => {
  const text = report({
    'kit/index.ts': `import type { Options } from './options.ts';\nexport declare function open(options: Options): import("./found.ts").Found;`,
    'kit/options.ts':
      'export interface Options extends Base {\n}\ninterface Base {\n    near: Place;\n}\ntype Place = 1;\ntype Unused = 2;',
    'kit/found.ts': 'export type Found = string;',
  })
  expect(text).toContain('export function open(options: Options): Found\n')
  const rest = text.slice(text.indexOf('## Not exported'))
  expect(rest.match(/^(?:interface|type) \w+/gm)).toEqual([
    'interface Base',
    'interface Options',
    'type Found',
    'type Place',
  ])
})

it('lists the functions that a class gathers from a module', () => {
  const text = report({
    'kit/index.ts': `export declare const Calls: new () => Methods<typeof import("./calls.ts"), "send">;\ntype Methods<A, B> = A[B];`,
    'kit/calls.ts': 'export declare function send(context: ClientContext, text: string): void;',
  })
  expect(text).toContain(`Methods<typeof import('calls.ts'), "send">`)
  expect(text).toContain('function send(context: ClientContext, text: string): void')
})

it('omits what cannot be used outside', () => {
  const text = report({
    'kit/index.ts': `import type { ChannelContext } from './door.ts';\nexport declare class Cell {\n    #private;\n    private old: Hidden;\n    protected readonly door: ChannelContext;\n    constructor(door: ChannelContext);\n    get value(): number;\n}\ninterface Hidden {\n}`,
    'kit/door.ts': 'export interface ChannelContext {\n    secret: string;\n}',
  })
  expect(text).toContain('export class Cell {\n  constructor(door: ChannelContext)\n  get value(): number\n}')
  expect(text).not.toMatch(/Hidden|secret|private/)
})

it('only names types of other packages, and lists a declaration once', () => {
  const files = {
    'kit/index.ts': `export type { Message } from '@parley/protocol/messages';\nexport { A } from './a.ts';`,
    'kit/a.ts': 'export declare class A {\n}',
    'kit/server.ts': `export { A } from './a.ts';`,
  }
  const text = report(files, { '@parley/kit': 'kit/index.ts', '@parley/kit/server': 'kit/server.ts' })
  expect(text).toContain('export Message, from @parley/protocol/messages')
  expect(text).toContain('## @parley/kit/server\n\nexport A, as in @parley/kit\n')
})
