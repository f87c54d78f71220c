/**
 * Refuses text beside other children in JSX.
 *
 * A browser that translates a page wraps each text in an element of its own. React then no longer finds the text node
 * it made: it cannot put an element before it or take it away (`NotFoundError`, and the whole tree is gone), and what it
 * writes into the text is not seen. Text that is the only child of an HTML element is safe, because React writes it as
 * the content of that element. So text beside anything else gets an element of its own.
 */
import { join, relative } from 'node:path'
import {
  type ArrowFunction,
  type Expression,
  type FunctionDeclaration,
  type JsxChild,
  type JsxElement,
  type JsxFragment,
  type Node,
  type ReturnStatement,
  type SourceFile,
  type StringLiteral,
  SyntaxKind,
  type VariableDeclaration,
} from 'typescript/unstable/ast'
import { API, type Checker, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync'
import { lineAt } from './source-files.ts'

/** The TypeScript projects that contain components. */
const projects = ['tsconfig.json', 'apps/web/tsconfig.json']

const functions = [SyntaxKind.FunctionDeclaration, SyntaxKind.FunctionExpression, SyntaxKind.ArrowFunction]

const TEXT = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BigIntLike | TypeFlags.Any | TypeFlags.Unknown

/** Files where a text may stand beside other content. */
const exceptions: Record<string, string> = {
  'packages/widgets/src/chat/Chat.tsx': 'what a host puts into the chat is its own',
  'packages/widgets/src/messages/TextLink.tsx': 'MessageText gives a changed text new elements',
  'packages/widgets/src/messages/drawn-inline.tsx': 'MessageText gives a changed text new elements',
}

export interface Finding {
  path: string
  line: number
  text: string
}

/** @param files  texts of files in place of those on the disk */
export function findings(root: string, configs = projects, files: Record<string, string> = {}): Finding[] {
  const api = new API({
    cwd: root,
    fs: { readFile: (path) => files[path], fileExists: (path) => path in files || undefined },
  })
  try {
    const snapshot = api.updateSnapshot({ openProjects: configs.map((config) => join(root, config)) })
    return snapshot.getProjects().flatMap(({ rootFiles, program, checker }) =>
      rootFiles
        .filter((path) => path.endsWith('.tsx') && !Object.hasOwn(exceptions, relative(root, path)))
        .flatMap((path) =>
          findingsIn(program.getSourceFile(path)!, checker).map((found) => ({
            ...found,
            path: relative(root, path),
          })),
        ),
    )
  } finally {
    api.close()
  }
}

function findingsIn(file: SourceFile, checker: Checker): Omit<Finding, 'path'>[] {
  const found = new Set<Node>()
  const visit = (node: Node) => {
    if (node.kind === SyntaxKind.JsxElement || node.kind === SyntaxKind.JsxFragment)
      for (const text of looseTexts(node as JsxElement | JsxFragment, checker)) found.add(text)
    for (const text of returnedTexts(node, checker)) found.add(text)
    node.forEachChild(visit)
  }
  file.forEachChild(visit)
  return [...found].map((node) => ({
    line: lineAt(file.text, node.getStart(file)),
    text: node.getText(file).replaceAll(/\s+/g, ' '),
  }))
}

/** The children of an element that are text React would keep as a node. */
function looseTexts(parent: JsxElement | JsxFragment, checker: Checker): Node[] {
  const children = parent.children.filter(isDrawn)
  const texts = children.filter((child) => isText(child, checker))
  if (children.length > 1 || isFragment(parent)) return texts
  // As an only child a text is safe, a list of texts is not.
  return texts.filter((child) => child.kind === SyntaxKind.JsxExpression && isList(typeOf(child, checker), checker))
}

function isFragment(parent: JsxElement | JsxFragment): boolean {
  return (
    parent.kind === SyntaxKind.JsxFragment || (parent as JsxElement).openingElement.tagName.getText() === 'Fragment'
  )
}

/** Comments and the line breaks between tags draw nothing, and no translator touches a blank. */
function isDrawn(child: JsxChild): boolean {
  if (child.kind === SyntaxKind.JsxText) return child.text.trim() !== ''
  if (child.kind !== SyntaxKind.JsxExpression) return true
  const { expression } = child
  return (
    expression !== undefined &&
    !(expression.kind === SyntaxKind.StringLiteral && (expression as StringLiteral).text.trim() === '')
  )
}

function isText(child: JsxChild, checker: Checker): boolean {
  if (child.kind === SyntaxKind.JsxText) return true
  return child.kind === SyntaxKind.JsxExpression && holdsText(typeOf(child, checker), checker)
}

function typeOf(child: Node, checker: Checker): Type {
  return checker.getTypeAtLocation((child as unknown as { expression: Expression }).expression)!
}

/** The empty text, as in `name && <b>{name}</b>`, draws nothing. */
function holdsText(type: Type, checker: Checker, seen = new Set<Type>()): boolean {
  if (type.flags & TEXT) return !(type.isStringLiteralType() && type.value === '')
  // Types may contain themselves, as a list of lists does.
  if (seen.has(type)) return false
  seen.add(type)
  return partsOf(type, checker).some((part) => holdsText(part, checker, seen))
}

function partsOf(type: Type, checker: Checker): readonly Type[] {
  if (type.isUnionType()) return type.getTypes()
  return isList(type, checker) ? checker.getTypeArguments(type as TypeReference) : []
}

function isList(type: Type, checker: Checker): boolean {
  return checker.isArrayType(type) || checker.isTupleType(type)
}

/** A component that returns a bare text puts it beside whatever stands around the component. */
function returnedTexts(node: Node, checker: Checker): Node[] {
  const returned = returnedBy(node)
  return returned && isComponent(functionAround(node)) && holdsText(checker.getTypeAtLocation(returned)!, checker)
    ? [returned]
    : []
}

function returnedBy(node: Node): Expression | undefined {
  if (node.kind === SyntaxKind.ReturnStatement) return (node as ReturnStatement).expression
  if (node.kind !== SyntaxKind.ArrowFunction) return undefined
  const { body } = node as ArrowFunction
  return body.kind === SyntaxKind.Block ? undefined : (body as Expression)
}

function functionAround(node: Node): Node | undefined {
  for (let at: Node | undefined = node; at; at = at.parent) if (functions.includes(at.kind)) return at
  return undefined
}

/** Components begin with a capital. */
function isComponent(node: Node | undefined): boolean {
  if (!node) return false
  const named = (node as FunctionDeclaration).name ?? (node.parent as VariableDeclaration).name
  return named?.kind === SyntaxKind.Identifier && /^[A-Z]/.test(named.getText())
}

if (import.meta.main) {
  const found = findings(join(import.meta.dirname, '..'))
  for (const { path, line, text } of found) console.log(`${path}:${line}: ${text} needs an element of its own`)
  console.log(`${found.length} texts beside elements`)
  process.exit(found.length > 0 ? 1 : 0)
}
