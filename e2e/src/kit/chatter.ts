/** Users who chat through the SDK, and the proof that their local state equals the server's. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Channel, ChatClient, type ChatEvent } from '@parley/client'
import type { ChatClient as ServerClient } from '@parley/client/server'
import { ANSWERED_WITHIN_MS, type Stack } from './stack.ts'

/** The longest wait for any fact, on a busy machine. */
const PATIENCE_MS = 30_000

export interface Chatter {
  id: string
  client: ChatClient
  /** The channel as this user sees it; watched by default. */
  channel: Channel
  heard: ChatEvent[]
}

/** A conversation of users on one or two nodes, alternately. */
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

  /** Connects a user; `node` is the server to connect to. */
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

/** Waits for a fact, polling. */
export async function until(what: string, fact: () => boolean | Promise<boolean>) {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await fact())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Runs an action, waits for its events, and compares what each observer has from events alone with a fresh query: the
 * channel and the unread totals must be equal.
 *
 * @param apart users whose read position the action moves without an event for others
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

/** Events keep their order: once a later one arrives, all earlier ones have. */
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

/** What a user can see of a channel, without transient or per-connection fields. */
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
      // The read state of a member who left stays with clients that knew it; unread marks of others are private.
      read: Object.values(state.read)
        .filter(({ user }) => user.id in state.members && !apart.includes(user.id))
        .map(({ user, lastReadIso, last_read_message_id, last_delivered_message_id, unread_messages }) => ({
          user: user.id,
          lastReadIso,
          last_read_message_id,
          last_delivered_message_id,
          // The unread counts of others come with a query and are not updated by events [client.md 2.4].
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

/** The user fields of a message, its reactions and its poll. */
const people = new Set(['user', 'pinned_by', 'created_by'])

/** Presence changes during the test, so users are compared by id. */
function steady(message: object): unknown {
  return JSON.parse(
    JSON.stringify(message, (key, value) => (people.has(key) && value && typeof value === 'object' ? value.id : value)),
    (key, value) =>
      (key === 'thread_participants' || key === 'mentioned_users') && Array.isArray(value)
        ? value.map((user) => user?.id ?? user)
        : value,
  )
}
