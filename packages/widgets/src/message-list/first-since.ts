import type { Channel } from '@parley/client'
import { DAY_PAGE } from '../limits.ts'
import type { NewMessagesLine } from './new-messages-line.ts'

/** What a search for a message by its time may look at. */
export type Found = Pick<
  Awaited<ReturnType<Channel['query']>>['messages'][number],
  'id' | 'created_at' | 'shadowed' | 'user'
>

/** The first message of its kind since a moment, loaded or not; undefined if there is none near it. */
export async function firstSince(
  channel: Channel,
  since: Date,
  isMeant: (message: Found) => boolean = () => true,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const page = { limit: DAY_PAGE, created_at_after_or_equal: since.toISOString() }
  const { messages } = await channel.query({ messages: page }, { signal })
  return messages.find((message) => !message.shadowed && isMeant(message))?.id
}

/** The message below the line, loaded or not. */
export function firstNewSince(channel: Channel, { after }: NewMessagesLine, me: string | undefined) {
  return firstSince(channel, after, ({ created_at, user }) => new Date(created_at) > after && user.id !== me)
}
