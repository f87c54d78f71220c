/**
 * WebSocket text frames, built once for all receivers of an event [RFC 6455 5.2].
 */

/** A text frame of `body` (a JSON object) with `tail` (further fields) spliced in before its closing brace. */
export function textFrame(body: Buffer, tail = ''): Buffer {
  const size = tail === '' ? body.length : body.length + tail.length
  const head = size < 126 ? 2 : size < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + size)
  frame[0] = 0x81
  if (head === 2) frame[1] = size
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(size, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(size), 2)
  }
  if (tail === '') body.copy(frame, head)
  else {
    body.copy(frame, head, 0, body.length - 1)
    frame.write(tail, head + body.length - 1, 'latin1')
    frame[frame.length - 1] = 0x7d
  }
  return frame
}

/** The body of a text frame that was built here. */
export function bodyOf(frame: Buffer): string {
  const size = frame[1]!
  return frame.toString('utf8', size < 126 ? 2 : size === 126 ? 4 : 10)
}

/** The receiving user's totals, as the tail of an event [READ-18]. ASCII only. */
function totalsTail(totals: { unread: number; channels: number }): string {
  return `,"unread_count":${totals.unread},"total_unread_count":${totals.unread},"unread_channels":${totals.channels}`
}

/** One event as frames: the words are encoded once, receivers with the same totals share a frame. */
export class Frames {
  #body: Buffer
  #plain: Buffer | undefined
  #byTotals = new Map<number, Buffer>()
  constructor(body: string) {
    this.#body = Buffer.from(body)
  }

  with(totals: { unread: number; channels: number } | undefined): Buffer {
    if (!totals) {
      this.#plain ??= textFrame(this.#body)
      return this.#plain
    }
    const key = totals.unread * 1_048_576 + totals.channels
    let frame = this.#byTotals.get(key)
    if (!frame) {
      frame = textFrame(this.#body, totalsTail(totals))
      this.#byTotals.set(key, frame)
    }
    return frame
  }
}
