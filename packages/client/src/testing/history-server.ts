/** A fake server with one channel, `messaging:tea`, and one thread in it: it keeps messages and pages through them. */
import type { ChatEvent } from '../events.ts'
import type { Message, User } from '../shapes.ts'
import { type Call, type FakeServer, Refusal } from './fake-server.ts'
import { aChannel, ada, aMessage, anEvent, aThread, bo } from './wire.ts'

/** The message that has the thread; it is the oldest of the channel. */
export const PARENT = 'm0'

/** Each message is this much younger than the one before it, in milliseconds. */
const APART_MS = 1_000
const BEGINNING = Date.UTC(2026, 0, 5, 9)

export class HistoryServer {
  /** Oldest first, with the parent of the thread. */
  readonly messages: Message[] = []
  readonly replies: Message[] = []
  /** Every event of the channel, as `sync` returns it. */
  readonly #log: ChatEvent[] = []
  readonly #server: FakeServer
  /** Whether events reach the client: it is connected, and watches the channel. */
  isHeard = false
  /** Whether `sync` returns the missed events. */
  knowsMissed = true
  #posted = 0
  #moments = 0
  constructor(server: FakeServer) {
    this.#server = server
    this.posts(bo)
    const channel = 'messaging/tea'
    server.answers('POST', `/channels/${channel}/query`, ({ body }: Call) => this.#watched(body.messages ?? {}))
    server.answers('POST', '/channels', ({ body }: Call) => ({
      channels: [this.#watched({ limit: body.message_limit })],
    }))
    server.answers('POST', '/sync', ({ body }: Call) => this.#since(body.last_sync_at))
    server.answers('GET', `/messages/${PARENT}/replies`, ({ query }: Call) => ({
      messages: pageOf(this.replies, query, 50),
    }))
    server.answers('GET', `/threads/${PARENT}`, ({ query }: Call) => {
      this.isHeard = true
      return { thread: aThread(PARENT, this.replies.slice(-Number(query.reply_limit))) }
    })
    server.answers('POST', `/channels/${channel}/message`, ({ body: { message } }: Call) => {
      const { id, parent_id, text } = message
      return { message: this.#added({ id, parent_id, text, user: ada }) }
    })
  }

  posts(user: User, parent_id?: string): Message {
    const id = `m${this.#posted++}`
    return this.#added({ id, text: id, user, parent_id })
  }

  edits(message: Message) {
    const at = this.#next()
    Object.assign(message, { text: `${message.text}+`, updated_at: at })
    this.#happens(anEvent('message.updated', { message, created_at: at }))
  }

  removes(message: Message) {
    const list = message.parent_id ? this.replies : this.messages
    list.splice(list.indexOf(message), 1)
    this.#happens(anEvent('message.deleted', { message, hard_delete: true, created_at: this.#next() }))
  }

  #added({ id, parent_id, text, user }: Pick<Message, 'id' | 'parent_id' | 'text' | 'user'>): Message {
    const at = this.#next()
    const type = parent_id ? 'reply' : 'regular'
    const message = aMessage(id, { text, user, type, created_at: at, updated_at: at, ...(parent_id && { parent_id }) })
    ;(parent_id ? this.replies : this.messages).push(message)
    this.#happens(anEvent('message.new', { message, message_id: id, user, created_at: at }))
    return message
  }

  #happens(event: ChatEvent) {
    this.#log.push(event)
    if (this.isHeard) this.#server.socket.says(event)
  }

  #watched(asked: Record<string, string | number>) {
    this.isHeard = true
    return aChannel({}, { messages: pageOf(this.messages, asked, 25) })
  }

  #since(time: string) {
    if (!this.knowsMissed) return new Refusal(4, 400, 'Too many events to sync')
    const isThere = ({ id }: Message) => [...this.messages, ...this.replies].some((other) => other.id === id)
    const events = this.#log.filter((event) => {
      const { created_at, type, message } = event as ChatEvent<'message.new'>
      return Date.parse(created_at) > Date.parse(time) && ((type as string) === 'message.deleted' || isThere(message))
    })
    return { events }
  }

  #next(): string {
    return new Date(BEGINNING + ++this.#moments * APART_MS).toISOString().replace('.000Z', '.000001Z')
  }
}

/** One page, oldest first, as the server gives it. */
function pageOf(
  all: readonly Message[],
  { limit: asked, ...position }: Record<string, string | number>,
  usual: number,
): Message[] {
  const limit = Number(asked ?? usual)
  const [[name, value] = []] = Object.entries(position).filter(([key]) => /^(id|created_at)_/.test(key))
  if (!name) return all.slice(-limit)
  const time = name.startsWith('id') ? all.find(({ id }) => id === value)?.created_at : String(value)
  if (!time) throw new Error(`There is no message ${value}.`)
  const before = all.filter(({ created_at }) => created_at < time)
  const upTo = all.filter(({ created_at }) => created_at <= time)
  const after = all.slice(upTo.length)
  const from = all.slice(before.length)
  switch (name.replace(/^(id|created_at)_/, '')) {
    case 'lt':
    case 'before':
      return before.slice(-limit)
    case 'lte':
    case 'before_or_equal':
      return upTo.slice(-limit)
    case 'gt':
    case 'after':
      return after.slice(0, limit)
    case 'gte':
    case 'after_or_equal':
      return from.slice(0, limit)
    default: {
      const half = Math.min(before.length, Math.max(Math.floor(limit / 2), limit - from.length))
      return [...before.slice(before.length - half), ...from.slice(0, limit - half)]
    }
  }
}
