import { ChatClient } from '@parley/client'

/** A message as the pretended server keeps it. */
export interface PretendMessage {
  id: string
  user: PretendUser
  text: string
  created_at: string
  [field: string]: unknown
}
export interface PretendUser {
  id: string
  name: string
  [field: string]: unknown
}

export interface PretendChannel {
  id: string
  name?: string
  members: PretendUser[]
  /** Oldest first. */
  messages: PretendMessage[]
  /** How many of the newest are unread for the first member. */
  unread?: number
  /** Other members have read this many of the newest less. */
  [field: string]: unknown
}

/**
 * The outside world of one client in the browser: answers its calls from
 * memory and speaks through its socket. The first member is the one signed in.
 */
export class PretendChat {
  readonly client: ChatClient
  readonly calls: { method: string; path: string; body: Record<string, unknown> }[] = []
  /** Paths whose calls fail from now on; `/query around` for pages around one message alone. */
  readonly failing = new Set<string>()
  #channel: PretendChannel
  #socket: PretendSocket | undefined
  #unread: number
  #delays: (() => void)[] | undefined
  constructor(channel: PretendChannel) {
    this.#channel = channel
    this.#unread = channel.unread ?? 0
    const chat = this
    this.client = new ChatClient('key', {
      baseURL: 'https://chat.example.com',
      fetch: (input, init) => this.#answer(new URL(String(input)), init),
      WebSocket: class extends PretendSocket {
        constructor(url: string) {
          super(url)
          chat.#socket = this
          queueMicrotask(() => this.says(chat.#hello()))
        }
      },
    })
  }

  get me() {
    return this.#channel.members[0]!
  }

  async connect() {
    await this.client.connectUser({ id: this.me.id }, this.client.devToken(this.me.id))
    return this.client.channel('messaging', this.#channel.id)
  }

  /** Holds every answer back until `deliver`. */
  hold() {
    this.#delays = []
  }

  deliver() {
    const held = this.#delays ?? []
    this.#delays = undefined
    for (const give of held) give()
  }

  /** One message as it goes over the wire. */
  message(id: string) {
    return this.#wire(this.#channel.messages.find((message) => message.id === id)!)
  }

  /** Somebody else writes. */
  says(user: PretendUser, text: string, fields: Record<string, unknown> = {}): PretendMessage {
    const newest = this.#channel.messages.at(-1)
    const at = Math.max(Date.now(), newest ? Date.parse(newest.created_at) + 1 : 0)
    const message = { id: `${user.id}-${at}`, user, text, created_at: new Date(at).toISOString(), ...fields }
    this.#channel.messages.push(message)
    this.#unread += 1
    this.pushes('message.new', { message: this.#wire(message), user })
    return message
  }

  deletes(id: string, { hard }: { hard: boolean }) {
    const message = this.#channel.messages.find((other) => other.id === id)!
    const deleted_at = new Date().toISOString()
    const gone = { ...message, type: 'deleted', text: '', deleted_at }
    this.#channel.messages = hard
      ? this.#channel.messages.filter((other) => other !== message)
      : this.#channel.messages.map((other) => (other === message ? gone : other))
    this.pushes('message.deleted', { message: this.#wire(gone), hard_delete: hard, user: message.user })
  }

  reads(user: PretendUser) {
    const last = this.#channel.messages.at(-1)!
    if (user === this.me) this.#unread = 0
    this.pushes('message.read', { user, created_at: last.created_at, last_read_message_id: last.id })
  }

  /** The signed-in user marked unread from a message on, here or on another device. */
  marksUnread(id: string) {
    const at = this.#channel.messages.findIndex((message) => message.id === id)
    const before = this.#channel.messages[at - 1]
    this.#unread = this.#channel.messages.length - at
    this.pushes('notification.mark_unread', {
      user: this.me,
      first_unread_message_id: id,
      last_read_message_id: before?.id,
      last_read_at: before?.created_at ?? '2026-01-01T00:00:00.000Z',
      unread_messages: this.#unread,
    })
  }

  pushes(type: string, fields: Record<string, unknown>) {
    const { id } = this.#channel
    const created_at = new Date().toISOString()
    this.#socket?.says({ type, cid: `messaging:${id}`, channel_id: id, channel_type: 'messaging', created_at, ...fields })
  }

  async #answer(url: URL, init: RequestInit | undefined): Promise<Response> {
    const body = init?.body ? JSON.parse(String(init.body)) : {}
    const path = url.pathname.replace(`/channels/messaging/${this.#channel.id}`, '') || '/'
    this.calls.push({ method: init?.method ?? 'GET', path, body })
    if (this.#delays) await new Promise<void>((give) => this.#delays?.push(give))
    if (this.failing.has(body.messages?.id_around ? `${path} around` : path))
      return Response.json({ code: 16, message: 'Not there.', StatusCode: 404, duration: '1ms' }, { status: 404 })
    const answer = this.#answerTo(path, body)
    return Response.json({ duration: '1ms', ...answer })
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the client sends
  #answerTo(path: string, body: any): object {
    if (path === '/query') return this.#state(body.messages ?? {})
    if (path === '/read') {
      this.reads(this.me)
      return { event: null }
    }
    if (path === '/message') {
      const { id, text } = body.message
      const message = { id, text, user: this.me, created_at: new Date().toISOString() }
      this.#channel.messages.push(message)
      return { message: this.#wire(message) }
    }
    return {}
  }

  #state(asked: { limit?: number; id_lt?: string; id_gt?: string; id_around?: string }) {
    const { id, name, members, messages } = this.#channel
    const limit = asked.limit ?? 25
    const at = (wanted: string) => messages.findIndex((message) => message.id === wanted)
    const from = asked.id_lt
      ? Math.max(0, at(asked.id_lt) - limit)
      : asked.id_gt
        ? at(asked.id_gt) + 1
        : asked.id_around
          ? Math.max(0, Math.min(at(asked.id_around) - Math.floor(limit / 2), messages.length - limit))
          : Math.max(0, messages.length - limit)
    const to = asked.id_lt ? at(asked.id_lt) : from + limit
    const read = members.map((user) => {
      const lastRead = user === this.me ? messages[messages.length - 1 - this.#unread] : messages.at(-3)
      return {
        user,
        last_read: lastRead?.created_at ?? '2026-01-01T00:00:00.000Z',
        last_read_message_id: lastRead?.id,
        unread_messages: user === this.me ? this.#unread : 0,
      }
    })
    const asMember = (user: PretendUser) => ({ user_id: user.id, user, channel_role: 'channel_member' })
    return {
      channel: {
        id,
        type: 'messaging',
        cid: `messaging:${id}`,
        name,
        member_count: members.length,
        config: { typing_events: true, read_events: true, reactions: true, replies: true, commands: [] },
        own_capabilities: CAPABILITIES,
      },
      messages: messages.slice(from, to).map((message) => this.#wire(message)),
      pinned_messages: [],
      members: members.map(asMember),
      membership: asMember(this.me),
      read,
      watchers: [],
      watcher_count: 1,
      threads: [],
    }
  }

  #wire(message: PretendMessage) {
    return {
      cid: `messaging:${this.#channel.id}`,
      html: '',
      type: 'regular',
      updated_at: message.created_at,
      attachments: [],
      mentioned_users: [],
      latest_reactions: [],
      own_reactions: [],
      reply_count: 0,
      silent: false,
      shadowed: false,
      pinned: false,
      pinned_at: null,
      restricted_visibility: [],
      ...message,
    }
  }

  #hello() {
    const me = { ...this.me, role: 'user', devices: [], mutes: [], channel_mutes: [], total_unread_count: this.#unread }
    return { type: 'health.check', cid: '*', connection_id: 'c1', created_at: new Date().toISOString(), me }
  }
}

const CAPABILITIES = [
  'read-events',
  'send-message',
  'send-reaction',
  'send-reply',
  'quote-message',
  'update-own-message',
  'delete-own-message',
  'typing-events',
  'pin-message',
  'flag-message',
]

class PretendSocket {
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number; reason: string }) => void) | null = null
  onerror: ((event: unknown) => void) | null = null
  readonly url: string
  constructor(url: string) {
    this.url = url
  }

  send() {}

  close(code = 1000) {
    queueMicrotask(() => this.onclose?.({ code, reason: '' }))
  }

  says(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }
}
