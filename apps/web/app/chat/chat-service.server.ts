import { ChatError, ChatClient as UserClient } from '@parley/client'
import { ChatClient } from '@parley/client/server'
import type { Person } from '../people/person.ts'
import { fullName } from '../people/person.ts'
import { ChatClock } from './chat-clock.server.ts'
import {
  CHANNEL_TYPE,
  equalizeDirectChats,
  isDirect,
  keepChatPermissions,
  MODERATOR,
} from './chat-permissions.server.ts'
import { type FirstMessage, firstMessageError, type MessageRules } from './first-message.server.ts'
import type { FirstMessageError } from './start-chat.ts'

/** The browser's chat credentials. Created with the session data, never stored [APP-4, APP-32]. */
export interface ChatIdentity {
  id: string
  token: string
}

/** A person in the shape that the chat server gets. */
export type ChatPerson = Pick<Person, 'id' | 'givenName' | 'familyName' | 'image' | 'language'> & {
  organization: string
  /**
   * The organizations that give them chat access. Other users start a chat with them through one of these, except for
   * its own members.
   */
  organizationIds: readonly string[]
}

/** A channel in the product's list [NEW-45]. */
export interface ProductChannel {
  cid: string
  id: string
  type: string
  /** The group's name, or the full name of the other person. */
  name: string
  /** The picture, and the id that sets the fallback colour; the same as in chat. */
  face: { id: string; image: string | null }
  memberIds: string[]
  lastMessageAt: string | null
}

/** A token is valid this long; then the browser fetches a new one with the session data. */
const TOKEN_SECONDS = 24 * 3_600

/** The most users in one call. */
export const USERS_A_CALL = 100

/** The chat server's error code for a missing channel. */
const DOES_NOT_EXIST = 16

/** The most channels in one call; the list in the browser pages on by itself. */
const CHANNELS_A_CALL = 30

/** The most members in one call. */
const MEMBERS_A_CALL = 100

/** The id of the product's webhook on the chat server, among those that operators have set. */
const HOOK_ID = 'parley-web'
const WEBHOOK_EVENTS = ['message.new', 'member.removed']

export type ChatService = ReturnType<typeof createChatService>

/** All calls of the product to the chat server. Nothing else in the product calls it with the secret [APP-3]. */
export function createChatService({ url, key, secret }: { url: string; key: string; secret: string }) {
  const clock = new ChatClock()
  // A client caches every channel it has loaded. One client per task keeps the memory of a long-lived server small.
  /** @param options  `timeout` of one call, in milliseconds, where nobody waits for its answer */
  const newClient = (options: { timeout?: number } = {}) =>
    new ChatClient(key, secret, { baseURL: url, fetch: clock.fetch, ...options })

  const verifier = newClient()

  function channelOf(cid: string): ServerChannel {
    const [type = '', id = ''] = cid.split(':')
    return newClient().channel(type, id)
  }

  function identityOf(personId: string): ChatIdentity {
    const issuedAt = Math.floor(clock.atLeast() / 1_000)
    return { id: personId, token: newClient().createToken(personId, issuedAt + TOKEN_SECONDS, issuedAt) }
  }

  return {
    url,
    key,
    identityOf,

    /** @throws ChatError — the server refuses the key or secret, or does not respond */
    async isOurs(): Promise<void> {
      await newClient().getAppSettings()
    },

    /** @param options  those of `newClient` */
    async savePeople(people: readonly ChatPerson[], options: { timeout?: number } = {}): Promise<void> {
      for (let start = 0; start < people.length; start += USERS_A_CALL)
        await newClient(options).upsertUsers(people.slice(start, start + USERS_A_CALL).map(chatUserOf))
    },

    /** Closes all connections and revokes all tokens of these users, as many as fit in one call. */
    async shutOut(ids: readonly string[]): Promise<void> {
      const client = newClient()
      if (!clock.isKnown) await client.getAppSettings()
      const set = { revoke_tokens_issued_before: new Date(clock.atMost()).toISOString() }
      await client.partialUpdateUsers(ids.map((id) => ({ id, set })))
    },

    /**
     * Deletes users for good: their names, pictures and connections go, and their messages stay. Unknown or already
     * deleted users are ignored.
     */
    async forgetPeople(ids: readonly string[]): Promise<void> {
      await newClient().deleteUsers(ids, { user: 'pruning' })
    },

    /** The direct chat of two users, if they have one: what it allows in a message. */
    async existingChat(...ids: [string, string]): Promise<{ rules: MessageRules } | undefined> {
      const filter = { type: CHANNEL_TYPE, members: { $eq: ids } }
      const [channel] = await newClient().queryChannels(filter, [], { limit: 1, message_limit: 0, watch: false })
      return channel && { rules: channel.data.config as MessageRules }
    },

    /** The one direct chat of two users; always the same one [NEW-50]. */
    async directChat(starterId: string, otherId: string): Promise<string> {
      const channel = newClient().channel(CHANNEL_TYPE, { members: [starterId, otherId], created_by_id: starterId })
      await onceMore(() => channel.create())
      return channel.cid
    },

    /** A new group whose creator is a member and its moderator; the same id again gives the same group [NEW-51]. */
    async group(group: { id: string; name: string; creatorId: string; memberIds: string[] }): Promise<string> {
      const { id, name, creatorId, memberIds } = group
      const members = memberIds.map((user_id) =>
        user_id === creatorId ? { user_id, channel_role: MODERATOR } : user_id,
      )
      const channel = newClient().channel(CHANNEL_TYPE, id, { name, members, created_by_id: creatorId })
      await onceMore(() => channel.create())
      return channel.cid
    },

    /** @see firstMessageError */
    async checkFirst(first: FirstMessage, authorId: string, there?: MessageRules) {
      return firstMessageError(newClient(), first, authorId, there)
    },

    /**
     * Sends a first message with its author's permissions: the product cannot send what they may not. The same id sent
     * twice is one message.
     *
     * @returns why it was not sent; undefined once it is
     */
    async say(cid: string, authorId: string, first: FirstMessage): Promise<FirstMessageError | undefined> {
      const { id, text = '', imageUrl } = first
      const attachments = imageUrl ? [{ type: 'image', image_url: imageUrl, fallback: text }] : []
      const author = new Author(key, identityOf(authorId).token, url)
      try {
        return await onceMore(() => author.says(cid, { id, text, attachments }))
      } catch (error) {
        if (isSentAlready(error, id)) return undefined
        console.error('The first message of a chat was not sent.', error)
        return { reason: 'firstMessage.notSent' }
      }
    },

    /** Whether a user moderates a group, and so may change its members and its name. */
    async isModeratorOf(cid: string, personId: string): Promise<boolean> {
      if (isDirect(cid) || !cid.startsWith(`${CHANNEL_TYPE}:`)) return false
      const { members } = await channelOf(cid)
        .queryMembers({ id: personId }, [], { limit: 1 })
        .catch((error: unknown) => {
          // A missing channel has no moderators.
          if (isMissing(error)) return { members: [] }
          throw error
        })
      return members.some(({ channel_role, banned }) => channel_role === MODERATOR && !banned)
    },

    /** The members who have been in a group longest, in order of joining; empty where the group has a moderator. */
    async longestIn(cid: string): Promise<string[]> {
      if (isDirect(cid)) return []
      const channel = channelOf(cid)
      const query = (filter: { channel_role?: string }) =>
        channel.queryMembers(filter, [{ created_at: 1 }], { limit: MEMBERS_A_CALL })
      const isThere = ({ status, banned }: { status?: string; banned?: boolean }) => status === 'member' && !banned
      if ((await query({ channel_role: MODERATOR })).members.some(isThere)) return []
      const { members } = await query({})
      return members.filter(isThere).flatMap(({ user_id }) => user_id ?? [])
    },

    async makeModerator(cid: string, personId: string): Promise<void> {
      await channelOf(cid).addModerators([personId])
    },

    async makeMember(cid: string, personId: string): Promise<void> {
      await channelOf(cid).demoteModerators([personId])
    },

    /** Whether a user is a member of a channel, or invited to it. */
    async isIn(cid: string, personId: string): Promise<boolean> {
      return (await channelOf(cid).queryMembers({ id: personId }, [], { limit: 1 })).members.length > 0
    },

    async isFounderOf(cid: string, personId: string): Promise<boolean> {
      const filter = { cid, created_by_id: personId }
      const channels = await newClient().queryChannels(filter, [], { limit: 1, message_limit: 0, watch: false })
      return channels.length > 0
    },

    async removeFromGroup(cid: string, personId: string): Promise<void> {
      await channelOf(cid).removeMembers([personId])
    },

    /** @param image  null removes the picture */
    async describeGroup(cid: string, { name, image }: { name?: string; image?: string | null }): Promise<void> {
      const set = { ...(name !== undefined && { name }), ...(image && { image }) }
      await channelOf(cid).updatePartial({ set, ...(image === null && { unset: ['image'] }) })
    },

    async deleteGroup(cid: string): Promise<void> {
      await channelOf(cid).delete()
    },

    async addToGroup(cid: string, ids: readonly string[]): Promise<void> {
      await channelOf(cid).addMembers(ids)
    },

    /** Invited users join once they accept, and see who invites them. */
    async inviteToGroup(cid: string, ids: readonly string[], inviterId: string): Promise<void> {
      await channelOf(cid).inviteMembers(ids.map((user_id) => ({ user_id, invited_by: inviterId })))
    },

    /** The channels of one user, newest first [NEW-45]. */
    async channelsOf(personId: string): Promise<ProductChannel[]> {
      const channels = await newClient().queryChannels({ members: { $in: [personId] } }, [{ last_message_at: -1 }], {
        user_id: personId,
        limit: CHANNELS_A_CALL,
        message_limit: 0,
        watch: false,
        presence: false,
      })
      return channels.map((channel) => productChannelOf(channel, personId))
    },

    /** Whether the chat server signed this body. */
    isFromChat(body: Uint8Array, signature: string | null): boolean {
      return verifier.verifyWebhook(body, signature ?? undefined)
    },

    /**
     * Sets the webhook for new messages, with the users to notify because they do not have the product open, and for
     * members who leave a channel. Other webhooks stay as they are.
     */
    async setWebhook(url: string): Promise<void> {
      const client = newClient()
      const { app } = (await client.getAppSettings()) as { app: { event_hooks?: Hook[] } }
      const hooks = app.event_hooks ?? []
      const own = hooks.find((hook) => hook.id === HOOK_ID)
      const hook = { webhook_url: url, enabled: true, push_recipients: 'offline' } satisfies Partial<Hook>
      const isSet = own?.webhook_url === url && own.enabled && own.push_recipients === hook.push_recipients
      if (isSet && WEBHOOK_EVENTS.every((type) => own.event_types?.includes(type))) return
      const whole = { id: HOOK_ID, hook_type: 'webhook', event_types: WEBHOOK_EVENTS, ...hook }
      await client.updateAppSettings({ event_hooks: [...hooks.filter(({ id }) => id !== HOOK_ID), whole] })
    },

    /**
     * Sets the product's permissions on the chat server: profiles come from the product, and users can do there what
     * the product offers. Where the permissions were wider before, this also repairs direct chats.
     */
    async setHouseRules(): Promise<void> {
      const client = newClient()
      if (await keepChatPermissions(client)) await equalizeDirectChats(client)
    },

    newClient,
  }
}

/** A user who sends a message through the product, without a connection. */
class Author extends UserClient {
  constructor(key: string, token: string, baseURL: string) {
    super(key, { baseURL })
    this.tokens.setFixed(token)
  }

  /** @returns why the message reached no recipient; undefined if it did */
  async says(cid: string, message: object): Promise<FirstMessageError | undefined> {
    const path = `/channels/${cid.replace(':', '/')}/message`
    const answer = await this.request<SentAnswer>('POST', path, { body: { message } })
    const { type, moderation } = answer.message
    if (type === 'error') return { reason: moderation ? 'firstMessage.moderated' : 'firstMessage.notSent' }
    // The answer to a command, which only its sender sees.
    return type === 'ephemeral' ? { reason: 'firstMessage.notSent' } : undefined
  }
}

interface SentAnswer {
  message: { type: string; moderation?: object }
}

/** Repeats a call that the chat server may have carried out although no answer came; it does nothing twice. */
async function onceMore<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ChatError && error.retry) return ask()
    throw error
  }
}

interface Hook {
  id: string
  enabled?: boolean
  webhook_url?: string
  event_types?: string[]
  push_recipients?: string
}

type ServerChannel = Awaited<ReturnType<ChatClient['queryChannels']>>[number]

function productChannelOf(channel: ServerChannel, personId: string): ProductChannel {
  const members = Object.values(channel.state.members)
  const others = members.filter((member) => member.user_id !== personId)
  const data = channel.data ?? {}
  const lastMessageAt = data.last_message_at ?? null
  const partner = others.length === 1 && !data.name ? others[0]?.user : undefined
  return {
    cid: channel.cid,
    id: channel.id ?? '',
    type: channel.type,
    name: data.name || others.map((member) => member.user?.name ?? member.user_id).join(', '),
    face: { id: partner?.id ?? channel.cid, image: data.image ?? partner?.image ?? null },
    memberIds: members.flatMap((member) => member.user_id ?? []),
    lastMessageAt: lastMessageAt === null ? null : new Date(lastMessageAt).toISOString(),
  }
}

function chatUserOf(person: ChatPerson) {
  return {
    id: person.id,
    name: fullName(person),
    ...(person.image ? { image: person.image } : {}),
    ...(person.language ? { language: person.language } : {}),
    ...(person.organization ? { organization: person.organization } : {}),
    organization_ids: person.organizationIds,
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DOES_NOT_EXIST
}

function isSentAlready(error: unknown, id: string): boolean {
  return error instanceof Error && error.message.includes(`a message with ID ${id} already exists`)
}
