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

/** The first web address that is drawn as a link, so none in code; undefined when there is none. */
export function firstLink(text: string): string | undefined {
  return /:\/\/|www\./i.test(text) ? linkInBlocks(parseMarks(text)) : undefined
}

function linkInBlocks(blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    const link =
      block.type === 'paragraph'
        ? linkInInline(block.children)
        : block.type === 'quote'
          ? linkInBlocks(block.children)
          : block.type === 'list'
            ? linkInBlocks(block.items.flatMap((item) => item.children))
            : undefined
    if (link !== undefined) return link
  }
  return undefined
}

function linkInInline(children: readonly Inline[]): string | undefined {
  for (const child of children) {
    if (child.type === 'link' && /^https?:/i.test(child.url) && child.url.length <= LINK_CHARS) return child.url
    const link = 'children' in child ? linkInInline(child.children) : undefined
    if (link !== undefined) return link
  }
  return undefined
}

/** What a preview is made of is not longer than this. */
const LINK_CHARS = 1_000
