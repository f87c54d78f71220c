/**
 * Writes docs/client/reference from the SDK's doc comments: a page for every public class, and one for the types.
 *
 *     node scripts/client-docs.ts
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { chatEvents } from '@parley/protocol/events'
import { type ESTree, parseSync } from 'vite'
import { withPointersLinked } from './links.ts'
import { fieldsText } from './wire-shapes.ts'

const root = join(import.meta.dirname, '..')
const home = 'packages/client/src'
const wire = 'packages/protocol/src'
export const REFERENCE = 'docs/client/reference'

/** The wire modules of the SDK's shapes, by the names under which `shapes.ts` imports them. */
const wireModules: Record<string, Record<string, { properties?: object }>> = Object.fromEntries(
  await Promise.all(
    [...readFileSync(join(root, home, 'shapes.ts'), 'utf8').matchAll(/import type \* as (\w+) from '([^']+)'/g)].map(
      async ([, name, path]) => [name, await import(path!)],
    ),
  ),
)

/** The exports of the wire modules, by their paths. */
const shapesIn = new Map<string, Record<string, { properties?: object }>>(
  await Promise.all(
    globSync('*.ts', { cwd: join(root, wire), exclude: ['*.test.ts'] }).map(
      async (file): Promise<[string, Record<string, { properties?: object }>]> => [
        wireFile(file),
        await import(`@parley/protocol/${file.slice(0, -'.ts'.length)}`),
      ],
    ),
  ),
)

interface PageOf {
  file: string
  title: string
  /** The name of an instance in examples. */
  as: string
  source: string
  name: string
  /** Where its lazily loaded calls are. */
  calls?: readonly string[]
}

/** The classes, in the order a newcomer needs them. */
const pages: PageOf[] = [
  {
    file: 'chat-client.md',
    title: 'ChatClient',
    as: 'client',
    source: 'chat-client.ts',
    name: 'ChatClient',
    calls: ['client-calls.ts', 'messages/send-again.ts'],
  },
  {
    file: 'channel.md',
    title: 'Channel',
    as: 'channel',
    source: 'channels/channel.ts',
    name: 'Channel',
    calls: ['channels/soon-calls.ts', 'messages/reacting.ts', 'channels/calls.ts'],
  },
  { file: 'composer.md', title: 'Composer', as: 'channel.composer', source: 'composer/composer.ts', name: 'Composer' },
  { file: 'draft-sync.md', title: 'DraftSync', as: 'drafts', source: 'drafts/draft-sync.ts', name: 'DraftSync' },
  {
    file: 'link-previews.md',
    title: 'LinkPreviews',
    as: 'links',
    source: 'composer/link-previews.ts',
    name: 'LinkPreviews',
  },
  { file: 'uploads.md', title: 'Uploads', as: 'uploads', source: 'attachments/uploads.ts', name: 'Uploads' },
  { file: 'threads.md', title: 'Threads', as: 'client.threads', source: 'threads/threads.ts', name: 'Threads' },
  { file: 'thread.md', title: 'Thread', as: 'thread', source: 'threads/thread.ts', name: 'Thread' },
  {
    file: 'polls.md',
    title: 'Polls',
    as: 'client.polls',
    source: 'polls/polls.ts',
    name: 'Polls',
  },
  { file: 'poll.md', title: 'Poll', as: 'poll', source: 'polls/poll.ts', name: 'Poll' },
  { file: 'search.md', title: 'Search', as: 'search', source: 'search/search.ts', name: 'Search' },
  {
    file: 'moderation.md',
    title: 'Moderation',
    as: 'client.moderation',
    source: 'moderation/moderation.ts',
    name: 'Moderation',
    calls: ['moderation/review-calls.ts'],
  },
  {
    file: 'server.md',
    title: 'ChatClient with the secret',
    as: 'chat',
    source: 'server.ts',
    name: 'ChatClient',
  },
  { file: 'campaign.md', title: 'Campaign', as: 'campaign', source: 'campaigns/campaign.ts', name: 'Campaign' },
  { file: 'segment.md', title: 'Segment', as: 'segment', source: 'segments/segment.ts', name: 'Segment' },
]

/** Members that only the SDK itself calls, although JavaScript makes them public. */
const internal = new Set([
  'Thread.take',
  'Thread.receive',
  'Thread.grewStale',
  'Composer.context',
  'Composer.posted',
  'DraftSync.saved',
  'DraftSync.removed',
  'DraftSync.posted',
  'DraftSync.restore',
  'LinkPreviews.read',
  'Uploads.restore',
])

/** A public member. */
export interface Member {
  owner: string
  name: string
  section: string
  signature: string
  doc: string
}

/** Path → text, for everything under docs/client/reference. */
export function clientDocs(): Map<string, string> {
  const reference = pages.map((page): [string, string] => [`${REFERENCE}/${page.file}`, classPage(page)])
  return new Map([...reference, [`${REFERENCE}/events.md`, eventsPage()], [`${REFERENCE}/types.md`, typesPage()]])
}

export function allMembers(): Member[] {
  return pages.flatMap((page) => membersOf(page))
}

function classPage(page: PageOf): string {
  const { text, program, comments } = parsed(page.source)
  const found = classNamed(program, page.name)
  const lines = [`# ${page.title}`, '', prose(docBefore(text, comments, found.outer.start))]
  let section = ''
  for (const member of membersOf(page)) {
    if (member.section !== section) {
      section = member.section
      lines.push('', `## ${section}`)
    }
    lines.push('', `### ${member.name}`, '', '```ts', member.signature, '```')
    if (member.doc) lines.push('', prose(member.doc))
  }
  return finished(page.source, lines)
}

function membersOf(page: PageOf): Member[] {
  const { text, program, comments } = parsed(page.source)
  const { body } = classNamed(program, page.name)
  const sections = comments
    .filter(({ type, start, end }) => type === 'Line' && start > body.start && end < body.end && isAlone(text, start))
    .map(({ value, start }) => ({ title: titleOf(value), start }))
    .filter(({ title }) => /^[A-Z]/.test(title))
  const sectionAt = (at: number) => sections.findLast(({ start }) => start < at)?.title ?? 'What it is'
  const members = new Map<string, Member>()
  for (const node of body.body) {
    const name = publicName(node)
    if (name === undefined || internal.has(`${page.name}.${name}`)) continue
    const section = sectionAt(node.start)
    if (section.startsWith('What stands behind')) continue
    const target = targetOf(page.source, text, node)
    const doc = docBefore(text, comments, node.start) || target?.doc || ''
    const signature = signatureOf(page, text, node, name, target?.params, target?.returns)
    const known = members.get(name)
    // The implementation of an overloaded function is not listed.
    if (known && node.type === 'MethodDefinition' && node.value.body && node.kind === 'method') continue
    // A getter, or another overload.
    if (known) members.set(name, { ...known, signature: `${known.signature}\n${signature}`, doc: known.doc || doc })
    else members.set(name, { owner: page.title, name, section, signature, doc })
  }
  const all = [...members.values(), ...(page.calls ?? []).flatMap((source) => callsIn(page, source, 'Calls'))]
  return [...Map.groupBy(all, ({ section }) => section).values()].flat()
}

/**
 * The functions of a file, and those of the files it gathers, as methods: without their first parameter, the context.
 */
function callsIn(page: PageOf, source: string, title: string, wanted?: readonly string[]): Member[] {
  const { text, program, comments } = parsed(source)
  const sectionAt = (at: number) => {
    const line = comments.findLast(({ type, start }) => type === 'Line' && start < at && isAlone(text, start))
    return line ? titleOf(line.value) : title
  }
  return program.body.flatMap((node) => {
    const section = sectionAt(node.start)
    if (node.type === 'ExportAllDeclaration') return callsIn(page, resolved(source, node.source.value), section)
    if (node.type !== 'ExportNamedDeclaration') return []
    if (node.source) {
      const names = node.specifiers.map(({ local }) => nameOf(local))
      return callsIn(page, resolved(source, node.source.value), section, names)
    }
    const renamed = node.specifiers.map(({ local, exported }) => ({ name: nameOf(exported), local: nameOf(local) }))
    const declared = node.declaration?.type === 'FunctionDeclaration' ? node.declaration.id?.name : undefined
    const names = declared === undefined ? renamed : [{ name: declared, local: declared }]
    return names
      .filter(({ name }) => !wanted || wanted.includes(name))
      .map(({ name, local }) => {
        const { params, returns, doc } = functionIn(source, local, 1)
        return { owner: page.title, name, section, signature: `${page.as}.${name}(${params})${returns}`, doc }
      })
  })
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === 'Literal' ? node.value : node.name
}

/** A one-line method calls a function elsewhere, which has the parameters and the result. */
interface Target {
  params: string
  returns: string
  doc: string
}

function targetOf(source: string, text: string, node: ESTree.Node): Target | undefined {
  if (node.type !== 'MethodDefinition') return undefined
  const given = paramsOf(text, node.value)
  const [, alias, name] =
    /Given<\(?(?:typeof )?(\w+)\)?\['(\w+)'\]>/.exec(given) ?? /Parameters<(\w+)\['(\w+)'\]>/.exec(given) ?? []
  if (!alias || !name) return undefined
  const path = new RegExp(
    `type ${alias} = typeof import\\('([^']+)'\\)|import \\* as ${alias} from '([^']+)'|import type \\{ ${alias} \\} from '([^']+)'`,
  ).exec(text)
  const file = path?.[1] ?? path?.[2] ?? path?.[3]
  if (!file) throw new Error(`${source}: ${alias} comes from nowhere`)
  return functionIn(resolved(source, file), name, 1)
}

function functionIn(source: string, name: string, skipped: number): Target {
  const { text, program, comments } = parsed(source)
  for (const node of program.body) {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node
    if (declared?.type === 'FunctionDeclaration' && declared.id?.name === name)
      return {
        params: paramsOf(text, declared, skipped),
        returns: returnsOf(text, declared),
        doc: docBefore(text, comments, node.start),
      }
    if (declared?.type === 'ClassDeclaration')
      for (const member of declared.body.body)
        if (member.type === 'MethodDefinition' && publicName(member) === name)
          return {
            params: paramsOf(text, member.value),
            returns: returnsOf(text, member.value),
            doc: docBefore(text, comments, member.start),
          }
  }
  throw new Error(`${source} has no ${name}`)
}

function signatureOf(
  { as }: PageOf,
  text: string,
  node: ESTree.Node,
  name: string,
  params?: string,
  returns?: string,
): string {
  if (node.type === 'PropertyDefinition') {
    const { value } = node
    const type = node.typeAnnotation ? slice(text, node.typeAnnotation) : ''
    if (type === `: Listening['${name}']`) return waysToListen(as, name)
    if (value?.type === 'ArrowFunctionExpression')
      return `${as}.${name}(${paramsOf(text, value)})${returnsOf(text, value)}`
    return `${as}.${name}${type}`
  }
  if (node.type !== 'MethodDefinition') return `${as}.${name}`
  const answer = returns || returnsOf(text, node.value)
  if (node.kind === 'get') return `${as}.${name}${answer}`
  if (node.kind === 'constructor') return `new ${name}(${paramsOf(text, node.value)})`
  return `${as}.${name}(${params ?? paramsOf(text, node.value)})${answer}`
}

/** The client and its channels share their subscription methods, which are declared once. */
function waysToListen(as: string, name: string): string {
  const { text, program } = parsed('events.ts')
  for (const node of program.body) {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined
    if (declared?.type !== 'TSInterfaceDeclaration' || declared.id.name !== 'Listening') continue
    return declared.body.body.map((way) => `${as}.${slice(text, way).replace(/;$/, '')}`).join('\n')
  }
  throw new Error(`Nothing says how to ${name}`)
}

function paramsOf(text: string, { params }: { params: readonly ESTree.Node[] }, skipped = 0): string {
  return params
    .slice(skipped)
    .map((param) => slice(text, param))
    .join(', ')
}

function returnsOf(text: string, node: { returnType?: ESTree.Node | null }): string {
  return node.returnType ? slice(text, node.returnType) : ''
}

function publicName(node: ESTree.Node): string | undefined {
  if (node.type !== 'MethodDefinition' && node.type !== 'PropertyDefinition') return undefined
  if (node.accessibility === 'private' || node.accessibility === 'protected') return undefined
  return node.key.type === 'Identifier' && node.key.name !== 'constructor' ? node.key.name : undefined
}

/** Every type that the package's two entry points export, and its description. */
export function allTypes(): Map<string, { doc: string; code: string }> {
  const all = ['index.ts', 'server.ts'].flatMap((entryPoint) =>
    parsed(entryPoint).program.body.flatMap((node) => {
      if (node.type !== 'ExportNamedDeclaration' || !node.source) return []
      const source = resolved(entryPoint, node.source.value)
      return node.specifiers.flatMap(({ local, exported }) => {
        const found = typeIn(source, nameOf(local))
        return found ? [[nameOf(exported), found] as const] : []
      })
    }),
  )
  return new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The interfaces that an application extends. */
export function ownFieldTypes(): { name: string; doc: string }[] {
  const { text, program, comments } = parsed('custom-data.ts')
  return program.body.flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined
    if (declared?.type !== 'TSInterfaceDeclaration') return []
    return [{ name: declared.id.name, doc: docBefore(text, comments, node.start) }]
  })
}

function typesPage(): string {
  const [ownFields] = parsed('custom-data.ts').comments
  const lines = [
    '# Types',
    '',
    'Every type that `@parley/client` exports, and `@parley/client/server` besides. What ends in `_at` is a time, RFC 3339',
    'in UTC.',
    '',
    '## Your own fields',
    '',
  ]
  lines.push(prose(docOf(ownFields!)), '')
  for (const { name, doc } of ownFieldTypes()) lines.push(`- \`${name}\`${doc && `: ${prose(doc)}`}`)
  for (const [name, { doc, code }] of allTypes()) {
    lines.push('', `## ${name}`)
    if (doc) lines.push('', prose(doc))
    lines.push('', '```ts', code, '```')
  }
  return finished('index.ts', lines)
}

function typeIn(source: string, name: string): { doc: string; code: string } | undefined {
  const { text, program, comments } = parsed(source)
  for (const node of program.body) {
    // A type of another module.
    const specifier =
      node.type === 'ImportDeclaration' &&
      node.specifiers.find(({ local, type }) => type === 'ImportSpecifier' && local.name === name)
    if (specifier && specifier.type === 'ImportSpecifier' && node.type === 'ImportDeclaration')
      return typeIn(resolved(source, node.source.value), nameOf(specifier.imported))
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined
    if (declared?.type !== 'TSInterfaceDeclaration' && declared?.type !== 'TSTypeAliasDeclaration') continue
    if (declared.id.name !== name) continue
    const code = text.slice(declared.start, declared.end)
    const doc =
      docBefore(text, comments, node.start) || docBefore(text, comments, text.indexOf(`export const ${name} = `))
    return { doc, code: source === 'shapes.ts' ? withFields(code) : withShape(code, source, name) }
  }
}

/** The SDK's types by the schemas they derive from; other schemas name them. */
const shapeNames = new Map<object, string>()

/** A type with the fields of its wire schema: `Owned<members.Member>` means nothing to a reader. */
function withFields(code: string): string {
  if (code.includes('= MessageFields'))
    return code.replace('MessageFields', fieldsText(wireModules.messages!.Message!, shapesNamed()))
  const [, module, shape] = /\b(\w+)\.([A-Z]\w+)/.exec(code) ?? []
  const schema = wireModules[module ?? '']?.[shape ?? '']
  if (!schema?.properties) return code
  const from = /Known<Owned<|Owned<|\b\w+\.[A-Z]/.exec(code)!.index
  return code.slice(0, from) + fieldsText(schema, shapesNamed()) + code.slice(endOfType(code, from))
}

/** A wire type, by the fields of its schema. */
function withShape(code: string, source: string, name: string): string {
  const schema = shapesIn.get(source)?.[name]
  if (!schema?.properties) return code
  return code.replace(`Static<typeof ${name}>`, fieldsText(schema, shapesNamed()))
}

/** The end of a type that may contain others. */
function endOfType(code: string, from: number): number {
  let depth = 0
  for (let at = from; at < code.length; at++) {
    if (code[at] === '<' || code[at] === '{') depth++
    if (code[at] === '>' || code[at] === '}') depth--
    if (depth < 0 || (depth === 0 && / [&|]/.test(code.slice(at, at + 2)))) return at
  }
  return code.length
}

function shapesNamed(): ReadonlyMap<object, string> {
  if (shapeNames.size > 0) return shapeNames
  for (const [, name, code] of parsed('shapes.ts').text.matchAll(/^export type (\w+) = (.*)$/gm)) {
    const [, module, shape] = /^(?:Owned<)?(\w+)\.([A-Z]\w+)\b/.exec(code!) ?? []
    const properties = wireModules[module ?? '']?.[shape ?? '']?.properties
    if (properties && !shapeNames.has(properties))
      shapeNames.set(properties, name === 'MessageFields' ? 'Message' : name!)
  }
  return shapeNames
}

const { user: _user, watcher_count: _count, ...everyChannel } = chatEvents['user.watching.start'].properties
const inChannel = { ...chatEvents['user.watching.start'], properties: everyChannel }

/** The fields of an event beyond those that every channel event has. */
function besides(schema: (typeof chatEvents)[keyof typeof chatEvents]) {
  if (!('channel_last_message_at' in schema.properties)) return schema
  const own = Object.entries(schema.properties).filter(([name]) => !(name in everyChannel))
  return { ...schema, properties: Object.fromEntries(own) }
}

/** Every event of the server, and the client's own. */
function eventsPage(): string {
  const lines = ['# Events', '']
  lines.push(
    'What `client.on` and `channel.on` hear. Each has its `type`, and `received_at`, a `Date`. Times are RFC 3339 in',
  )
  lines.push('UTC. Those that concern a channel also have what all of them have:')
  lines.push('', '```ts', fieldsText(inChannel, shapesNamed()), '```')
  const text = readFileSync(join(root, wire, 'events.ts'), 'utf8')
  const { comments } = parseSync('events.ts', text)
  for (const [name, schema] of Object.entries(chatEvents)) {
    lines.push('', `## ${name}`)
    const said = docBefore(text, comments, text.indexOf(`'${name}':`))
    if (said) lines.push('', prose(said))
    lines.push('', '```ts', fieldsText(besides(schema), shapesNamed()), '```')
  }
  lines.push('', '## The client’s own', '', 'They never cross the wire.')
  lines.push('', '```ts', typeIn('events.ts', 'LocalEvents')!.code, '```')
  return finished('events.ts', lines)
}

// Reading

interface Parsed {
  text: string
  program: ESTree.Program
  comments: readonly { type: string; value: string; start: number; end: number }[]
}

const read = new Map<string, Parsed>()

function parsed(source: string): Parsed {
  const known = read.get(source)
  if (known) return known
  const text = readFileSync(join(root, home, source), 'utf8')
  const { program, comments } = parseSync(source, text)
  const all = { text, program, comments }
  read.set(source, all)
  return all
}

function classNamed(program: ESTree.Program, name: string) {
  for (const outer of program.body) {
    const declared = outer.type === 'ExportNamedDeclaration' ? outer.declaration : undefined
    if (declared?.type === 'ClassDeclaration' && declared.id?.name === name) return { outer, body: declared.body }
  }
  throw new Error(`There is no class ${name}`)
}

/** The doc comment that ends right before a place. */
function docBefore(text: string, comments: Parsed['comments'], at: number): string {
  const last = comments.findLast(({ end }) => end <= at)
  const isDoc = last?.type === 'Block' && last.value.startsWith('*') && text.slice(last.end, at).trim() === ''
  return isDoc ? docOf(last) : ''
}

function docOf({ value }: { value: string }): string {
  return value.replace(/^\s*\*+ ?/gm, '').trim()
}

function isAlone(text: string, at: number): boolean {
  return /\n[ \t]*$/.test(text.slice(0, at)) && /\n\s*\n[ \t]*$/.test(text.slice(0, at))
}

function titleOf(comment: string): string {
  return comment.replace(/\s*\[[^\]]*\]\s*$/, '').trim()
}

/** Code in one line; fields that had a line each get separators. */
function slice(text: string, { start, end }: { start: number; end: number }): string {
  return text
    .slice(start, end)
    .replace(/([^\s{(<,;])\s*\n\s*(?=(readonly )?\w+\??: )/g, '$1; ')
    .replace(/\s+/g, ' ')
    .replace(/, \}/g, ' }')
    .replace(/([(<]) /g, '$1')
    .replace(/\bcalls\.(?=[A-Z])/g, '')
    .replace(/ (?=>)/g, '')
}

function resolved(from: string, to: string): string {
  const [, shape] = /^@parley\/protocol\/(.*)/.exec(to) ?? []
  return shape ? wireFile(`${shape}.ts`) : join(dirname(from), to)
}

/** A wire module's path, relative to the SDK's modules. */
function wireFile(file: string): string {
  return relative(home, join(wire, file))
}

// Writing

/** Turns doc tags into sentences. */
function prose(doc: string): string {
  const said: string[] = []
  const list: string[] = []
  for (const line of doc.split('\n')) {
    const [, tag, rest = ''] = /^\s*@(\w+)\s*(.*)$/.exec(line) ?? []
    if (tag === 'param') {
      const [, name, what] = /^(\S+)\s+(.*)$/.exec(rest) ?? []
      list.push(`- \`${name ?? rest}\`: ${what ?? ''}`)
    } else if (tag === 'returns') list.push(`- gives ${rest}`)
    else if (tag === 'throws') list.push(`- refuses with ${rest.replace(/^ChatError\s+/, '')}`)
    else if (tag === 'see') list.push(`- see ${rest}`)
    else if (list.length > 0 && line.trim() !== '') list[list.length - 1] += ` ${line.trim()}`
    else said.push(line.replace(/\s*@throws ChatError (.*)$/, ' Refuses with $1.'))
  }
  return [said.join('\n').trim(), list.join('\n')].filter(Boolean).join('\n\n')
}

function finished(source: string, lines: string[]): string {
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return `${withPointersLinked(text, REFERENCE, root)}\n\n---\n\nWritten by \`scripts/client-docs.ts\` from [${source}](../../../${home}/${source}).\n`
}

if (import.meta.main) {
  mkdirSync(join(root, REFERENCE), { recursive: true })
  for (const [path, text] of clientDocs()) writeFileSync(join(root, path), text)
}
