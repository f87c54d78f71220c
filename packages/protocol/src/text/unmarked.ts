/** Texts without marks: they need no parser. */

/** Whether a text has nothing that could be a mark, an address or a mention: it is the same with {@link parseMarks}. */
export function isUnmarked(text: string): boolean {
  return !/[`*_~[@＠]|:\/\/|www\.|^(?:> | *(?:-|\d+[.)]) )/im.test(text)
}

export function linesOf(text: string): string[] {
  return text.replace(/\r\n?/g, '\n').split('\n')
}

/** Cut at empty lines; more than one of them in a row is shown. */
export function paragraphsOf(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim())
  if (first < 0) return []
  const last = lines.findLastIndex((line) => line.trim())
  const paragraphs: string[][] = [[]]
  let isAfterText = false
  for (const line of lines.slice(first, last + 1)) {
    if (!line.trim() && isAfterText) paragraphs.push([])
    else paragraphs.at(-1)!.push(line)
    isAfterText = line.trim() !== ''
  }
  return paragraphs.map((written) => written.join('\n'))
}
