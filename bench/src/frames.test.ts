import { describe, expect, it } from 'vitest'
import { clientFrame, isNewMessage, PING, stampedText, stampIn, TEXT, takeFrames } from './frames.ts'

/** A frame as a server sends it: not masked. */
function serverFrame(text: string, opcode = TEXT): Buffer {
  const payload = Buffer.from(text)
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload])
  const head = Buffer.alloc(payload.length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = payload.length < 65_536 ? 126 : 127
  if (payload.length < 65_536) head.writeUInt16BE(payload.length, 2)
  else head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

function textsIn(bytes: Buffer): { texts: string[]; taken: number } {
  const texts: string[] = []
  const taken = takeFrames(bytes, (_, start, end) => texts.push(bytes.toString('utf8', start, end)))
  return { texts, taken }
}

describe('frames', () => {
  it.each([0, 125, 126, 65_535, 65_536])('reads a frame of %i bytes between two others', (size) => {
    const long = 'x'.repeat(size)
    const bytes = Buffer.concat([serverFrame('before'), serverFrame(long), serverFrame('after')])
    expect(textsIn(bytes)).toEqual({ texts: ['before', long, 'after'], taken: bytes.length })
  })

  it('keeps a partial frame, wherever it was cut', () => {
    const whole = serverFrame('whole')
    const cut = serverFrame('y'.repeat(200))
    for (let size = 0; size < cut.length; size++)
      expect(textsIn(Buffer.concat([whole, cut.subarray(0, size)]))).toEqual({ texts: ['whole'], taken: whole.length })
  })

  it('distinguishes pings from text', () => {
    const opcodes: number[] = []
    takeFrames(Buffer.concat([serverFrame('', PING), serverFrame('hi')]), (opcode) => opcodes.push(opcode))
    expect(opcodes).toEqual([PING, TEXT])
  })

  it('masks its own frames with zeros', () => {
    const frame = clientFrame(TEXT, Buffer.from('hi'))
    expect([...frame]).toEqual([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
    expect(() => clientFrame(TEXT, Buffer.alloc(126))).toThrow('125')
  })
})

describe('message.new', () => {
  it.each([
    ['{"type":"message.new","cid":"messaging:tea"}', true],
    ['{"cid":"messaging:tea","type":"message.new"}', true],
    ['{"type":"message.read","cid":"messaging:tea"}', false],
    ['{"type":"message.updated"}', false],
    ['{"type":"notification.message_new","message":{}}', false],
    ['{"type":"health.check","cid":"*"}', false],
    ['{"cid":"messaging:tea","type":"typing.start"}', false],
  ])('%s: %s', (text, expected) => {
    const bytes = Buffer.from(text)
    expect(isNewMessage(bytes, 0, bytes.length)).toBe(expected)
  })

  it('is not found in the next frame', () => {
    const event = '{"cid":"messaging:tea","type":"typing.start"}'
    const bytes = Buffer.from(`${event}{"type":"message.new"}`)
    expect(isNewMessage(bytes, 0, event.length)).toBe(false)
  })
})

describe('stamps', () => {
  it('return in microseconds, padded to the length', () => {
    const text = stampedText(1_234_567.4, 100)
    expect(text).toHaveLength(100)
    const bytes = Buffer.from(`{"type":"message.new","message":{"text":"${text}"}}`)
    expect(stampIn(bytes, 0, bytes.length)).toBe(1_234_567)
  })

  it('are missing in other texts', () => {
    const bytes = Buffer.from('{"text":"hi"}')
    expect(stampIn(bytes, 0, bytes.length)).toBeUndefined()
  })
})
