/** A web address that ends where its word or its sentence ends; a longer story is Markdown's to tell. */
const LINK =
  /(?<=^|\s)https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/(?:[a-z0-9/.%=?&+-]*[a-z0-9/])?)?(?=[.,!?:]?(?:\s|$))/gi

/** What may be a mark wherever it stands: link, HTML, escape, entity, and space that Markdown reads its own way. */
const MARK = /[[<\\\t\r\0\uFEFF]|&#?[a-z0-9]+;|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/iu
/** Marks in pairs: emphasis, strike, code. */
const PAIR = /([*~`]).*\1/s
/** Marks at the start of a line, indentation, and the two spaces at its end that break it. */
const LINE = /^(?: {4}| *(?:[#>=]|--|[+*-](?: |$)|\d{1,9}[.)](?: |$)))| {2}$/m
/** Addresses that are not as simple as the ones above. */
const ADDRESS = /https?:\/\/|www\.|[a-z0-9+_.-]@[a-z0-9-]+\./i

/** Whether a text says the same to a reader of Markdown as to any other, simple web addresses aside. */
export function isPlain(text: string): boolean {
  return ![MARK, PAIR, LINE].some((marks) => marks.test(text)) && !ADDRESS.test(text.replace(LINK, ''))
}

/** The paragraphs of a plain text, each as the pieces between its web addresses and, at every second place, these. */
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

/** What stands at the start of lines: quotes, items of lists, headings; and the fences around code. */
const STARTS = /^(?: *(?:>|#{1,6} |[+*-] |\d{1,9}[.)] ))+|^ *(?:```|~~~).*$/gm
/** Marks around words. Each looks only so far for its other half that a text full of halves takes no time. */
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
 * What a person would read aloud: the text without its marks, on one line. Near enough for a summary, which is there
 * before what reads Markdown is.
 */
export function plainText(text: string): string {
  const bare = AROUND.reduce((rest, marks) => rest.replace(marks, '$1'), text.replace(STARTS, ''))
  return bare.replace(/\s+/g, ' ').trim()
}
