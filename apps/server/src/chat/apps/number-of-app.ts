import { createHash } from 'node:crypto'

/** The app's id for clients that expect a number: the same on every node and after every restart. */
export function numberOfApp(id: string): number {
  return (createHash('sha256').update(id).digest().readUInt32BE() >>> 1) + 1
}
