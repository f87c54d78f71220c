import type { Readable } from 'node:stream'

/** Bytes one line may have: as many as the body of any other call. */
const LINE_BYTES = 512 * 1024
const NEW_LINE = 10

/** A place in a file, at the beginning of a line. */
export interface Place {
  offset: number
  /** Lines before it. */
  lines: number
}

export interface TextLine {
  /** The first one is 1. */
  number: number
  /** Undefined for a line that is too long or not UTF-8. */
  text: string | undefined
  /** Where the next one begins. */
  next: Place
}

/** The lines of a stream that begins at a place; never more than one of them is held. */
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
