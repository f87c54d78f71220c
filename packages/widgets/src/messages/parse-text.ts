import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'

/**
 * Nested quotes and lists at the start of a line, and marks that each search for their closing mark. A text with more
 * of them is an attack: it takes a second to parse, or nests deeper than can be rendered.
 */
const TANGLED = /^(?:[ \t]*(?:>|(?:[+*-]|\d{1,9}[.)])(?=[ \t]))){21}/m
const MARKS = /\*+|~+|\[|(?<!\w)_+|_+(?!\w)/g
const MARKS_MAX = 500

/** Parsed texts are cached for rows that scroll back into view. */
const KEPT = 500
const parsed = new Map<string, Root>()

/**
 * The text of a message as a tree: CommonMark with strikethrough and bare links. Parsed once per text; a text built to
 * be slow to parse is kept as plain text.
 */
export function parseText(text: string): Root {
  const known = parsed.get(text)
  if (known) return known
  const tree = isTangled(text) ? asWritten(text) : read(text)
  const oldest = parsed.size >= KEPT ? parsed.keys().next().value : undefined
  if (oldest !== undefined) parsed.delete(oldest)
  parsed.set(text, tree)
  return tree
}

function isTangled(text: string): boolean {
  return TANGLED.test(text) || (text.match(MARKS)?.length ?? 0) > MARKS_MAX
}

function asWritten(value: string): Root {
  return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] }
}

function read(text: string): Root {
  return fromMarkdown(text, {
    extensions: [gfmStrikethrough(), gfmAutolinkLiteral()],
    mdastExtensions: [gfmStrikethroughFromMarkdown(), gfmAutolinkLiteralFromMarkdown()],
  })
}
