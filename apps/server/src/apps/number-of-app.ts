import { createHash } from 'node:crypto'

/** The id of an app where programs expect a number: the same one on every node, and after every start. */
export function numberOfApp(id: string): number {
  return (createHash('sha256').update(id).digest().readUInt32BE() >>> 1) + 1
}
