/** A random UUID (version 4). Pages over plain http from another machine have no `crypto.randomUUID`. */
export function randomID(): string {
  // The version's 4 is kept, and so are the upper bits of the variant's 8.
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (+digit ^ (crypto.getRandomValues(new Uint8Array(1))[0]! & (15 >> (+digit / 4)))).toString(16),
  )
}
