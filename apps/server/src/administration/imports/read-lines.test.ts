import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { it } from 'vitest'
import { type Place, readLines } from './read-lines.ts'

const start: Place = { offset: 0, lines: 0 }

/** The bytes in chunks of these sizes, repeatedly. */
function inPieces(bytes: Buffer, sizes: readonly number[]): Readable {
  const pieces: Buffer[] = []
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    pieces.push(bytes.subarray(from, from + size))
    from += size
  }
  return Readable.from(pieces)
}

async function textsOf(stream: Readable, from = start) {
  const lines = []
  for await (const line of readLines(stream, from)) lines.push(line)
  return lines
}

it('a file has the same lines in chunks of any size, and from every line on', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/\n/g, ' '))
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (texts, sizes) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const lines = await textsOf(inPieces(bytes, sizes))
        assert.deepEqual(
          lines.map(({ text }) => text),
          texts.map((text) => text.toWellFormed().trim()),
        )
        for (const { next } of lines) {
          const rest = await textsOf(inPieces(bytes.subarray(next.offset), sizes), next)
          assert.deepEqual(rest, lines.slice(next.lines))
        }
      },
    ),
    { numRuns: 50 },
  )
})

it('an endless line is not held in memory, and the next one is read as usual', async () => {
  const piece = Buffer.alloc(65_536, 'x')
  let most = 0
  async function* pieces() {
    for (let i = 0; i < 3_000; i++) {
      yield piece
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    yield Buffer.from('\nshort\nlast')
  }
  const before = process.memoryUsage().arrayBuffers
  const lines = await textsOf(Readable.from(pieces()))
  assert.deepEqual(
    lines.map(({ number, text }) => [number, text]),
    [
      [1, undefined],
      [2, 'short'],
      [3, 'last'],
    ],
  )
  assert.ok(most - before < 20_000_000, `${most - before} bytes for a line of 200 million`)
})
