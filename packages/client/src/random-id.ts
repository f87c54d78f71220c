/** A random id of 128 bits. Pages that come over plain http from another machine have no `crypto.randomUUID`. */
export function randomID(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
