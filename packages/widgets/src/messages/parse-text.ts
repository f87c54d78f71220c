import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'

/** Parsed texts kept for rows that scroll back into view. */
const KEPT = 500
const parsed = new Map<string, Root>()

/** The text of a message as a tree: CommonMark with strike and bare links. Parsed once per text. */
export function parseText(text: string): Root {
  const known = parsed.get(text)
  if (known) return known
  const tree = fromMarkdown(text, {
    extensions: [gfmStrikethrough(), gfmAutolinkLiteral()],
    mdastExtensions: [gfmStrikethroughFromMarkdown(), gfmAutolinkLiteralFromMarkdown()],
  })
  const oldest = parsed.size >= KEPT ? parsed.keys().next().value : undefined
  if (oldest !== undefined) parsed.delete(oldest)
  parsed.set(text, tree)
  return tree
}
