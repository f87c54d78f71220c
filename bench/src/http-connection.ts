import { connect, type Socket } from 'node:net'

/** One buffer for all connections: each read is consumed before the next one. */
const shared = Buffer.allocUnsafe(256 * 1024)

/** @param body  only valid during the call */
type OnAnswer = (status: number, body: Buffer) => void

/**
 * One keep-alive connection with one call at a time.
 *
 * Node's own client costs more per call than the server does; this one reads the status and the length only.
 */
export class HttpConnection {
  #socket: Socket
  #onAnswer: OnAnswer | undefined
  #held: Buffer[] = []
  #heldBytes = 0
  /** Bytes of the current response, head included; 0 while its head is incomplete. */
  #needed = 0

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: shared,
          callback(count) {
            connection.#read(shared.subarray(0, count))
            return true
          },
        },
      })
      const connection = new HttpConnection(socket)
      socket.once('connect', () => resolve(connection))
      socket.on('error', reject)
      socket.on('close', () => connection.#lost())
    })
  }

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  /** @param request  the whole request as text; ASCII */
  send(request: string, onAnswer: OnAnswer) {
    this.#onAnswer = onAnswer
    this.#socket.write(request, 'latin1')
  }

  call(request: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve) => {
      this.send(request, (status, body) => resolve({ status, body: body.toString() }))
    })
  }

  close() {
    this.#socket.destroy()
  }

  #read(bytes: Buffer) {
    if (this.#held.length === 0 && answerSize(bytes) === bytes.length) return this.#finish(bytes)
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.length
    if (this.#needed === 0) this.#needed = answerSize(Buffer.concat(this.#held)) ?? 0
    if (this.#needed === 0 || this.#heldBytes < this.#needed) return

    const answer = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    this.#needed = 0
    this.#finish(answer)
  }

  #finish(answer: Buffer) {
    const onAnswer = this.#onAnswer
    this.#onAnswer = undefined
    onAnswer?.(statusOf(answer), answer.subarray(answer.indexOf('\r\n\r\n', 0, 'latin1') + 4))
  }

  /** Reports a call whose connection breaks as failed. */
  #lost() {
    const onAnswer = this.#onAnswer
    this.#onAnswer = undefined
    onAnswer?.(0, Buffer.from('the connection was closed'))
  }
}

/** @param head  request line and headers without `Content-Length`, each ended by a line break */
export function requestText(head: string, body: string): string {
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** Bytes of the whole response that begins here; undefined while its head is incomplete. */
export function answerSize(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n', 0, 'latin1')
  if (end < 0) return undefined
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end)) ?? []
  if (length === undefined) throw new Error(`An answer without a length: ${bytes.toString('latin1', 0, end)}`)
  return end + 4 + Number(length)
}

function statusOf(answer: Buffer) {
  return Number(answer.toString('latin1', 9, 12))
}
