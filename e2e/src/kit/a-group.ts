import { randomUUID } from 'node:crypto'
import type { Stack } from './stack.ts'

export interface Group {
  name: string
  cid: string
  /** The group's path in the product. */
  path: string
  /** Sends a message to the group as one of its members, outside the browser. */
  says(personId: string, text: string): Promise<unknown>
}

/**
 * A group for one test alone, so that a retried test does not find its earlier changes.
 *
 * @param people  their ids in the demo; the first founds the group and moderates it
 */
export async function aGroup({ company }: Stack, about: string, people: string[]): Promise<Group> {
  const id = randomUUID()
  const name = `${about} ${id.slice(0, 8)}`
  const [founder, ...others] = people as [string, ...string[]]
  const members = [{ user_id: founder, channel_role: 'channel_moderator' }, ...others]
  const channel = company.channel('messaging', id, { name, members, created_by_id: founder })
  await channel.create()
  const path = `/chat/${encodeURIComponent(channel.cid)}`
  return { name, cid: channel.cid, path, says: (user_id, text) => channel.sendMessage({ text, user_id }) }
}
