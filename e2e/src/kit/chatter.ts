/** People who chat through the SDK, and the proof that what they see is what there is. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Channel, ChatClient, type ChatEvent } from '@parley/client'
import type { ChatClient as ServerClient } from '@parley/client/server'
import { ANSWERED_WITHIN_MS, type Stack } from './stack.ts'

/** As long as a journey waits for anything, on a machine that is busy. */
const PATIENCE_MS = 30_000

export interface Chatter {
  id: string
  client: ChatClient
  /** The channel as this person sees it; watched unless said otherwise. */
  channel: Channel
  heard: ChatEvent[]
}

/** A conversation between people on one or two nodes, in turn. */
export class Conversation {
  readonly server: ServerClient
  readonly cid: string
  #stack: Stack
  #open: ChatClient[] = []
  private constructor(stack: Stack, server: ServerClient, cid: string) {
    this.#stack = stack
    this.server = server
    this.cid = cid
  }

  static async among(stack: Stack, members: readonly string[], others: readonly string[] = []): Promise<Conversation> {
    const { company: server } = stack
    await server.upsertUsers([...members, ...others].map((id) => ({ id, name: id })))
    const channel = server.channel('messaging', `room-${randomUUID()}`, {
      created_by_id: members[0]!,
      members: [...members],
    })
    await channel.create()
    return new Conversation(stack, server, channel.cid)
  }

  /** Connects a person; `node` is the server they reach. */
  async joins(id: string, { watch = true, node = 0 } = {}): Promise<Chatter> {
    const { url } = this.#stack.chats[node % this.#stack.chats.length]!
    const client = new ChatClient(this.#stack.key, { baseURL: url, timeout: ANSWERED_WITHIN_MS })
    this.#open.push(client)
    await client.connectUser({ id }, this.server.createToken(id))
    const [type, channelId] = this.cid.split(':') as [string, string]
    const channel = client.channel(type, channelId)
    const heard: ChatEvent[] = []
    client.on((event) => heard.push(event))
    if (watch) await channel.watch()
    return { id, client, channel, heard }
  }

  async ends() {
    for (const client of this.#open) await client.disconnectUser()
  }
}

/** Waits for a fact, looking again whenever something was heard. */
export async function until(what: string, fact: () => boolean | Promise<boolean>) {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await fact())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Runs an action, lets its events arrive, and demands that what each onlooker has by events alone equals what
 * somebody who only now opens the channel is told: the channel, and the unread totals.
 *
 * @param apart people whose read position the action moves without telling others
 */
export async function eventsKeepUp(
  conversation: Conversation,
  onlookers: readonly Chatter[],
  action: () => Promise<unknown>,
  apart: readonly string[] = [],
): Promise<void> {
  await action()
  await Promise.all(onlookers.map((onlooker) => allHasArrived(conversation, onlooker)))
  for (const onlooker of onlookers) {
    const theirs = apart.filter((id) => id !== onlooker.id)
    const fresh = await conversation.joins(onlooker.id)
    if (onlooker.channel.snapshot().initialized)
      assert.deepEqual(seen(onlooker, theirs), seen(fresh, theirs), `${onlooker.id} is not up to date`)
    const { total_unread_count, channels } = await onlooker.client.getUnreadCount()
    assert.deepEqual(
      onlooker.client.unread.snapshot(),
      { total: total_unread_count, channels: channels.length },
      `the totals of ${onlooker.id}`,
    )
    const { total_unread_threads_count } = await onlooker.client.getUnreadCount()
    const { unreadThreads } = onlooker.client.threads.snapshot()
    assert.equal(unreadThreads, total_unread_threads_count, `the unread threads of ${onlooker.id}`)
    await fresh.client.disconnectUser()
  }
}

/** Events keep their order, so a later one having come means that all before it have. */
async function allHasArrived(conversation: Conversation, onlooker: Chatter) {
  const type = `sign-${randomUUID()}`
  const [channelType, id] = conversation.cid.split(':') as [string, string]
  if (onlooker.channel.snapshot().initialized) {
    await conversation.server.request('POST', `/channels/${channelType}/${id}/event`, {
      body: { event: { type }, user_id: onlooker.id },
    })
    await until(`${type} at ${onlooker.id}`, () => onlooker.heard.some((event) => (event.type as string) === type))
  } else {
    const { total_unread_count, channels } = await onlooker.client.getUnreadCount()
    await until(`the totals of ${onlooker.id}`, () => {
      const { total, channels: count } = onlooker.client.unread.snapshot()
      return total === total_unread_count && count === channels.length
    })
  }
}

/** What a person can see of a channel, without what belongs to the moment or to one connection. */
function seen({ id, channel }: Chatter, apart: readonly string[]) {
  const state = channel.snapshot()
  return JSON.parse(
    JSON.stringify({
      data: withoutMoment(state.data as Record<string, unknown>),
      messages: state.messages.map(steady),
      pinned: state.pinned_messages.map(steady),
      members: Object.values(state.members)
        .map(({ user, ...member }) => ({ ...member, user: user?.id }))
        .sort((a, b) => (a.user_id < b.user_id ? -1 : 1)),
      membership: state.membership && { ...state.membership, user: undefined },
      // The entry of somebody who left stays with those who knew it; others' unread marks are their own affair.
      read: Object.values(state.read)
        .filter(({ user }) => user.id in state.members && !apart.includes(user.id))
        .map(({ user, lastReadIso, last_read_message_id, last_delivered_message_id, unread_messages }) => ({
          user: user.id,
          lastReadIso,
          last_read_message_id,
          last_delivered_message_id,
          // How much others have not read is told at a fetch and does not follow [client.md 2.4].
          ...(user.id === id && { unread_messages }),
        }))
        .sort((a, b) => (a.user < b.user ? -1 : 1)),
      unread: state.unreadCount,
      last_message_at: state.last_message_at,
    }),
  )
}

function withoutMoment({ created_by, truncated_by, ...data }: Record<string, unknown>) {
  const idOf = (person: unknown) => (person as { id?: string } | null | undefined)?.id
  return { ...data, created_by: idOf(created_by), truncated_by: idOf(truncated_by) }
}

/** Where one person stands in a message, its reactions or its poll. */
const people = new Set(['user', 'pinned_by', 'created_by'])

/** Presence comes and goes while the story looks; people are compared by who they are. */
function steady(message: object): unknown {
  return JSON.parse(
    JSON.stringify(message, (key, value) => (people.has(key) && value && typeof value === 'object' ? value.id : value)),
    (key, value) =>
      (key === 'thread_participants' || key === 'mentioned_users') && Array.isArray(value)
        ? value.map((user) => user?.id ?? user)
        : value,
  )
}
