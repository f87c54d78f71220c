/** A text that is too long for one message of the bus leaves in parts, and is put together again. */

/** Bytes of one part: with its header, less than a bus takes, which is a megabyte by default. */
const PART_BYTES = 512 * 1024
/** What a part begins with when the text goes on, and when it ends; a whole text is JSON, and begins with neither. */
const MORE = '+'
const LAST = '='
/** The sender's id follows. */
const SENDER_CHARS = 36

/** @param sender  an id of 36 characters; what it sends stays in order */
export function partsOf(text: string, sender: string): (string | Uint8Array)[] {
  // No character takes more than three bytes.
  if (text.length * 3 <= PART_BYTES) return [text]
  const bytes = Buffer.from(text)
  if (bytes.length <= PART_BYTES) return [bytes]
  const count = Math.ceil(bytes.length / PART_BYTES)
  return Array.from({ length: count }, (_, i) => {
    const part = bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES)
    return Buffer.concat([Buffer.from((i < count - 1 ? MORE : LAST) + sender), part])
  })
}

/** Puts together what comes on one subject, from any number of senders. */
export class Joining {
  #begun = new Map<string, Uint8Array[]>()

  /** The text that ends with this part; undefined as long as it goes on. */
  add(bytes: Uint8Array): string | undefined {
    const sign = String.fromCharCode(bytes[0] ?? 0)
    if (sign !== MORE && sign !== LAST) return Buffer.from(bytes).toString()
    const sender = Buffer.from(bytes.subarray(1, 1 + SENDER_CHARS)).toString()
    const parts = [...(this.#begun.get(sender) ?? []), bytes.subarray(1 + SENDER_CHARS)]
    this.#begun.delete(sender)
    if (sign === LAST) return Buffer.concat(parts).toString()
    this.#begun.set(sender, parts)
    return undefined
  }
}
