import type { ChannelContext } from '../channels/channel-context.ts'
import { messageIn } from '../channels/channel-state.ts'
import type { ClientContext } from '../client-context.ts'
import { SEND_AGAIN_MAX, SEND_AGAIN_MS } from '../limits.ts'
import { soon } from '../on-demand.ts'
import { byTime, type LocalMessage } from './local-message.ts'

// Messages

/**
 * Turns on automatic retries: messages and edits that failed for a temporary reason are sent again in the order they
 * were written, at once after a reconnect, and up to three times while connected, after 1, 2 and 4 seconds. Unsent
 * messages of an earlier page are sent once their channel is queried. Refused ones wait for `retry`
 * [interface.md 7.25]. Further calls change nothing.
 */
export async function sendAgain(context: ClientContext): Promise<void> {
  await soon.fetch() // This module has the unconfirmed messages of each channel.
  if (context.unsent) return
  const { active, client, clock } = context
  /** How often each was retried since the last connect. */
  const tries = new Map<string, number>()
  const waiting = new Set<ChannelContext>()
  let wasConnected = isConnected()

  function isConnected() {
    return client.connection.snapshot().at === 'connected'
  }

  function left(place: ChannelContext): LocalMessage[] {
    return unsent(place).filter(({ id }) => triesOf(id) < SEND_AGAIN_MAX)
  }

  function triesOf(id: string): number {
    return tries.get(id) ?? 0
  }

  function send(place: ChannelContext, messages: readonly LocalMessage[]) {
    for (const { id } of messages)
      place.channel.retry(id).catch((error) => context.log('warn', `${id} was not sent again.`, error))
  }

  context.unsent = (place) => {
    const messages = left(place)
    if (messages.length === 0 || waiting.has(place) || !isConnected()) return
    const most = Math.max(...messages.map(({ id }) => triesOf(id)))
    waiting.add(place)
    clock.after(messages.every(isOfEarlierPage) ? 0 : SEND_AGAIN_MS * 2 ** most, () => {
      waiting.delete(place)
      if (!isConnected()) return
      const due = left(place)
      for (const { id } of due) tries.set(id, triesOf(id) + 1)
      send(place, due)
    })
  }

  client.connection.subscribe(() => {
    const isBack = isConnected() && !wasConnected
    wasConnected = isConnected()
    if (!isBack) return
    tries.clear()
    for (const place of active.values()) send(place, left(place))
  })
  for (const place of active.values()) context.unsent(place)
}

/** Failed messages that can be retried, in the order they were written. */
function unsent({ channel, outbox }: ChannelContext): LocalMessage[] {
  return [...outbox.kept.keys()]
    .flatMap((id) => messageIn(channel.state, id) ?? [])
    .filter(({ status, error }) => status === 'failed' && error?.retry)
    .sort((a, b) => byTime(a.createdAtIso, b.createdAtIso))
}

/** Whether the message was left by an earlier page, without an answer. */
function isOfEarlierPage({ error }: LocalMessage): boolean {
  return error?.code === undefined && error?.status === undefined
}
