import { mayHaveLinks } from './addresses.ts'
import { parseMarks } from './marks.ts'
import type { Block, Inline, ListItem, ListSign } from './tree.ts'

/** The text of a message as it is drawn, without its marks, on one line: for lists, notices, pushes and speech. */
export function plainText(text: string): string {
  return plainLines(text).replace(/\s+/g, ' ').trim()
}

/** The same with its lines. */
export function plainLines(text: string): string {
  return blocksText(parseMarks(text))
}

function blocksText(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('\n')
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return inlineText(block.children)
    case 'code':
      return block.text
    case 'quote':
      return blocksText(block.children)
    case 'list':
      return block.items
        .map((item) => `${itemSign(block.sign, item)} ${blocksText(item.children).replaceAll('\n', '\n  ')}`)
        .join('\n')
  }
}

/** What is drawn before an item of a list: `–`, `•`, `4.`, `4)`. */
export function itemSign(sign: ListSign, { number }: ListItem): string {
  if (number === undefined) return sign === '-' ? '–' : '•'
  return `${number}${sign}`
}

function inlineText(children: readonly Inline[]): string {
  return children.map((child) => ('children' in child ? inlineText(child.children) : child.text)).join('')
}

/** What a preview is made of is not longer than this. */
const LINK_CHARS = 1_000

/** The web addresses that are drawn as links, in their order: none of those in code. */
export function linksIn(text: string): string[] {
  return mayHaveLinks(text) ? parseMarks(text).flatMap(linksInBlock) : []
}

/** The first of them that is short enough for a preview; undefined when there is none. */
export function firstLink(text: string): string | undefined {
  return linksIn(text).find((url) => url.length <= LINK_CHARS)
}

function linksInBlock(block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
      return block.children.flatMap(linksInPiece)
    case 'quote':
      return block.children.flatMap(linksInBlock)
    case 'list':
      return block.items.flatMap(({ children }) => children.flatMap(linksInBlock))
    case 'code':
      return []
  }
}

function linksInPiece(piece: Inline): string[] {
  if (piece.type === 'link') return /^https?:/i.test(piece.url) ? [piece.url] : []
  return 'children' in piece ? piece.children.flatMap(linksInPiece) : []
}
