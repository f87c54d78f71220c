/** A real chat server in a process of its own, with an app whose secret the test knows. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Channel } from '../channels/channel.ts'
import { ChatClient, type ChatClientOptions } from '../chat-client.ts'
import type { Live } from '../live.ts'
import { ChatClient as ServerClient } from '../server.ts'

const MAIN = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url))
const WAIT_MS = 20_000

export async function startRealServer() {
  const [key, secret] = [randomBytes(6).toString('hex'), randomBytes(16).toString('hex')]
  const env = {
    ...process.env,
    // In development it allows three connections per user, and half-open ones of a broken network count.
    NODE_ENV: 'production',
    PORT: '0',
    API_KEY: key,
    API_SECRET: secret,
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: 'info',
  }
  const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const baseURL = await new Promise<string>((resolve, reject) => {
    createInterface(server.stdout).on('line', (line) => {
      const { url } = JSON.parse(line)
      if (url) resolve(url)
    })
    void ended.then(() => reject(new Error('The chat server ended before it listened.')))
  })
  const company = new ServerClient(key, secret, { baseURL, timeout: WAIT_MS })
  const open: ChatClient[] = []
  return {
    baseURL,
    key,
    /** The client with the secret. */
    company,
    /** A user's client, connected. */
    async connects(id: string, options: Partial<ChatClientOptions> = {}) {
      const client = new ChatClient(key, { baseURL, timeout: WAIT_MS, ...options })
      open.push(client)
      await client.connectUser({ id }, company.createToken(id))
      return client
    },
    newClient(options: Partial<ChatClientOptions> = {}) {
      const client = new ChatClient(key, { baseURL, timeout: WAIT_MS, ...options })
      open.push(client)
      return client
    },
    async stop() {
      await Promise.all(open.map((client) => client.disconnectUser()))
      server.kill('SIGTERM')
      await ended
    },
  }
}

export type RealServer = Awaited<ReturnType<typeof startRealServer>>

/** Repeats a request until it has the expected answer. */
export async function becomes<Answer>(ask: () => Promise<Answer>, isSo: (answer: Answer) => boolean): Promise<Answer> {
  for (const end = performance.now() + WAIT_MS; ; await pause(20)) {
    const answer = await ask()
    if (isSo(answer)) return answer
    if (performance.now() > end) throw new Error(`It never came true: ${JSON.stringify(answer)}`)
  }
}

/** Waits until a live value has the expected content. */
export async function until<Value>(
  live: Live<Value>,
  isSo: (value: Value) => boolean,
  what = String(isSo),
  waitMs = WAIT_MS,
): Promise<void> {
  if (isSo(live.snapshot())) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`It never came true: ${what}`)), waitMs)
  const unsubscribe = live.subscribe(() => isSo(live.snapshot()) && resolve())
  await promise.finally(() => {
    clearTimeout(timer)
    unsubscribe()
  })
}

/** The fields that must be equal on two clients of one user, however they got them. */
export function agreed({ state }: Channel, me: string | undefined) {
  const { data, messages, members, membership, read, unreadCount, pinned_messages, last_message_at } = state
  const message = (given: (typeof messages)[number]) => ({
    id: given.id,
    text: given.text,
    type: given.type,
    status: given.status,
    createdAtIso: given.createdAtIso,
    updated_at: given.updated_at,
    deleted_at: given.deleted_at,
    user: given.user.id,
    mentioned: given.mentioned_users.map(({ id }) => id),
    own_reactions: given.own_reactions.map(({ type, score }) => ({ type, score })),
    latest_reactions: given.latest_reactions.map(({ type, user_id }) => ({ type, user_id })),
    reaction_groups: given.reaction_groups,
    reply_count: given.reply_count,
    pinned: given.pinned,
    quoted: given.quoted_message && { id: given.quoted_message.id, text: given.quoted_message.text },
  })
  return {
    name: data.name,
    frozen: data.frozen,
    hidden: data.hidden,
    member_count: data.member_count,
    own_capabilities: data.own_capabilities?.toSorted(),
    messages: messages.map(message),
    pinned: pinned_messages.map(({ id }) => id),
    members: Object.values(members)
      .map(({ user_id, channel_role }) => ({ user_id, channel_role }))
      .toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1)),
    membership: membership?.user_id,
    // The read positions of users who left are still known; the unread counts of others depend on their mutes.
    read: Object.values(read)
      .filter(({ user }) => user.id in members)
      .map(({ user, lastReadIso, last_read_message_id, unread_messages }) => ({
        user: user.id,
        lastReadIso,
        last_read_message_id,
        ...(user.id === me && { unread_messages }),
      }))
      .toSorted((a, b) => (a.user < b.user ? -1 : 1)),
    unreadCount,
    last_message_at,
  }
}
