import { ChatClient, type ClientStorage } from '@parley/client'
import { MEMBERS_PAGE_MAX, PINNED_IN_STATE } from '@parley/protocol/limits'

/** A message as the fake server stores it. */
export interface FakeMessage {
  id: string
  user: FakeUser
  text: string
  created_at: string
  [field: string]: unknown
}
export interface FakeUser {
  id: string
  name: string
  [field: string]: unknown
}

/** A poll as a test describes it; votes name their option by its index. */
export interface FakePoll {
  name: string
  options: string[]
  created_by_id: string
  is_closed?: boolean
  allow_answers?: boolean
  allow_user_suggested_options?: boolean
  voting_visibility?: 'public' | 'anonymous'
  max_votes_allowed?: number | null
  votes?: { user_id: string; option: number }[]
}
interface StoredVote {
  id: string
  poll_id: string
  option_id: string
  user_id: string
  is_answer?: boolean
  answer_text?: string
  created_at: string
  updated_at: string
}
interface StoredPoll extends Omit<FakePoll, 'options' | 'votes'> {
  id: string
  options: { id: string; text: string }[]
  votes: StoredVote[]
}

export interface Conversation {
  id: string
  name?: string
  members: FakeUser[]
  messages: FakeMessage[]
  unread?: number
  /** Ada has a read position, but has read no message: she has just joined. */
  neverRead?: boolean
  /** fields of the channel object itself */
  data?: Record<string, unknown>
  pinned?: boolean
  archived?: boolean
  /** the user's notification level */
  push_level?: string
  /** the user is invited, with the inviter if known */
  invited?: { by?: string }
  /** the user's role here; by default a member's */
  role?: string
  /** the user's capabilities here; by default a member's */
  capabilities?: readonly string[]
}

export interface Call {
  method: string
  path: string
  body: Record<string, unknown>
}

/** The error of a refused call. */
export interface Refusal {
  status: number
  code: number
  message?: string
}

export const memberCapabilities: readonly string[] = [
  'read-events',
  'send-message',
  'send-reaction',
  'send-reply',
  'create-mention',
  'send-links',
  'quote-message',
  'update-own-message',
  'delete-own-message',
  'typing-events',
  'pin-message',
  'search-messages',
]

/**
 * An in-memory chat server with several conversations for one page: answers the calls of one client and sends events
 * through its socket.
 */
export class FakeServer {
  readonly client: ChatClient
  readonly calls: Call[] = []
  /**
   * calls to refuse: "POST /message" with 403, or any call whose method and last path part match; "POST /query around"
   * for the pages around one message alone
   */
  readonly refusals = new Map<string, Refusal>()
  readonly conversations: Conversation[]
  /** The settings of the app, as far as clients may read them. */
  settings: Record<string, unknown> = {}
  /** Whether it has a translation service. */
  translates = false
  #me: FakeUser
  #socket: Socket | undefined
  #reactions = new Map<string, { user: FakeUser; type: string; created_at: string }[]>()
  #polls = new Map<string, StoredPoll>()
  #mutes: { user: FakeUser; target: FakeUser; created_at: string; updated_at: string }[] = []
  #banned: string[] = []
  #previews = new Map<string, { conversation: string; words: string; shuffles: number }>()
  #held: (() => void)[] | undefined
  #answersFirst = false
  #refused = false
  /** @param storage  the client's persistent storage; none by default */
  constructor(me: FakeUser, conversations: Conversation[], storage?: ClientStorage) {
    this.#me = me
    this.conversations = conversations
    const server = this
    this.client = new ChatClient('key', {
      baseURL: 'https://chat.example.com',
      ...(storage && { storage }),
      fetch: (input, init) => this.#answer(new URL(String(input)), init),
      WebSocket: class extends Socket {
        constructor(url: string) {
          super(url)
          server.#socket = this
          if (server.#refused) queueMicrotask(() => this.says(REFUSED))
          else if (!server.down) queueMicrotask(() => this.says(server.#hello()))
        }
      },
    })
  }

  /** While true no socket gets its first frame. */
  down = false
  /** While true no call reaches the server. */
  cutOff = false

  connect({ refused = false } = {}) {
    this.#refused = refused
    return this.client.connectUser({ id: this.#me.id }, this.client.devToken(this.#me.id))
  }

  /** The connection breaks. */
  drops() {
    this.down = true
    this.#socket?.onclose?.({ code: 1006, reason: '' })
  }

  /**
   * Holds every answer back until `deliver`.
   *
   * @param answered  the calls are handled at once and their answers become outdated; else they are handled on delivery
   */
  hold({ answered = false } = {}) {
    this.#held = []
    this.#answersFirst = answered
  }

  /** @param newestFirst  answers arrive in reverse order of the calls */
  deliver({ newestFirst = false } = {}) {
    const held = newestFirst ? (this.#held ?? []).toReversed() : (this.#held ?? [])
    this.#held = undefined
    for (const give of held) give()
  }

  says(id: string, user: FakeUser, text: string, fields: Record<string, unknown> = {}) {
    const conversation = this.#find(id)
    const message = this.#keep(conversation, { id: `${user.id}-${crypto.randomUUID()}`, user, text, ...fields })
    conversation.unread = (conversation.unread ?? 0) + 1
    this.pushes(id, 'message.new', { message: this.#wire(id, message), user, message_id: message.id })
    return message.id
  }

  /** A user sends a poll. */
  asks(id: string, user: FakeUser, { options, votes = [], ...poll }: FakePoll) {
    const kept = this.#keepPoll({ ...poll, options: options.map((text) => ({ text })) })
    for (const vote of votes) this.#vote(kept, vote.user_id, { option_id: kept.options[vote.option]!.id })
    return this.says(id, user, '', { poll_id: kept.id })
  }

  /** Another user votes in the last poll; the option by its index. */
  votes(user: FakeUser, option: number) {
    const poll = [...this.#polls.values()].at(-1)!
    const vote = this.#vote(poll, user.id, { option_id: poll.options[option]!.id })
    this.#publishPoll(poll, 'poll.vote_casted', { poll_vote: this.#wireVote(poll, vote) })
  }

  deletes(messageId: string, { hard }: { hard: boolean }) {
    const { id, message } = this.#where(messageId)
    const conversation = this.#find(id)
    if (hard) conversation.messages = conversation.messages.filter((other) => other !== message)
    else Object.assign(message, { type: 'deleted', text: '', deleted_at: new Date().toISOString() })
    this.pushes(id, 'message.deleted', {
      message: { ...this.#wire(id, message), type: 'deleted' },
      hard_delete: hard,
      user: message.user,
    })
  }

  edits(messageId: string, fields: Record<string, unknown>) {
    const { id, message } = this.#where(messageId)
    Object.assign(message, fields, { updated_at: new Date().toISOString() })
    this.pushes(id, 'message.updated', { message: this.#wire(id, message), user: message.user })
  }

  reacts(messageId: string, user: FakeUser, type: string) {
    const reactions = this.#reactions.get(messageId) ?? []
    const newest = Date.parse(reactions.at(-1)?.created_at ?? '') || 0
    const created_at = new Date(Math.max(Date.now(), newest + 1)).toISOString()
    this.#reactions.set(messageId, [...reactions, { user, type, created_at }])
    const { id, message } = this.#where(messageId)
    const reaction = {
      message_id: messageId,
      user_id: user.id,
      user,
      type,
      score: 1,
      created_at,
      updated_at: created_at,
    }
    this.pushes(id, 'reaction.new', { message: this.#wire(id, message), reaction, user, message_id: messageId })
  }

  /** A user's reaction to a message, which replaces the former one. */
  reactsAnew(messageId: string, user: FakeUser, type: string) {
    const created_at = new Date().toISOString()
    const others = (this.#reactions.get(messageId) ?? []).filter((one) => one.user.id !== user.id)
    this.#reactions.set(messageId, [...others, { user, type, created_at }])
    const { id, message } = this.#where(messageId)
    const reaction = { message_id: messageId, user_id: user.id, user, type, score: 1, created_at }
    this.pushes(id, 'reaction.updated', { message: this.#wire(id, message), reaction, user, message_id: messageId })
  }

  unreacts(messageId: string, user: FakeUser, type: string) {
    const is = (one: { user: FakeUser; type: string }) => one.user.id === user.id && one.type === type
    const reactions = this.#reactions.get(messageId) ?? []
    const left = reactions.filter((one) => !is(one))
    this.#reactions.set(messageId, left)
    const { id, message } = this.#where(messageId)
    const reaction = { ...reactions.find(is), message_id: messageId, user_id: user.id, score: 1 }
    this.pushes(id, 'reaction.deleted', { message: this.#wire(id, message), reaction, user, message_id: messageId })
  }

  reads(id: string, user: FakeUser) {
    const conversation = this.#find(id)
    if (user === this.#me) conversation.unread = 0
    const last = conversation.messages.at(-1)
    this.pushes(id, 'message.read', { user, last_read_message_id: last?.id, created_at: new Date().toISOString() })
  }

  types(id: string, user: FakeUser) {
    this.pushes(id, 'typing.start', { user })
  }

  /** A user is deleted, with all their messages. */
  deletesUser(user: FakeUser, { hard }: { hard: boolean }) {
    const created_at = new Date().toISOString()
    const gone = { ...user, deleted_at: created_at }
    const fields = { user: gone, mark_messages_deleted: true, hard_delete: hard }
    this.#socket?.says({ type: 'user.deleted', created_at, ...fields })
  }

  /** A user invites the client's user to a conversation. */
  invites(conversation: Conversation) {
    this.conversations.push(conversation)
    const { channel, membership } = this.#state(conversation, {})
    this.pushes(conversation.id, 'notification.invited', { channel, member: membership, user: this.#me })
  }

  /** The channel is deleted, or the user no longer a member. */
  takesAway(id: string) {
    const channel = this.#state(this.#find(id), {}).channel
    this.conversations.splice(this.conversations.indexOf(this.#find(id)), 1)
    this.#push(id, 'notification.removed_from_channel', { channel, member: { user_id: this.#me.id }, user: this.#me })
  }

  pushes(id: string, type: string, fields: Record<string, unknown>) {
    this.#push(id, type, fields)
  }

  #push(id: string, type: string, fields: Record<string, unknown>) {
    const where = { cid: `messaging:${id}`, channel_id: id, channel_type: 'messaging' }
    this.#socket?.says({ type, created_at: new Date().toISOString(), ...where, ...fields })
  }

  async #answer(url: URL, init: RequestInit | undefined): Promise<Response> {
    const method = init?.method ?? 'GET'
    if (this.cutOff) throw new TypeError('Failed to fetch')
    const body = init?.body ? JSON.parse(String(init.body)) : {}
    const path = url.pathname
    this.calls.push({ method, path, body })
    const held = this.#held && new Promise<void>((give) => this.#held?.push(give))
    if (!this.#answersFirst) await held
    const answer = this.#answerNow(method, path, body, url)
    await held
    init?.signal?.throwIfAborted()
    return answer
  }

  // biome-ignore lint/suspicious/noExplicitAny: the client defines the bodies
  #answerNow(method: string, path: string, body: any, url: URL): Response {
    const last = `${method} /${path.split('/').at(-1)}`
    const refusal =
      this.refusals.get(body.messages?.id_around ? `${last} around` : last) ?? this.refusals.get(`${method} ${path}`)
    if (refusal) {
      const { status, code, message = 'No.' } = refusal
      return Response.json({ code, message, StatusCode: status, duration: '1ms' }, { status })
    }
    try {
      return Response.json({ duration: '1ms', ...this.#do(method, path.split('/').slice(1), body, url) })
    } catch {
      const missing = { code: 16, message: `${method} ${path}`, StatusCode: 404, duration: '1ms' }
      return Response.json(missing, { status: 404 })
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the client defines the bodies
  #do(method: string, [what, first, second, third]: string[], body: any, url: URL): object {
    if (what === 'channels' && second === undefined) {
      const { limit = 10, offset = 0, filter_conditions: { cid, name } = {} as ChannelConditions } = body
      const cids = typeof cid === 'string' ? [cid] : cid?.$in
      const newest = ({ messages }: Conversation) => messages.at(-1)?.created_at ?? ''
      const named = (one: Conversation) => !name || beginsAs(one.name ?? '', name.$autocomplete)
      const matching = this.conversations.filter((one) => named(one) && (!cids || cids.includes(`messaging:${one.id}`)))
      const sorted = matching.sort((a, b) => newest(b).localeCompare(newest(a), 'en'))
      return { channels: sorted.slice(offset, offset + limit).map((one) => this.#state(one, { limit: 25 })) }
    }
    if (what === 'channels' && second === 'query') {
      const wanted: string[] = body.data.members.toSorted()
      const isOf = ({ name, members }: Conversation) =>
        !name && String(members.map(({ id }) => id).sort()) === String(wanted)
      return this.#state(this.conversations.find(isOf)!, {})
    }
    if (what === 'channels') {
      const conversation = this.#find(second!)
      if (third === 'query')
        return { ...this.#state(conversation, body.messages ?? {}), watcher_count: body.watch ? 1 : 0 }
      if (third === 'message') {
        const { id, text = '', quoted_message_id, poll_id, parent_id, show_in_channel, attachments = [] } = body.message
        const fields = { quoted_message_id, poll_id, parent_id, show_in_channel, attachments }
        const gif = /^\/giphy ?(.*)/s.exec(text)
        if (gif) return { message: this.#preview(second!, id, gif[1]!) }
        const message = this.#keep(conversation, { id, text, user: this.#me, ...fields })
        return { message: this.#wire(second!, message) }
      }
      if (third === 'messages') {
        const ids = url.searchParams.get('ids')?.split(',') ?? []
        const found = conversation.messages.filter(({ id }) => ids.includes(id))
        return { messages: found.map((message) => this.#wire(second!, message)) }
      }
      if (third === 'member') {
        conversation.pinned = body.set.pinned ?? conversation.pinned
        conversation.archived = body.set.archived ?? conversation.archived
        const member = this.#state(conversation, {}).membership
        this.pushes(second!, 'member.updated', { member, user: this.#me })
        return { channel_member: member }
      }
      if (third === 'hide' || third === 'show') {
        const { clear_history = false } = body
        const hides = third === 'hide'
        this.pushes(second!, hides ? 'channel.hidden' : 'channel.visible', { user: this.#me, clear_history })
        return {}
      }
      if (third === undefined && (body.accept_invite || body.reject_invite)) {
        const accepted = body.accept_invite === true
        conversation.invited = undefined
        const { channel, membership } = this.#state(conversation, {})
        if (!accepted) this.conversations.splice(this.conversations.indexOf(conversation), 1)
        const type = accepted ? 'notification.invite_accepted' : 'notification.invite_rejected'
        this.pushes(second!, type, { channel, member: membership, user: this.#me })
        return { channel, members: [] }
      }
      if (third === undefined && body.invites) return this.#state(conversation, {})
      if (third === undefined && body.remove_members?.includes(this.#me.id)) {
        this.takesAway(second!)
        return {}
      }
      if (third === undefined && (body.set || body.unset || body.cooldown !== undefined))
        return this.#changes(conversation, body)
      if (third === undefined && body.add_members) return this.#adds(conversation, body.add_members)
      if (third === undefined && body.remove_members) return this.#removes(conversation, body.remove_members)
      if (third === 'read') this.reads(second!, this.#me)
      if (third === 'pinned_messages') {
        const { limit = 10, pinned_at_before } = JSON.parse(url.searchParams.get('payload') ?? '{}')
        const pins = this.#pins(second!).filter(
          ({ pinned_at }) => !pinned_at_before || `${pinned_at}` < pinned_at_before,
        )
        return { messages: pins.slice(0, limit).map((message) => this.#wire(second!, message)) }
      }
      return { event: null }
    }
    if (what === 'push_preferences') {
      for (const { channel_cid, chat_level, disabled_until } of body.preferences)
        if (channel_cid) this.#find(channel_cid.split(':')[1]).push_level = chat_level
        else return { user_preferences: { [this.#me.id]: disabled_until ? { disabled_until } : {} } }
      return {}
    }
    if (what === 'members') {
      const {
        id,
        filter_conditions,
        limit,
        user_id_gt: after = '',
      } = JSON.parse(url.searchParams.get('payload') ?? '{}')
      const wanted = filter_conditions.name?.$autocomplete ?? ''
      const named = this.#find(id).members.filter((user) => user.id > after && beginsAs(user.name, wanted))
      const sorted = named.sort((a, b) => (a.id < b.id ? -1 : 1))
      return { members: sorted.slice(0, limit).map((user) => this.#member(user)) }
    }
    if (what === 'app') return { app: this.settings, translation_enabled: this.translates }
    if (what === 'threads') {
      const { limit, next = '0' } = body
      const all = this.#threads(first ? Number(url.searchParams.get('reply_limit')) : body.reply_limit)
      if (first) return { thread: all.find(({ parent_message_id }) => parent_message_id === first) }
      const to = Number(next) + limit
      return { threads: all.slice(Number(next), to), ...(to < all.length && { next: String(to) }) }
    }
    if (what === 'users' && !first) {
      const { filter_conditions, limit, offset = 0 } = JSON.parse(url.searchParams.get('payload') ?? '{}')
      const wanted = filter_conditions.$or?.[1].name.$autocomplete ?? ''
      const members = new Set(this.conversations.flatMap((one) => one.members))
      return { users: [...members].filter((user) => beginsAs(user.name, wanted)).slice(offset, offset + limit) }
    }
    if (what === 'search') return this.#search(JSON.parse(url.searchParams.get('payload') ?? '{}'))
    if (what === 'moderation') return this.#doModeration(method, first!, body, url)
    if (what === 'og') {
      const link = url.searchParams.get('url') ?? ''
      if (!link.endsWith('/harbour')) throw new Error(`${link} shows nothing.`)
      return {
        type: 'article',
        title: 'The harbour',
        text: 'What lies at the quay',
        title_link: link,
        og_scrape_url: link,
      }
    }
    if (what === 'polls') return this.#doPoll(method, first, second, body)
    if (what === 'messages' && second === 'polls') return this.#doVote(method, third!, body, url)
    if (what === 'messages') return this.#doMessage(method, first!, second, third, body, url)
    return {}
  }

  #member(user: FakeUser): object {
    const banned = this.#banned.includes(user.id)
    const created_at = '2026-01-05T09:00:00.000Z'
    return { user_id: user.id, user, channel_role: 'channel_member', created_at, pinned: false, banned }
  }

  /** Single fields of the channel, or slow mode. */
  #changes(conversation: Conversation, { set, unset = [], cooldown }: ChannelChange): object {
    const { name, ...data } = set ?? {}
    conversation.name = name ?? conversation.name
    conversation.data = { ...conversation.data, ...data, ...(cooldown !== undefined && { cooldown }) }
    for (const field of unset) delete conversation.data[field]
    const { channel } = this.#state(conversation, {})
    this.pushes(conversation.id, 'channel.updated', { channel, user: this.#me })
    return { channel, members: [] }
  }

  #adds(conversation: Conversation, ids: string[]): object {
    for (const user of ids.map((id) => this.#person(id))) {
      conversation.members.push(user)
      const member = { user_id: user.id, user, channel_role: 'channel_member', pinned: false, banned: false }
      this.pushes(conversation.id, 'member.added', { member, user })
    }
    return this.#state(conversation, {})
  }

  #removes(conversation: Conversation, ids: string[]): object {
    const gone = ids.map((id) => this.#person(id))
    conversation.members = conversation.members.filter((user) => !gone.includes(user))
    for (const user of gone)
      this.pushes(conversation.id, 'member.removed', { member: { user_id: user.id, user }, user })
    return this.#state(conversation, {})
  }

  /** The threads of all conversations: replies are messages with a `parent_id`. */
  #threads(shown: number): { parent_message_id: string }[] {
    return this.conversations.flatMap((one) =>
      one.messages
        .filter(({ id }) => one.messages.some(({ parent_id }) => parent_id === id))
        .map((parent) => {
          const replies = one.messages.filter(({ parent_id }) => parent_id === parent.id)
          const last_message_at = replies.at(-1)!.created_at
          return {
            channel_cid: `messaging:${one.id}`,
            channel: this.#state(one, {}).channel,
            parent_message_id: parent.id,
            parent_message: this.#wire(one.id, parent),
            created_by_user_id: parent.user.id,
            title: '',
            latest_replies: replies.slice(-shown).map((reply) => this.#wire(one.id, reply)),
            thread_participants: [],
            participant_count: 2,
            active_participant_count: 2,
            reply_count: replies.length,
            read: [{ user: this.#me, last_read: parent.created_at, unread_messages: 1 }],
            created_at: parent.created_at,
            updated_at: last_message_at,
            last_message_at,
          }
        }),
    )
  }

  /** Messages with a word that begins as the text does, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: the client defines the bodies
  #search({ filter_conditions, message_filter_conditions: wanted, limit = 10, next }: any): object {
    const types: string[] | undefined = wanted['attachments.type']?.$in
    const carries = ({ attachments = [] }: FakeMessage) =>
      types === undefined || (attachments as { type: string }[]).some(({ type }) => types.includes(type))
    const found = this.conversations
      .filter(({ id }) => filter_conditions.cid === undefined || filter_conditions.cid === `messaging:${id}`)
      .flatMap((one) => one.messages.map((message) => ({ one, message })))
      .filter(
        ({ message }) =>
          message.type !== 'deleted' && beginsAs(message.text, wanted.text?.$autocomplete ?? '') && carries(message),
      )
      .filter(({ message }) => wanted['user.id'] === undefined || wanted['user.id'] === message.user.id)
      .filter(({ message: { created_at } }) => {
        const { $gte, $lt } = wanted.created_at ?? {}
        return ($gte === undefined || created_at >= $gte) && ($lt === undefined || created_at < $lt)
      })
      .sort((a, b) => b.message.created_at.localeCompare(a.message.created_at, 'en'))
    const from = Number(next ?? 0)
    const results = found.slice(from, from + limit).map(({ one, message }) => {
      return { message: { ...this.#wire(one.id, message), channel: this.#state(one, {}).channel } }
    })
    return { results, next: found.length > from + limit ? String(from + limit) : undefined }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the client defines the bodies
  #doModeration(method: string, what: string, body: any, url: URL): object {
    const now = new Date().toISOString()
    if (what === 'mute' && body.target_id) {
      this.#mutes.push({ user: this.#me, target: this.#person(body.target_id), created_at: now, updated_at: now })
      this.#publishMutes()
    } else if (what === 'unmute') {
      this.#mutes = this.#mutes.filter(({ target }) => target.id !== body.target_id)
      this.#publishMutes()
    } else if (what === 'ban') {
      const { target_user_id, id, shadow } = method === 'POST' ? body : Object.fromEntries(url.searchParams)
      this.bans(id, this.#person(target_user_id), method === 'POST', shadow === true)
    }
    return {}
  }

  /** A user is banned from a channel, or unbanned. */
  bans(id: string, user: FakeUser, banned: boolean, shadow = false) {
    this.#banned = banned ? [...this.#banned, user.id] : this.#banned.filter((other) => other !== user.id)
    this.pushes(id, banned ? 'user.banned' : 'user.unbanned', { user, shadow })
  }

  /** The user has turned do not disturb on or off on another device. */
  isDoNotDisturb(disabled_until?: string) {
    const user = { ...this.#me, push_preferences: disabled_until ? { disabled_until } : {} }
    this.#socket?.says({ type: 'user.updated', created_at: new Date().toISOString(), user })
  }

  #publishMutes() {
    const me = { ...this.#me, mutes: this.#mutes }
    this.#socket?.says({ type: 'notification.mutes_updated', created_at: new Date().toISOString(), me })
  }

  #person(id: string): FakeUser {
    return this.conversations.flatMap(({ members }) => members).find((user) => user.id === id)!
  }

  // biome-ignore lint/suspicious/noExplicitAny: the client defines the bodies
  #doPoll(method: string, id: string | undefined, second: string | undefined, body: any): object {
    if (!id) return { poll: this.#wirePoll(this.#keepPoll({ ...body, created_by_id: this.#me.id })) }
    const poll = this.#polls.get(id)!
    if (second === 'votes') return { votes: poll.votes.map((vote) => this.#wireVote(poll, vote)) }
    if (second === 'options') {
      const option = { id: crypto.randomUUID(), text: body.text }
      poll.options.push(option)
      this.#publishPoll(poll, 'poll.updated')
      return { poll_option: option }
    }
    if (method === 'PATCH') Object.assign(poll, body.set)
    this.#publishPoll(poll, poll.is_closed ? 'poll.closed' : 'poll.updated')
    return { poll: this.#wirePoll(poll) }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the client defines the bodies
  #doVote(method: string, pollId: string, body: any, url: URL): object {
    const poll = this.#polls.get(pollId)!
    if (method === 'POST') {
      const vote = this.#vote(poll, this.#me.id, body.vote)
      return { vote: this.#wireVote(poll, vote), poll: this.#wirePoll(poll) }
    }
    const voteId = url.pathname.split('/').at(-1)
    const vote = poll.votes.find(({ id }) => id === voteId)!
    poll.votes = poll.votes.filter((other) => other !== vote)
    return { vote: this.#wireVote(poll, vote), poll: this.#wirePoll(poll) }
  }

  /** The ephemeral message of `/giphy`; each shuffle shows another picture. */
  #preview(id: string, messageId: string, words: string, shuffles = 0) {
    const preview = { conversation: id, words, shuffles }
    this.#previews.set(messageId, preview)
    const message = { id: messageId, user: this.#me, text: `/giphy ${words}`, type: 'ephemeral', command: 'giphy' }
    const actions = ['send', 'shuffle', 'cancel'].map((value) => {
      const style = value === 'send' ? 'primary' : 'default'
      return { name: 'image_action', text: value, value, style, type: 'button' }
    })
    const attachments = [{ ...gifAttachment(words, shuffles), actions }]
    return this.#wire(id, { ...message, attachments, created_at: new Date().toISOString() })
  }

  #decide(messageId: string, action: string): object {
    const { conversation, words, shuffles } = this.#previews.get(messageId)!
    if (action === 'shuffle') return { message: this.#preview(conversation, messageId, words, shuffles + 1) }
    this.#previews.delete(messageId)
    if (action === 'cancel') return {}
    const sent = { id: messageId, user: this.#me, text: `/giphy ${words}`, command: 'giphy' }
    const attachments = [gifAttachment(words, shuffles)]
    return { message: this.#wire(conversation, this.#keep(this.#find(conversation), { ...sent, attachments })) }
  }

  #keepPoll(poll: Omit<StoredPoll, 'id' | 'options' | 'votes'> & { options: { text: string }[] }): StoredPoll {
    const id = crypto.randomUUID()
    const options = poll.options.map(({ text }) => ({ id: crypto.randomUUID(), text }))
    const kept: StoredPoll = { ...poll, id, options, votes: [] }
    this.#polls.set(id, kept)
    return kept
  }

  #vote(poll: StoredPoll, user_id: string, given: { option_id?: string; answer_text?: string }): StoredVote {
    const at = new Date(Date.now() + poll.votes.length).toISOString()
    const { option_id = '', answer_text } = given
    const answer: Pick<StoredVote, 'is_answer' | 'answer_text'> =
      answer_text === undefined ? {} : { is_answer: true, answer_text }
    // A user's comment replaces their former one [POL-33].
    const before = answer.is_answer && poll.votes.find((vote) => vote.is_answer && vote.user_id === user_id)
    const id = before ? before.id : crypto.randomUUID()
    const vote = { id, poll_id: poll.id, user_id, option_id, created_at: at, updated_at: at }
    const kept: StoredVote = { ...vote, ...answer }
    poll.votes = [...poll.votes.filter((vote) => vote !== before), kept]
    return kept
  }

  #publishPoll(poll: StoredPoll, type: string, more: object = {}) {
    const where = this.conversations.find(({ messages }) => messages.some(({ poll_id }) => poll_id === poll.id))
    if (where) this.pushes(where.id, type, { poll: { ...this.#wirePoll(poll), own_votes: [] }, ...more })
  }

  #wirePoll({ votes, ...poll }: StoredPoll) {
    const answers = votes.filter(({ is_answer }) => is_answer)
    const cast = votes.filter(({ is_answer }) => !is_answer)
    const wire = (vote: StoredVote) => this.#wireVote(poll, vote)
    const byOption = Object.groupBy(cast, ({ option_id }) => option_id) as Record<string, StoredVote[]>
    const each = <Made>(make: (votes: StoredVote[]) => Made) =>
      Object.fromEntries(Object.entries(byOption).map(([id, votes]) => [id, make(votes)]))
    return {
      description: '',
      voting_visibility: 'public',
      enforce_unique_vote: poll.max_votes_allowed === undefined,
      max_votes_allowed: null,
      allow_answers: false,
      allow_user_suggested_options: false,
      is_closed: false,
      ...poll,
      vote_count: cast.length,
      vote_counts_by_option: each((votes) => votes.length),
      latest_votes_by_option: each((votes) => votes.toReversed().map(wire)),
      answers_count: answers.length,
      latest_answers: answers.toReversed().map(wire),
      own_votes: votes.filter(({ user_id }) => user_id === this.#me.id).map(wire),
    }
  }

  /** In an anonymous poll only the voter sees whose a vote is. */
  #wireVote({ voting_visibility }: Omit<StoredPoll, 'votes'>, { user_id, ...vote }: StoredVote): object {
    if (voting_visibility === 'anonymous' && user_id !== this.#me.id) return vote
    const members = this.conversations.flatMap((conversation) => conversation.members)
    return { ...vote, user_id, user: members.find(({ id }) => id === user_id) }
  }

  #doMessage(
    method: string,
    messageId: string,
    second: string | undefined,
    third: string | undefined,
    // biome-ignore lint/suspicious/noExplicitAny: the client defines the bodies
    body: any,
    url: URL,
  ) {
    if (second === 'action') return this.#decide(messageId, body.form_data.image_action)
    const { id, message } = this.#where(messageId)
    if (second === 'replies') {
      const replies = this.#find(id).messages.filter(({ parent_id }) => parent_id === messageId)
      const { limit, ...asked } = Object.fromEntries(url.searchParams)
      const page = pageOf(replies, { ...asked, limit: Number(limit) })
      return { messages: page.map((reply) => this.#wire(id, reply)) }
    }
    if (second === 'translate') {
      const i18n = { language: 'de', [`${body.language}_text`]: `${message.text} (${body.language})` }
      this.edits(messageId, { i18n })
      return { message: this.#wire(id, message) }
    }
    const reactions = this.#reactions.get(messageId) ?? []
    if (second === 'reactions') {
      const { filter, limit, next } = body
      const types = filter?.type?.$in ?? (filter?.type ? [filter.type] : undefined)
      const wanted = reactions.filter(({ type }) => !types || types.includes(type))
      const older = wanted.toReversed().filter(({ created_at }) => !next || created_at < next)
      const shown = older.slice(0, limit)
      return {
        reactions: shown.map((one) => ({ ...one, message_id: messageId, user_id: one.user.id, score: 1 })),
        ...(older.length > limit && { next: shown.at(-1)!.created_at }),
      }
    }
    if (second === 'reaction' && method === 'POST') {
      this.#reactions.set(messageId, [
        ...reactions,
        { user: this.#me, type: body.reaction.type, created_at: new Date().toISOString() },
      ])
    } else if (second === 'reaction') {
      const others = reactions.filter(({ user, type }) => user !== this.#me || type !== decodeURIComponent(third!))
      this.#reactions.set(messageId, others)
    } else if (method === 'DELETE') {
      const conversation = this.#find(id)
      if (url.searchParams.get('hard')) {
        conversation.messages = conversation.messages.filter((other) => other !== message)
        return { message: this.#wire(id, message) }
      }
      Object.assign(message, { type: 'deleted', text: '', deleted_at: new Date().toISOString() })
    } else if (method === 'PUT' || method === 'POST') {
      const now = new Date().toISOString()
      const { pinned, text } = body.set ?? {}
      const pin = pinned === undefined ? {} : { pinned_at: pinned ? now : null, pinned_by: pinned ? this.#me : null }
      const edit = pinned === undefined || text ? { message_text_updated_at: now } : {}
      Object.assign(message, body.set ?? body.message, pin, edit, { updated_at: now })
      this.pushes(id, 'message.updated', { message: this.#wire(id, message), user: this.#me })
    }
    return { message: this.#wire(id, message), reaction: {} }
  }

  #keep(conversation: Conversation, message: Omit<FakeMessage, 'created_at'>): FakeMessage {
    const newest = conversation.messages.at(-1)
    const at = Math.max(Date.now(), newest ? Date.parse(newest.created_at) + 1 : 0)
    const kept = { ...message, created_at: new Date(at).toISOString() } as FakeMessage
    conversation.messages.push(kept)
    return kept
  }

  #find(id: string): Conversation {
    const conversation = this.conversations.find((one) => one.id === id)
    if (!conversation) throw new Error(`There is no conversation ${id}.`)
    return conversation
  }

  #where(messageId: string): { id: string; message: FakeMessage } {
    for (const { id, messages } of this.conversations) {
      const message = messages.find((one) => one.id === messageId)
      if (message) return { id, message }
    }
    throw new Error(`There is no message ${messageId}.`)
  }

  #state(conversation: Conversation, asked: AskedPage) {
    const { id, name, members, unread = 0, neverRead, data, pinned, invited } = conversation
    const { capabilities = memberCapabilities } = conversation
    const messages = conversation.messages.filter(({ parent_id, show_in_channel }) => !parent_id || show_in_channel)
    const page = pageOf(messages, asked)
    const config = {
      typing_events: true,
      read_events: true,
      reactions: true,
      replies: true,
      url_enrichment: true,
      commands,
    }
    return {
      channel: {
        id,
        type: 'messaging',
        cid: `messaging:${id}`,
        name,
        created_at: messages[0]?.created_at ?? '2026-01-05T09:00:00.000Z',
        last_message_at: messages.at(-1)?.created_at,
        member_count: members.length,
        config,
        own_capabilities: [...capabilities],
        ...data,
      },
      messages: page.map((message) => this.#wire(id, message)),
      pinned_messages: this.#pins(id)
        .slice(0, PINNED_IN_STATE)
        .toReversed()
        .map((message) => this.#wire(id, message)),
      members: members.slice(0, MEMBERS_PAGE_MAX).map((user) => this.#member(user)),
      membership: {
        ...this.#member(this.#me),
        pinned: pinned ?? false,
        archived: conversation.archived ?? false,
        ...(conversation.role && { channel_role: conversation.role }),
        ...(invited && { status: 'pending', invited: true, invited_by: invited.by }),
      },
      read: members.map((user) => {
        const last = user === this.#me ? messages.at(-1 - unread) : messages.at(-3)
        const last_read = last?.created_at ?? '2026-01-01T00:00:00.000Z'
        const unread_messages = user === this.#me ? unread : 0
        // Who has just joined has a position, but has read no message.
        const last_read_message_id = neverRead && user === this.#me ? undefined : last?.id
        return { user, last_read, last_read_message_id, unread_messages }
      }),
      watchers: [],
      watcher_count: 1,
      threads: [],
      ...(conversation.push_level && { push_preferences: { chat_level: conversation.push_level } }),
    }
  }

  /** Newest pin first. */
  #pins(id: string): FakeMessage[] {
    const pins = this.#find(id).messages.filter(({ pinned }) => pinned)
    return pins.sort((a, b) => String(b.pinned_at ?? '').localeCompare(String(a.pinned_at ?? ''), 'en'))
  }

  #wire(id: string, message: FakeMessage): object {
    const quoted =
      typeof message.quoted_message_id === 'string' ? this.#where(message.quoted_message_id).message : undefined
    const reactions = this.#reactions.get(message.id) ?? []
    const groups: Record<
      string,
      { count: number; sum_scores: number; first_reaction_at: string; last_reaction_at: string }
    > = {}
    for (const { type, created_at } of reactions) {
      const group = groups[type] ?? {
        count: 0,
        sum_scores: 0,
        first_reaction_at: created_at,
        last_reaction_at: created_at,
      }
      groups[type] = { ...group, count: group.count + 1, sum_scores: group.count + 1, last_reaction_at: created_at }
    }
    const asWire = reactions.map((one) => ({ ...one, message_id: message.id, user_id: one.user.id, score: 1 }))
    return {
      cid: `messaging:${id}`,
      html: '',
      type: 'regular',
      updated_at: message.created_at,
      attachments: [],
      mentioned_users: [],
      latest_reactions: asWire.toReversed(),
      own_reactions: asWire.filter(({ user }) => user === this.#me),
      reaction_groups: groups,
      reply_count: 0,
      silent: false,
      shadowed: false,
      pinned: false,
      pinned_at: null,
      restricted_visibility: [],
      ...message,
      poll: typeof message.poll_id === 'string' ? this.#wirePoll(this.#polls.get(message.poll_id)!) : undefined,
      quoted_message: quoted ? this.#wire(id, { ...quoted, quoted_message_id: undefined }) : undefined,
    }
  }

  #hello() {
    const me = {
      ...this.#me,
      role: 'user',
      devices: [],
      mutes: [],
      channel_mutes: [],
      total_unread_count: 3,
      unread_channels: 2,
    }
    return { type: 'health.check', cid: '*', connection_id: 'c1', created_at: new Date().toISOString(), me }
  }
}

/** A square of one colour; the still one is paler. */
function gifAttachment(words: string, shuffles: number) {
  const square = (light: number) => {
    const fill = `hsl(${shuffles * 90} 70% ${light}%)`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><path fill="${fill}" d="M0 0h200v200H0z"/></svg>`
    return { url: `data:image/svg+xml,${encodeURIComponent(svg)}`, width: '200', height: '200' }
  }
  const giphy = { fixed_height: square(60), fixed_height_still: square(85) }
  const { url } = giphy.fixed_height
  return { type: 'giphy', title: words, title_link: url, thumb_url: url, giphy }
}

/** The default settings of a channel type. */
const commands = ['giphy', 'ban', 'unban', 'mute', 'unmute'].map((name) => {
  const args = name === 'giphy' ? '[text]' : '[@username]'
  return { name, description: `What /${name} does`, args, set: '' }
})

interface ChannelChange {
  set?: Record<string, unknown> & { name?: string }
  unset?: string[]
  cooldown?: number
}

/** The page of a history that a call requests; the newest messages by default. */
function pageOf(messages: readonly FakeMessage[], asked: AskedPage): readonly FakeMessage[] {
  const limit = asked.limit ?? 25
  const at = (wanted: string) => messages.findIndex((message) => message.id === wanted)
  const to = asked.id_lt ? at(asked.id_lt) : messages.length
  const from = asked.id_gt
    ? at(asked.id_gt) + 1
    : asked.id_around
      ? Math.min(at(asked.id_around) - Math.floor(limit / 2), to - limit)
      : to - limit
  const since = asked.created_at_after_or_equal
  return since
    ? messages.filter(({ created_at }) => created_at >= since).slice(0, limit)
    : messages.slice(Math.max(0, from), Math.min(to, Math.max(0, from) + limit))
}

interface AskedPage {
  limit?: number
  id_lt?: string
  id_gt?: string
  id_around?: string
  created_at_after_or_equal?: string
}

interface ChannelConditions {
  cid?: string | { $in: string[] }
  name?: { $autocomplete: string }
}

/** Whether every one of the words is a prefix of a word of the text. */
function beginsAs(text: string, words: string): boolean {
  const said = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => said.some((other) => other.startsWith(word)))
}

/** The error frame of an unknown API key. */
const REFUSED = { error: { code: 2, message: 'api_key not valid', StatusCode: 401, duration: '1ms' } }

class Socket {
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
