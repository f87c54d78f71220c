/** A server is tried again so long after it could not be reached; up to twice, so that not all come at once. */
const AGAIN_MS = 5_000

export function againMs(): number {
  return AGAIN_MS * (1 + Math.random())
}
