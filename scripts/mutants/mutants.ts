/**
 * Mutants: small changes of single lines of the product, found in the syntax tree.
 *
 * Code without effect on tests is ignored: types, imports, log arguments, error texts.
 */
import { type ESTree, parseSync } from 'vite'
import { lineAt, type SourceFile } from '../source-files.ts'

export interface Mutant {
  path: string
  /** 1-based. */
  line: number
  /** The original line, trimmed. */
  text: string
  start: number
  end: number
  before: string
  after: string
}

/** A node of the syntax tree and its parent. */
interface Place {
  node: ESTree.Node
  parent: ESTree.Node
  /** The parent's field that holds it. */
  as: string
}

/** @param after  replaces the node's text */
type Change = (node: ESTree.Node, after: string) => void

const opposite: Record<string, string[]> = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '??=': ['='],
  '||=': ['='],
  '++': ['--'],
  '--': ['++'],
}

/** Calls that return roughly the value they are called on. */
const passing = new Set(
  'filter sort toSorted reverse toReversed slice trim trimStart trimEnd toLowerCase toUpperCase normalize'.split(' '),
)
const otherMethod = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
])

/** `closed`, `message.new`, `image/png`: a word that programs compare; sentences are for users. */
const CODE_WORD = /^[\w.:/@-]+$/
/** Wrappers of expressions that are not types themselves. */
const typed = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSInstantiationExpression'])
const logs = /^#?(log|logger|console)$/

/** All mutants of single lines, in the order of the text. */
export function mutantsIn({ path, text }: SourceFile): Mutant[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]!.message}`)
  const found = new Map<string, Mutant>()

  const add = (start: number, end: number, after: string) => {
    const before = text.slice(start, end)
    if (before.includes('\n') || before === after || sameHere(before) === sameHere(after)) return
    const lineStart = text.lastIndexOf('\n', start - 1) + 1
    const lineEnd = text.indexOf('\n', start)
    const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim()
    const mutant: Mutant = { path, line: lineAt(text, start), text: line, start, end, before, after }
    found.set(`${start} ${end} ${after}`, mutant)
  }
  const code = (node: ESTree.Node) => text.slice(node.start, node.end)
  const change: Change = (node, after) => add(node.start, node.end, after)

  walk(program, ({ node, parent, as }) => {
    if (
      (node.type.startsWith('TS') && !typed.has(node.type)) ||
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      isLogging(node)
    )
      return false
    // Of a type wrapper only the expression in it is visited.
    if (typed.has(parent.type) && as !== 'expression') return false

    changeCondition(node, change, code)
    changeOperator(node, text, add, change, code)
    changeStatement(node, parent, change)
    changeCall(node, add, change, code)
    changeValue(node, parent, as, text, add, change)
    return true
  })
  return [...found.values()].sort((a, b) => a.start - b.start)
}

/** The text with these mutants; no two may overlap. */
export function withMutants(text: string, mutants: readonly Mutant[]): string {
  return mutants
    .toSorted((a, b) => b.start - a.start)
    .reduce((changed, { start, end, after }) => changed.slice(0, start) + after + changed.slice(end), text)
}

function changeCondition(node: ESTree.Node, change: Change, code: (node: ESTree.Node) => string) {
  const isLoop = node.type === 'WhileStatement' || node.type === 'DoWhileStatement' || node.type === 'ForStatement'
  if (!isLoop && node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return
  if (!node.test) return
  // An endless loop fails every test.
  if (!isLoop) change(node.test, 'true')
  change(node.test, 'false')
  if (node.test.type !== 'BinaryExpression') change(node.test, `!(${code(node.test)})`)
}

function changeOperator(
  node: ESTree.Node,
  text: string,
  add: (start: number, end: number, after: string) => void,
  change: Change,
  code: (node: ESTree.Node) => string,
) {
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression' || node.type === 'AssignmentExpression') {
    if (node.operator === '+' && [node.left, node.right].some(isText)) return
    const [from, to] = [node.left.end, node.right.start]
    const at = from + text.slice(from, to).indexOf(node.operator)
    for (const other of opposite[node.operator] ?? []) add(at, at + node.operator.length, other)
    if (node.type === 'LogicalExpression') {
      change(node, code(node.left))
      if (node.operator !== '??') change(node, code(node.right))
    }
  } else if (node.type === 'UpdateExpression') {
    change(node, code(node).replace(node.operator, opposite[node.operator]![0]!))
  } else if (node.type === 'UnaryExpression' && (node.operator === '!' || node.operator === '-')) {
    change(node, code(node.argument))
  } else if (node.type === 'AwaitExpression') {
    change(node, code(node.argument))
  }
}

function changeStatement(node: ESTree.Node, parent: ESTree.Node, change: Change) {
  if (node.type === 'ReturnStatement') {
    if (node.argument) change(node.argument, 'undefined')
    else change(node, '{}')
  } else if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') {
    change(node.body, 'undefined')
  } else if (node.type === 'ThrowStatement' || node.type === 'ContinueStatement') {
    change(node, '{}')
  } else if (node.type === 'BreakStatement' && parent.type !== 'SwitchCase') {
    change(node, '{}')
  } else if (node.type === 'ExpressionStatement') {
    const isNeeded =
      node.directive || (node.expression.type === 'CallExpression' && node.expression.callee.type === 'Super')
    if (!isNeeded) change(node, '{}')
  }
}

function changeCall(
  node: ESTree.Node,
  add: (start: number, end: number, after: string) => void,
  change: Change,
  code: (node: ESTree.Node) => string,
) {
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { object, property } = node.callee
    if (property.type !== 'Identifier') return
    if (passing.has(property.name)) change(node, code(object))
    const other = otherMethod.get(property.name)
    if (other) add(property.start, property.end, other)
  }
  if (node.type === 'MemberExpression' && node.optional) {
    const property = code(node.property)
    change(node, node.computed ? `${code(node.object)}[${property}]` : `${code(node.object)}.${property}`)
  }
}

function changeValue(
  node: ESTree.Node,
  parent: ESTree.Node,
  as: string,
  text: string,
  add: (start: number, end: number, after: string) => void,
  change: Change,
) {
  if (node.type === 'Literal') {
    if (as === 'key' || as === 'source') return
    if (typeof node.value === 'number') change(node, node.value === 1 ? '0' : `${node.value + 1}`)
    else if (typeof node.value === 'boolean') change(node, `${!node.value}`)
    else if (typeof node.value === 'string' && CODE_WORD.test(node.value) && !isStyle(parent) && !isError(parent))
      change(node, parent.type === 'JSXAttribute' ? '""' : "''")
  } else if (node.type === 'ArrayExpression' && node.elements.length > 0 && !isTuple(node)) {
    change(node, '[]')
  } else if (node.type === 'ObjectExpression') {
    for (const property of node.properties) {
      const comma = /^\s*,/.exec(text.slice(property.end))?.[0] ?? ''
      add(property.start, property.end + (comma.includes('\n') ? 0 : comma.length), '')
    }
  }
}

/** `[name, () => …]`: one entry of a table, which breaks at once when it is empty. */
function isTuple({ elements }: ESTree.ArrayExpression) {
  return elements.length === 2 && elements.some((each) => each?.type === 'ArrowFunctionExpression')
}

function isText(node: ESTree.Node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

function isStyle(parent: ESTree.Node) {
  return parent.type === 'JSXAttribute' && parent.name.type === 'JSXIdentifier' && parent.name.name === 'className'
}

function isError(parent: ESTree.Node) {
  return parent.type === 'NewExpression' && parent.callee.type === 'Identifier' && parent.callee.name === 'Error'
}

/** `log.warn(…)`, `this.#log?.error(…)`, `console.log(…)`; as a statement, too. */
function isLogging(node: ESTree.Node): boolean {
  if (node.type === 'ExpressionStatement' || node.type === 'ChainExpression') return isLogging(node.expression)
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  const { object } = node.callee
  const name = object.type === 'MemberExpression' ? object.property : object
  return (name.type === 'Identifier' || name.type === 'PrivateIdentifier') && logs.test(name.name)
}

/** Texts that differ in whitespace and brackets only are the same. */
function sameHere(text: string) {
  return text.replace(/[\s()]/g, '')
}

/** Visits every node, parents first; a visit that returns false skips the children. */
function walk(root: ESTree.Node, visit: (place: Place) => boolean) {
  const inside = (parent: ESTree.Node) => {
    for (const [as, value] of Object.entries(parent))
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) go({ node: each, parent, as })
  }
  const go = (place: Place) => {
    if (visit(place)) inside(place.node)
  }
  inside(root)
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
