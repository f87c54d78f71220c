import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { bodyOf, Frames, textFrame } from './frames.ts'

/** The head of a text frame, as RFC 6455 5.2 has it: the last part of a text, and its length. */
const heads: [bytes: number, head: number[]][] = [
  [2, [0x81, 2]],
  [125, [0x81, 125]],
  [126, [0x81, 126, 0, 126]],
  [65_535, [0x81, 126, 255, 255]],
  [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
]

describe('a text frame', () => {
  for (const [bytes, head] of heads)
    it(`of ${bytes} bytes says how long it is`, () => {
      const text = `{${'x'.repeat(bytes - 2)}}`
      const frame = textFrame(Buffer.from(text))
      assert.deepEqual([...frame.subarray(0, head.length)], head)
      assert.deepEqual([frame.length, bodyOf(frame)], [head.length + bytes, text])
    })

  it('has further fields before its end', () => {
    const frame = textFrame(Buffer.from('{"text":"é"}'), ',"unread":1')
    assert.equal(bodyOf(frame), '{"text":"é","unread":1}')
    assert.equal(bodyOf(textFrame(Buffer.from(`{"text":"${'x'.repeat(120)}"}`), ',"n":1')).endsWith('x","n":1}'), true)
  })

  it('is made once for all who have the same totals', () => {
    const frames = new Frames('{"type":"x"}')
    assert.equal(frames.with(undefined), frames.with(undefined))
    assert.equal(frames.with({ unread: 2, channels: 1 }), frames.with({ unread: 2, channels: 1 }))
    assert.notEqual(frames.with({ unread: 2, channels: 1 }), frames.with({ unread: 1, channels: 2 }))
    assert.deepEqual(JSON.parse(bodyOf(frames.with({ unread: 3, channels: 2 }))), {
      ...{ type: 'x', unread_count: 3, total_unread_count: 3, unread_channels: 2 },
    })
    assert.equal(bodyOf(frames.with(undefined)), '{"type":"x"}')
  })
})
