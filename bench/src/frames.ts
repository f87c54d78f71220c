/**
 * Reads and writes WebSocket frames with as little work as possible, so that the load driver is never the bottleneck
 * [RFC 6455 5.2]. Frames from the server are not masked.
 */

export const TEXT = 1
export const CLOSE = 8
export const PING = 9
export const PONG = 10

/**
 * Iterates over the complete frames at the start of `bytes`.
 *
 * @param take  gets the opcode of each frame and the range of its payload
 * @returns the length of the complete frames; the rest is a partial frame
 */
export function takeFrames(bytes: Buffer, take: (opcode: number, start: number, end: number) => void): number {
  let at = 0
  while (bytes.length - at >= 2) {
    let size = bytes[at + 1]! & 0x7f
    let head = 2
    if (size === 126) {
      if (bytes.length - at < 4) break
      size = bytes.readUInt16BE(at + 2)
      head = 4
    } else if (size === 127) {
      if (bytes.length - at < 10) break
      size = Number(bytes.readBigUInt64BE(at + 2))
      head = 10
    }
    const start = at + head
    if (bytes.length < start + size) break
    take(bytes[at]! & 0x0f, start, start + size)
    at = start + size
  }
  return at
}

/** A client's frame. Its mask is all zeros: unmasking costs the server the same, and masking costs us nothing. */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  if (payload.length >= 126) throw new Error(`A client frame here has at most 125 bytes, not ${payload.length}.`)
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

const NEW_MESSAGE = '"type":"message.new"'

/** Whether an event is `message.new`: seven bytes decide when its type comes first, as it nearly always does. */
export function isNewMessage(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start + 2] === 0x74 && bytes[start + 5] === 0x65 && bytes[start + 6] === 0x22)
    return (
      bytes[start + 9] === 0x6d &&
      bytes[start + 16] === 0x2e &&
      bytes[start + 17] === 0x6e &&
      bytes[start + 20] === 0x22
    )
  const found = bytes.indexOf(NEW_MESSAGE, start, 'latin1')
  return found >= 0 && found < end
}

const MARK = '~T'
const DIGITS = 14
const FILL = 'lorem ipsum dolor sit amet '

/** A text of `size` characters with its send time, in microseconds of the driver's own clock. */
export function stampedText(micros: number, size = 100): string {
  return `${MARK}${String(Math.round(micros)).padStart(DIGITS, '0')} `.padEnd(size, FILL)
}

/** The microseconds in the first stamped text of a frame; undefined when there is none. */
export function stampIn(bytes: Buffer, start: number, end: number): number | undefined {
  const found = bytes.indexOf(MARK, start, 'latin1')
  if (found < 0 || found + MARK.length + DIGITS > end) return undefined
  let micros = 0
  for (let at = found + MARK.length; at < found + MARK.length + DIGITS; at++) micros = micros * 10 + bytes[at]! - 0x30
  return micros
}
