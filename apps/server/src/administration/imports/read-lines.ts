import type { Readable } from 'node:stream'

/** Maximum bytes of a line: as many as any request body may have. */
const LINE_BYTES = 512 * 1024
const NEW_LINE = 10

/** The position of a line in the file. */
export interface Place {
  offset: number
  /** Lines before it. */
  lines: number
}

export interface TextLine {
  /** Starts at 1. */
  number: number
  /** Undefined for a line that is too long or not UTF-8. */
  text: string | undefined
  /** Where the next line begins. */
  next: Place
}

/** Reads lines of a stream from a position; holds only one of them in memory. */
export async function* readLines(stream: Readable, { offset, lines }: Place): AsyncGenerator<TextLine> {
  let parts: Buffer[] = []
  let size = 0
  const line = (): TextLine => {
    const text = size > LINE_BYTES ? undefined : textOf(Buffer.concat(parts))
    offset += size
    lines += 1
    parts = []
    size = 0
    return { number: lines, text, next: { offset, lines } }
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(NEW_LINE, from) + 1
      const part = end === 0 ? chunk.subarray(from) : chunk.subarray(from, end)
      size += part.length
      if (size <= LINE_BYTES) parts.push(part)
      else parts = []
      from += part.length
      if (end > 0) yield line()
    }
  }
  if (size > 0) yield line()
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes).trim()
  } catch {
    return undefined
  }
}
