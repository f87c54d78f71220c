/** A web address that ends at the end of its word or sentence; anything more complicated is left to Markdown. */
const LINK =
  /(?<=^|\s)https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/(?:[a-z0-9/.%=?&+-]*[a-z0-9/])?)?(?=[.,!?:]?(?:\s|$))/gi

/**
 * Characters that may be a mark in any position: link, HTML, escape, entity, and whitespace that Markdown treats
 * specially.
 */
const MARK = /[[<\\\t\r\0\uFEFF]|&#?[a-z0-9]+;|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/iu
/** Paired marks: emphasis, strikethrough, code. */
const PAIR = /([*~`]).*\1/s
/** Marks at the start of a line, indentation, and the two spaces at its end that break it. */
const LINE = /^(?: {4}| *(?:[#>=]|--|[+*-](?: |$)|\d{1,9}[.)](?: |$)))| {2}$/m
/** Addresses that are not as simple as the ones above. */
const ADDRESS = /https?:\/\/|www\.|[a-z0-9+_.-]@[a-z0-9-]+\./i

/** Whether a text is the same with and without Markdown, simple web addresses aside. */
export function isPlain(text: string): boolean {
  return ![MARK, PAIR, LINE].some((marks) => marks.test(text)) && !ADDRESS.test(text.replace(LINK, ''))
}

/**
 * The paragraphs of a plain text, each as the pieces between its web addresses and, at every second index, an address.
 */
export function plainParagraphs(text: string): string[][] {
  return text
    .split(/\n(?: *\n)+/)
    .map((paragraph) => paragraph.replace(/^ +| +$/gm, '').replace(/^\n+|\n+$/g, ''))
    .filter(Boolean)
    .map(piecesOf)
}

function piecesOf(paragraph: string): string[] {
  const pieces = []
  let end = 0
  for (const { 0: link, index } of paragraph.matchAll(LINK)) {
    pieces.push(paragraph.slice(end, index), link)
    end = index + link.length
  }
  return [...pieces, paragraph.slice(end)]
}

/** Marks at the start of lines: quotes, list items, headings; and the fences around code. */
const STARTS = /^(?: *(?:>|#{1,6} |[+*-] |\d{1,9}[.)] ))+|^ *(?:```|~~~).*$/gm
/** Marks around words. The search for a closing mark is bounded, so that a text full of opening marks is cheap. */
const AROUND = [
  /!?\[([^\]\n]{0,300})\]\([^)\s]{0,2000}\)/g,
  /<(https?:\/\/[^>\s]{1,2000})>/gi,
  /`+([^`\n]{1,300})`+/g,
  /(?:\*\*|~~)(?=\S)([^\n]{0,300}?\S)(?:\*\*|~~)/g,
  /\*(?=\S)([^*\n]{0,300}?\S)\*/g,
  /(?<![\p{L}\p{N}_])_{1,2}(?=\S)([^\n]{0,300}?\S)_{1,2}(?![\p{L}\p{N}_])/gu,
  /\\([!-/:-@[-`{-~])/g,
]

/**
 * The text without its marks, on one line. An approximation for a summary that is shown before the Markdown parser is
 * loaded.
 */
export function plainText(text: string): string {
  const bare = AROUND.reduce((rest, marks) => rest.replace(marks, '$1'), text.replace(STARTS, ''))
  return bare.replace(/\s+/g, ' ').trim()
}
