/** Objects as the server writes them, for tests. */
import type { Poll, PollVote } from '@parley/protocol/polls'
import type { ChatEvent } from '../events.ts'
import type { ChannelStateAnswer, Member, Message, OwnUser, Reaction, ThreadData, User } from '../shapes.ts'

const LONG_AGO = '2026-01-01T00:00:00Z'

export function aUser(id: string, fields: Partial<User> = {}): User {
  return {
    id,
    name: id[0]?.toUpperCase() + id.slice(1),
    role: 'user',
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    banned: false,
    online: true,
    language: '',
    teams: [],
    blocked_user_ids: [],
    ...fields,
  } as User
}

export const ada = aUser('ada')
export const bo = aUser('bo')
export const cy = aUser('cy')

export function me(user: User, fields: Partial<OwnUser> = {}): OwnUser {
  return {
    ...user,
    devices: [],
    mutes: [],
    channel_mutes: [],
    unread_count: 0,
    total_unread_count: 0,
    unread_channels: 0,
    unread_threads: 0,
    ...fields,
  } as OwnUser
}

/** A message of Bo's; `minute` puts it in order. */
export function aMessage(id: string, fields: Partial<Message> & { minute?: number } = {}): Message {
  const { minute = 0, ...given } = fields
  const at = new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString().replace('.000Z', '.000001Z')
  return {
    id,
    cid: 'messaging:tea',
    text: id,
    html: '',
    type: 'regular',
    user: bo,
    created_at: at,
    updated_at: at,
    attachments: [],
    mentioned_users: [],
    latest_reactions: [],
    own_reactions: [],
    reaction_counts: {},
    reaction_scores: {},
    reaction_groups: {},
    reply_count: 0,
    deleted_reply_count: 0,
    silent: false,
    shadowed: false,
    pinned: false,
    pinned_at: null,
    pinned_by: null,
    pin_expires: null,
    restricted_visibility: [],
    ...given,
  } as Message
}

export function messages(from: number, to: number): Message[] {
  return Array.from({ length: to - from + 1 }, (_, i) => aMessage(`m${from + i}`, { minute: from + i }))
}

export function aMember(user: User, fields: Partial<Member> = {}): Member {
  return {
    user_id: user.id,
    user,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    banned: false,
    shadow_banned: false,
    channel_role: 'channel_member',
    notifications_muted: false,
    archived: false,
    pinned: false,
    ...fields,
  } as Member
}

export function aReaction(messageID: string, user: User, type: string, fields: Partial<Reaction> = {}): Reaction {
  return {
    message_id: messageID,
    user_id: user.id,
    user,
    type,
    score: 1,
    created_at: '2026-01-05T08:30:00Z',
    updated_at: '2026-01-05T08:30:00Z',
    ...fields,
  } as Reaction
}

const config = { name: 'messaging', typing_events: true, read_events: true, commands: [] }

/** The channel `messaging:tea` of Ada and Bo, as Ada's query returns it. */
export function aChannel(fields: Record<string, unknown> = {}, state: Partial<ChannelStateAnswer> = {}) {
  const id = (fields.id as string | undefined) ?? 'tea'
  const members = [aMember(ada), aMember(bo)]
  const read = [ada, bo].map((user) => ({ user, last_read: '2026-01-05T08:00:00Z', unread_messages: 0 }))
  return {
    channel: {
      id,
      type: 'messaging',
      cid: `messaging:${id}`,
      name: 'Tea',
      created_at: LONG_AGO,
      updated_at: LONG_AGO,
      frozen: false,
      disabled: false,
      created_by: ada,
      config,
      member_count: 2,
      own_capabilities: ['read-events', 'send-message'],
      last_message_at: state.messages?.at(-1)?.created_at,
      ...fields,
    },
    messages: [],
    pinned_messages: [],
    members,
    membership: members[0],
    read,
    watchers: [],
    watcher_count: 0,
    threads: [],
    ...state,
  } as unknown as ChannelStateAnswer
}

/** An event in `messaging:tea`, as listeners get it. */
export function anEvent(type: string, fields: Record<string, unknown> = {}): ChatEvent {
  return {
    type,
    created_at: '2026-01-05T08:59:00.000001Z',
    cid: 'messaging:tea',
    channel_id: 'tea',
    channel_type: 'messaging',
    received_at: new Date('2026-01-05T09:00:00Z'),
    ...fields,
  } as unknown as ChatEvent
}

export function posted(message: Message, fields: Record<string, unknown> = {}): ChatEvent {
  return anEvent('message.new', { message, message_id: message.id, user: message.user, watcher_count: 1, ...fields })
}

/** A poll of Bo's without votes. */
export function aPoll(id: string, fields: Partial<Poll> = {}): Poll {
  return {
    id,
    name: 'Lunch?',
    description: '',
    voting_visibility: 'public',
    enforce_unique_vote: false,
    max_votes_allowed: null,
    allow_user_suggested_options: false,
    allow_answers: true,
    is_closed: false,
    options: ['pho', 'pizza', 'salad'].map((option) => ({ id: option, text: option })),
    vote_count: 0,
    vote_counts_by_option: {},
    latest_votes_by_option: {},
    answers_count: 0,
    latest_answers: [],
    own_votes: [],
    created_by_id: bo.id,
    created_by: bo,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    ...fields,
  } as Poll
}

export function aVote(id: string, user: User, fields: Partial<PollVote> = {}): PollVote {
  const at = '2026-01-05T08:30:00Z'
  return {
    id,
    poll_id: 'p1',
    option_id: 'pho',
    user_id: user.id,
    user,
    created_at: at,
    updated_at: at,
    ...fields,
  } as PollVote
}

/** The thread of a message of Ada's in `messaging:tea` with replies by Bo, as Ada's query returns it. */
export function aThread(id: string, replies: Message[] = [], fields: Partial<ThreadData> = {}): ThreadData {
  const at = replies.at(-1)?.created_at ?? LONG_AGO
  const participants = [bo, ada].map((user) => ({
    channel_cid: 'messaging:tea',
    thread_id: id,
    user_id: user.id,
    user,
    created_at: LONG_AGO,
    last_read_at: LONG_AGO,
  }))
  return {
    channel_cid: 'messaging:tea',
    channel: aChannel().channel,
    parent_message_id: id,
    parent_message: aMessage(id, { user: ada, reply_count: replies.length, text: 'Where?' }),
    created_by_user_id: bo.id,
    created_by: bo,
    title: 'Where?',
    reply_count: replies.length,
    participant_count: 2,
    active_participant_count: 2,
    thread_participants: participants,
    latest_replies: replies,
    read: [ada, bo].map((user) => ({ user, last_read: LONG_AGO, unread_messages: user === ada ? replies.length : 0 })),
    last_message_at: at,
    created_at: replies[0]?.created_at ?? LONG_AGO,
    updated_at: at,
    ...fields,
  } as unknown as ThreadData
}

/** Replies of Bo's in a thread. */
export function replies(parent_id: string, from: number, to: number): Message[] {
  return messages(from, to).map((message) => ({ ...message, id: `r${message.id.slice(1)}`, type: 'reply', parent_id }))
}
