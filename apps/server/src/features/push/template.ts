/**
 * Templates of push texts, written by administrators: the part of Handlebars that is documented for them. Parsed here
 * and not by Handlebars, which compiles a text to code, has no limits and escapes for HTML: a template sees only the
 * plain data it is given, its output is inside JSON, and both its work and its output have limits [administration.md
 * 8.4].
 */
import { PUSH_TEMPLATE_CHARS } from '@parley/protocol/limits'

const DEPTH = 20
const STEPS = 20_000
/** Long texts are as much work as many short ones. */
const CHARS_PER_STEP = 100
const OUTPUT_CHARS = 32_768

/** What is wrong with a template, or with what came of it. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

type Part = string | { value: Expression } | Block
interface Block {
  name: string
  args: Expression[]
  named: Record<string, Expression>
  body: Part[]
  otherwise: Part[]
}
type Expression =
  | { literal: unknown }
  | { path: string[]; up: number }
  | { helper: string; args: Expression[]; named: Record<string, Expression> }

/** JSON that goes in as it is. */
class Json {
  readonly text: string
  constructor(value: unknown) {
    this.text = JSON.stringify(value ?? null)
  }
}

type Helper = (args: readonly unknown[], named: Readonly<Record<string, unknown>>) => unknown

const compare =
  (holds: (a: number, b: number) => boolean): Helper =>
  ([a, b]) =>
    holds(Number(a), Number(b))
const textOf = (value: unknown) =>
  value === undefined || value === null || typeof value === 'object' ? '' : `${value}`

/** They can be asked in a hole, in brackets, and, where what they give decides, as a block. */
const helpers: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ['json', ([value]) => new Json(value)],
  ['equal', ([a, b]) => textOf(a) === textOf(b)],
  ['unequal', ([a, b]) => textOf(a) !== textOf(b)],
  ['ifLt', compare((a, b) => a < b)],
  ['ifLte', compare((a, b) => a <= b)],
  ['ifGt', compare((a, b) => a > b)],
  ['ifGte', compare((a, b) => a >= b)],
  ['remainder', ([a, b]) => Number(a) % Number(b)],
  ['truncate', ([text, chars]) => cut(textOf(text), Number(chars))],
  ['implodeMembers', implodeMembers],
])
const blocks: ReadonlySet<string> = new Set(['if', 'unless', 'each'])

/** The first characters of a text, none of them torn in two. */
export function cut(text: string, most: number): string {
  let chars = most
  if (text.length <= chars) return text
  let end = 0
  for (const character of text) {
    if (--chars < 0 || Number.isNaN(chars)) break
    end += character.length
  }
  return text.slice(0, end)
}

function implodeMembers([list]: readonly unknown[], named: Readonly<Record<string, unknown>>): string {
  const { limit = 3, separator = ', ', nameField = 'name', suffixFmt = 'and %d other(s)' } = named
  const names = (Array.isArray(list) ? list : []).flatMap(
    (member) => textOf(own(member, textOf(nameField))) || textOf(own(member, 'id')) || [],
  )
  const shown = names.slice(0, Math.max(0, Number(limit) || 0))
  const rest = names.length - shown.length
  const suffix = rest > 0 ? [textOf(suffixFmt).replace('%d', String(rest))] : []
  return [shown.join(textOf(separator)), ...suffix].filter(Boolean).join(' ')
}

/** A template that was read and can be filled in again and again. */
export class Template {
  #parts: Part[]
  /** @throws TemplateError — it is too long, nested too deeply, or not a template */
  constructor(text: string) {
    if (text.length > PUSH_TEMPLATE_CHARS)
      throw new TemplateError(`a template has at most ${PUSH_TEMPLATE_CHARS} characters`)
    this.#parts = new Reader(text).whole()
  }

  /** @throws TemplateError — what comes of it is no JSON object, or far too much */
  fill(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const text = new Filling().whole(this.#parts, context)
    const json = parsed(text)
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new TemplateError('it does not render to a JSON object')
    return json as Record<string, unknown>
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TemplateError(`it does not render to JSON: ${(cause as Error).message}`, { cause })
  }
}

/** A hole, with the dash of a comment that may hold anything; `~` takes the space beside it. */
const HOLE = /\{\{(?:!--[\s\S]*?--|\{([^{}]*)\}|([^{}]*))\}\}/g
const WORD = /\s+|[()]|=|"[^"]*"|'[^']*'|[^\s()="']+/y

class Reader {
  #pieces: (string | { inside: string })[] = []
  #at = 0
  #depth = 0
  constructor(text: string) {
    let from = 0
    let trims = false
    const literal = (piece: string, before: boolean) => {
      const left = trims ? piece.trimStart() : piece
      this.#pieces.push(before ? left.trimEnd() : left)
    }
    for (const match of text.matchAll(HOLE)) {
      const source = match[1] ?? match[2] ?? '!'
      const hole = source.trim()
      literal(text.slice(from, match.index), hole.startsWith('~'))
      trims = hole.endsWith('~')
      from = match.index + match[0].length
      const inside = hole.replace(/^~|~$/g, '').trim()
      if (!inside.startsWith('!')) this.#pieces.push({ inside })
    }
    literal(text.slice(from), false)
    if (this.#pieces.some((piece) => typeof piece === 'string' && piece.includes('{{')))
      throw new TemplateError('there is a {{ that does not end')
  }

  whole(): Part[] {
    const { parts, end } = this.#until(undefined)
    if (end !== undefined) throw new TemplateError(`{{${end}}} ends nothing`)
    return parts
  }

  /** The parts up to the end of a block, or to its other half. */
  #until(block: string | undefined): { parts: Part[]; end: string | undefined } {
    const parts: Part[] = []
    while (this.#at < this.#pieces.length) {
      const piece = this.#pieces[this.#at++]!
      if (typeof piece === 'string') {
        if (piece !== '') parts.push(piece)
        continue
      }
      const { inside } = piece
      if (inside.startsWith('/') || inside === 'else' || inside.startsWith('else ')) return { parts, end: inside }
      if (inside.startsWith('#')) parts.push(this.#block(inside.slice(1), { closes: true }))
      else if (/^[>^*@]/.test(inside) && !inside.startsWith('@'))
        throw new TemplateError(`{{${inside}}} is not understood here`)
      else parts.push({ value: expression(inside.replace(/^&/, '')) })
    }
    if (block !== undefined) throw new TemplateError(`{{#${block}}} has no end`)
    return { parts, end: undefined }
  }

  /** @param closes  whether it has its own end tag; `{{else if …}}` shares the enclosing one */
  #block(text: string, { closes }: { closes: boolean }): Block {
    if (++this.#depth > DEPTH) throw new TemplateError(`blocks can be nested ${DEPTH} deep`)
    const { name, args, named } = call(text)
    if (!blocks.has(name) && !helpers.has(name)) throw new TemplateError(`there is no block ${name}`)
    const { parts: body, end } = this.#until(name)
    const block: Block = { name, args, named, body, otherwise: [] }
    let last = end
    if (end === 'else') ({ parts: block.otherwise, end: last } = this.#until(name))
    else if (end?.startsWith('else ')) {
      block.otherwise = [this.#block(end.slice('else '.length), { closes: false })]
      last = this.#pieces[this.#at] === undefined ? undefined : this.#ended()
    }
    if (last === undefined || !last.startsWith('/')) throw new TemplateError(`{{#${name}}} has no end`)
    if (closes && last.slice(1).trim() !== name) throw new TemplateError(`{{${last}}} does not end {{#${name}}}`)
    // The enclosing block reads the end tag again.
    if (!closes) this.#at--
    this.#depth--
    return block
  }

  #ended(): string | undefined {
    const piece = this.#pieces[this.#at++]
    return typeof piece === 'object' ? piece.inside : undefined
  }
}

/** @throws TemplateError */
function expression(text: string): Expression {
  const { name, args, named, head } = call(text)
  if (helpers.has(name)) return { helper: name, args, named }
  if (args.length > 0 || Object.keys(named).length > 0) throw new TemplateError(`there is no helper ${name}`)
  return head
}

/** A name with what follows it: values, and values with names of their own. */
function call(text: string) {
  const words = wordsOf(text)
  const first = words.next()
  if (first === undefined) throw new TemplateError('{{}} says nothing')
  const args = rest(words)
  if (words.peek() !== undefined) throw new TemplateError(`{{${text}}} is not understood`)
  const isName = /^[A-Za-z]\w*$/.test(first)
  return { name: isName ? first : '', head: expressionOf(first, words), ...args }
}

type Words = ReturnType<typeof wordsOf>

function wordsOf(text: string) {
  const words: string[] = []
  WORD.lastIndex = 0
  while (WORD.lastIndex < text.length) {
    const at = WORD.lastIndex
    const match = WORD.exec(text)
    if (!match) throw new TemplateError(`{{${text}}} is not understood from character ${at + 1}`)
    if (match[0].trim() !== '') words.push(match[0])
  }
  let at = 0
  return { next: () => words[at++], peek: (ahead = 0) => words[at + ahead], depth: 0 }
}

function rest(words: Words) {
  const args: Expression[] = []
  const named: Record<string, Expression> = {}
  while (words.peek() !== undefined && words.peek() !== ')') {
    const word = words.next()!
    if (words.peek() !== '=') {
      args.push(expressionOf(word, words))
      continue
    }
    words.next()
    const value = words.next()
    if (value === undefined || !/^[A-Za-z]\w*$/.test(word)) throw new TemplateError(`${word}= has no value`)
    named[word] = expressionOf(value, words)
  }
  return { args, named }
}

function expressionOf(word: string, words: Words): Expression {
  if (word === '(') {
    if (++words.depth > DEPTH) throw new TemplateError(`brackets can be nested ${DEPTH} deep`)
    const helper = words.next() ?? ''
    if (!helpers.has(helper)) throw new TemplateError(`there is no helper ${helper}`)
    const args = rest(words)
    if (words.next() !== ')') throw new TemplateError('a ( has no )')
    words.depth--
    return { helper, ...args }
  }
  if (/^["']/.test(word)) return { literal: word.slice(1, -1) }
  if (/^-?\d+(\.\d+)?$/.test(word)) return { literal: Number(word) }
  if (word === 'true' || word === 'false') return { literal: word === 'true' }
  if (word === 'null' || word === 'undefined') return { literal: undefined }
  const up = /^(?:\.\.\/)*/.exec(word)![0].length / 3
  const path = word.slice(up * 3).replace(/^(?:this|\.)(?=$|[./])[./]?/, '')
  if (!/^(?:@?[\p{L}\p{N}_-]+(?:[./][\p{L}\p{N}_-]+)*)?$/u.test(path)) throw new TemplateError(`${word} names nothing`)
  return { path: path === '' ? [] : path.split(/[./]/), up }
}

class Filling {
  #steps = 0
  #written = 0
  /** What `this` is, the innermost last, each with what only its block knows. */
  #scopes: { self: unknown; about: Record<string, unknown> }[] = []

  whole(parts: readonly Part[], context: unknown): string {
    return this.#within(parts, context, {})
  }

  #within(parts: readonly Part[], self: unknown, about: Record<string, unknown>): string {
    this.#scopes.push({ self, about })
    const text = this.#parts(parts)
    this.#scopes.pop()
    return text
  }

  #parts(parts: readonly Part[]): string {
    let text = ''
    for (const part of parts) {
      this.#worked(1)
      if (typeof part === 'string') text += this.#counted(part)
      else if ('value' in part) text += this.#counted(shown(this.#valueOf(part.value)))
      else text += this.#block(part)
    }
    return text
  }

  #worked(steps: number) {
    this.#steps += steps
    if (this.#steps > STEPS) throw new TemplateError('it has too much to do')
  }

  #counted(text: string): string {
    this.#written += text.length
    if (this.#written > OUTPUT_CHARS) throw new TemplateError('it writes too much')
    return text
  }

  #block({ name, args, named, body, otherwise }: Block): string {
    const first = args[0] && this.#valueOf(args[0])
    if (name === 'each') {
      const items = itemsOf(first)
      return items.length === 0
        ? this.#parts(otherwise)
        : items
            .map(([key, item], index) => {
              const about = { '@key': key, '@index': index, '@first': index === 0, '@last': index === items.length - 1 }
              return this.#within(body, item, about)
            })
            .join('')
    }
    const value = name === 'if' || name === 'unless' ? first : this.#valueOf({ helper: name, args, named })
    return this.#parts(isTrue(value) === (name !== 'unless') ? body : otherwise)
  }

  #valueOf(expression: Expression): unknown {
    this.#worked(1)
    if ('literal' in expression) return expression.literal
    if ('helper' in expression) {
      const { helper, args, named } = expression
      const values = Object.entries(named).map(([name, value]) => [name, this.#valueOf(value)] as const)
      const given = helpers.get(helper)!(
        args.map((arg) => this.#valueOf(arg)),
        Object.fromEntries(values),
      )
      this.#worked(1 + sizeOf(given) / CHARS_PER_STEP)
      return given
    }
    const { path, up } = expression
    const scopes = this.#scopes.slice(0, this.#scopes.length - up)
    const [head, ...others] = path
    if (head === undefined) return scopes.at(-1)?.self
    if (head.startsWith('@'))
      return others.length > 0 ? undefined : scopes.findLast(({ about }) => Object.hasOwn(about, head))?.about[head]
    return path.reduce<unknown>(own, scopes.at(-1)?.self)
  }
}

/** A field of plain data; a list has none. */
function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
    return undefined
  return (value as Record<string, unknown>)[key]
}

function itemsOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function sizeOf(value: unknown): number {
  if (value instanceof Json) return value.text.length
  return typeof value === 'string' ? value.length : 0
}

/** As written between the quotes of a JSON text. */
function shown(value: unknown): string {
  if (value instanceof Json) return value.text
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}'
  return value === undefined || value === null ? '' : JSON.stringify(String(value)).slice(1, -1)
}
