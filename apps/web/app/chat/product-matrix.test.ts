/**
 * The permissions of the product's users on the chat server with their own tokens: exactly what the product offers.
 * Every endpoint, in a direct chat and in a group, called by every role; and whatever the product's routes refuse,
 * tried directly. A refusal changes nothing.
 */

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { ago } from '../../../../scripts/machine-time.ts'
import { castMember } from '../../src/demo/people.ts'
import { prepareChat } from '../../src/prepare-chat.ts'
import { besideChat, type ChatServer } from '../../src/testing/a-chat-server.ts'
import { describeOnSqlite, type TestProduct } from '../../src/testing/a-product.ts'
import { action as changeMembers } from '../members/members-page.tsx'
import type { SessionData } from '../session/session-data.server.ts'
import { loader as sessionData } from '../session/session-data.ts'
import { action as postSignOut } from '../session/sign-out.ts'
import { isDirect } from './chat-permissions.server.ts'
import type { ChatService } from './chat-service.server.ts'
import { syncChatUser } from './sync-users.server.ts'

/**
 * `starter` began the direct chat and created the group, where `moderator` is a moderator, too; `other` is in both;
 * `colleague` is in the starter's organization, `outsider` in none of theirs. An admin has removed the chat access of
 * `withoutChat`, `signedOut` has signed out, `stranger` has no token.
 */
const everybody = [
  ...(['starter', 'moderator', 'other', 'colleague', 'outsider'] as const),
  ...(['withoutChat', 'signedOut', 'stranger'] as const),
]
type Who = (typeof everybody)[number]

const nobody: readonly Who[] = []
const signedIn: readonly Who[] = ['starter', 'moderator', 'other', 'colleague', 'outsider']
const moderators: readonly Who[] = ['starter', 'moderator']
const pair: readonly Who[] = ['starter', 'other']
const members: readonly Who[] = ['starter', 'moderator', 'other']
/** The callers to whom the chat server still responds, if only with public settings. */
const known: readonly Who[] = [...signedIn, 'stranger']

type Kind = 'direct' | 'group'
const kinds: readonly Kind[] = ['direct', 'group']

interface Room {
  kind: Kind
  cid: string
  type: string
  id: string
  people: Record<'starter' | 'moderator' | 'other', string>
  /** The ids of the messages of the starter and of the other. */
  said: Record<'starter' | 'other', string>
  polls: Record<'starter' | 'other', Poll>
}

/** A poll, and the caller's vote. */
interface Poll {
  poll: string
  option: string
  pollMessage: string
  vote: string
}

/** The target of a call: another member's data in the same room. */
interface About extends Room, Poll {
  me: string
  /** Another member, the author of `message`. */
  them: string
  message: string
}

interface Cell {
  /** The permitted callers in a direct chat, of which `moderator` is not a member, and in a group. */
  direct: readonly Who[]
  group: readonly Who[]
  at?: (about: About) => string
  body?: (about: About) => object
  query?: (about: About) => Record<string, string>
  /** A permitted call may fail with this code, because there is nothing to do. */
  empty?: number
  /** The codes of a refusal besides 16, 17 and those about tokens. */
  refusal?: readonly number[]
}

const both = (who: readonly Who[], rest: Omit<Cell, 'direct' | 'group'> = {}): Cell => ({
  direct: who,
  group: who,
  ...rest,
})
const inRoom = (suffix: string) => (about: About) => `/channels/${about.type}/${about.id}${suffix}`
const ofMessage = (suffix: string) => (about: About) => `/messages/${about.message}${suffix}`
const ofPoll = (suffix: string) => (about: About) => `/polls/${about.poll}${suffix}`
const payload = (value: object) => ({ payload: JSON.stringify(value) })

/** Permitted for the members of a room. */
const forMembers = (rest: Omit<Cell, 'direct' | 'group'>): Cell => ({ direct: pair, group: members, ...rest })
/** Permitted for a group's moderators; a direct chat has none. */
const forModerators = (rest: Omit<Cell, 'direct' | 'group'>): Cell => ({ direct: nobody, group: moderators, ...rest })
/** A user's own data, permitted for every user with chat access. */
const forOneself = (rest: Omit<Cell, 'direct' | 'group'> = {}): Cell => both(signedIn, rest)
/** Permitted for the product's server only. */
const forNobody = (rest: Omit<Cell, 'direct' | 'group'> = {}): Cell => both(nobody, rest)

const cells: Record<string, Cell> = {
  // The app and its public settings.
  'GET /app': both(known),
  'PATCH /app': forNobody({ body: () => ({ disable_auth_checks: true }) }),
  'GET /channeltypes': both(known),
  'GET /channeltypes/:name': both(known, { at: () => '/channeltypes/messaging' }),
  'POST /channeltypes': forNobody({ body: () => ({ name: randomUUID() }) }),
  'PUT /channeltypes/:name': forNobody({
    at: () => '/channeltypes/messaging',
    body: () => ({ grants: { user: ['update-message'] } }),
  }),
  'DELETE /channeltypes/:name': forNobody({ at: () => '/channeltypes/team' }),
  'GET /roles': forNobody(),
  'GET /roles/search': forNobody({ query: () => ({ query: 'user' }) }),
  'POST /roles': forNobody({ body: () => ({ name: randomUUID() }) }),
  'DELETE /roles/:name': forNobody({ at: () => '/roles/user' }),
  'GET /permissions': forNobody(),
  'GET /permissions/:id': forNobody({ at: () => '/permissions/create-message' }),
  'POST /permissions': forNobody({ body: () => ({ name: randomUUID(), action: 'UpdateMessage' }) }),
  'PUT /permissions/:id': forNobody({
    at: () => '/permissions/group-delete-message',
    body: () => ({ condition: null }),
  }),
  'DELETE /permissions/:id': forNobody({ at: () => '/permissions/group-delete-message' }),
  'GET /commands': both(known),
  'GET /commands/:name': both(known, { at: () => '/commands/giphy' }),
  'POST /commands': forNobody({ body: () => ({ name: randomUUID(), description: 'Does it' }) }),
  'PUT /commands/:name': forNobody({ at: () => '/commands/giphy', body: () => ({}) }),
  'DELETE /commands/:name': forNobody({ at: () => '/commands/giphy' }),
  'GET /blocklists': forNobody(),
  'GET /blocklists/:name': forNobody({ at: () => '/blocklists/profanity_en_2020_v1' }),
  'POST /blocklists': forNobody({ body: () => ({ name: randomUUID(), words: ['tea'] }) }),
  'PUT /blocklists/:name': forNobody({ at: () => '/blocklists/profanity_en_2020_v1', body: () => ({ words: [] }) }),
  'POST /blocklists/:name/import': forNobody({
    at: () => '/blocklists/profanity_en_2020_v1/import',
    body: () => ({ words: ['tea'] }),
  }),
  'DELETE /blocklists/:name': forNobody({ at: () => '/blocklists/profanity_en_2020_v1' }),
  'GET /rate_limits': both(known),

  // Users: the product sets their profiles, and no user may list all of them.
  'POST /users': forNobody({ body: ({ me }) => ({ users: { [me]: { id: me, name: 'Somebody Else' } } }) }),
  'PATCH /users': forNobody({ body: ({ me }) => ({ users: [{ id: me, set: { name: 'Somebody Else' } }] }) }),
  'GET /users': forNobody({ query: () => payload({ filter_conditions: {} }) }),
  'POST /guest': forNobody({ body: () => ({ user: { id: 'eve' } }) }),
  'POST /users/:id/deactivate': forNobody({ at: ({ them }) => `/users/${them}/deactivate`, body: () => ({}) }),
  'POST /users/:id/reactivate': forNobody({ at: ({ them }) => `/users/${them}/reactivate`, body: () => ({}) }),
  'POST /users/deactivate': forNobody({ body: ({ them }) => ({ user_ids: [them] }) }),
  'POST /users/reactivate': forNobody({ body: ({ them }) => ({ user_ids: [them] }) }),
  'DELETE /users/:id': forNobody({ at: ({ them }) => `/users/${them}` }),
  'POST /users/delete': forNobody({ body: ({ them }) => ({ user_ids: [them] }) }),
  'POST /users/restore': forNobody({ body: ({ them }) => ({ user_ids: [them] }) }),
  'GET /users/:id/export': forNobody({ at: ({ them }) => `/users/${them}/export` }),
  'POST /users/:id/event': forNobody({
    at: ({ them }) => `/users/${them}/event`,
    body: () => ({ event: { type: 'wave' } }),
  }),
  'POST /users/block': forOneself({ body: ({ them }) => ({ blocked_user_id: them }) }),
  'POST /users/unblock': forOneself({ body: ({ them }) => ({ blocked_user_id: them }) }),
  'GET /users/block': forOneself(),
  'POST /devices': forOneself({ body: () => ({ id: randomUUID(), push_provider: 'apn' }) }),
  'GET /devices': forOneself(),
  'DELETE /devices': forOneself({ query: () => ({ id: 'none' }), empty: 16 }),
  'POST /push_preferences': forOneself({ body: () => ({ preferences: [{ chat_level: 'mentions' }] }) }),
  'GET /users/live_locations': forOneself(),
  'PUT /users/live_locations': forNobody({
    body: ({ message }) => ({ message_id: message, latitude: 1, longitude: 1, created_by_device_id: 'phone' }),
  }),
  'GET /unread': forOneself(),
  'POST /unread_batch': forNobody({ body: ({ them }) => ({ user_ids: [them] }) }),

  // Channels: the product creates them, and changes them for a group's moderators. A caller without a token finds
  // nothing, as the next test proves.
  'POST /channels': both(known, { body: ({ cid }) => ({ filter_conditions: { cid, members: { $in: ['me'] } } }) }),
  'POST /channels/:type/query': forNobody({
    at: ({ type }) => `/channels/${type}/query`,
    body: ({ me }) => ({ data: { members: [me, 'cleo-adeyemi'] } }),
    refusal: [4],
  }),
  'POST /channels/:type/:id/query': forMembers({ at: inRoom('/query'), body: () => ({ state: true, data: {} }) }),
  'GET /channels/:type/:id': forMembers({ at: inRoom('') }),
  'POST /channels/:type/:id': forNobody({ at: inRoom(''), body: () => ({ data: { name: '' } }) }),
  'PATCH /channels/:type/:id': forNobody({ at: inRoom(''), body: () => ({ set: { name: 'Renamed' } }) }),
  'DELETE /channels/:type/:id': forNobody({ at: inRoom('') }),
  'POST /channels/delete': forNobody({ body: ({ cid }) => ({ cids: [cid] }) }),
  'PUT /channels/batch': forNobody({
    body: ({ cid, them }) => ({
      operation: 'removeMembers',
      filter: { cids: { $eq: cid } },
      members: [{ user_id: them }],
    }),
  }),
  'POST /channels/:type/:id/truncate': forNobody({ at: inRoom('/truncate'), body: () => ({}) }),
  'POST /channels/:type/:id/stop-watching': forMembers({
    at: inRoom('/stop-watching'),
    body: () => ({}),
    empty: 4,
    refusal: [4],
  }),
  'POST /channels/:type/:id/event': forNobody({ at: inRoom('/event'), body: () => ({ event: { type: 'wave' } }) }),
  'POST /channels/:type/:id/call': forNobody({
    at: inRoom('/call'),
    body: () => ({ id: 'tea-time', type: 'audio' }),
    refusal: [4],
  }),
  'POST /calls/:id': forNobody({ at: () => '/calls/tea-time', body: () => ({}), refusal: [4] }),
  'POST /channels/:type/:id/hide': forMembers({ at: inRoom('/hide'), body: () => ({ clear_history: true }) }),
  'POST /channels/:type/:id/show': forMembers({ at: inRoom('/show'), body: () => ({}) }),
  'POST /channels/:type/:id/read': forMembers({ at: inRoom('/read'), body: () => ({}) }),
  'POST /channels/:type/:id/unread': forMembers({
    at: inRoom('/unread'),
    body: ({ message }) => ({ message_id: message }),
  }),
  'POST /channels/read': forOneself({ body: () => ({}) }),
  'POST /channels/delivered': forMembers({
    body: ({ cid, message }) => ({ latest_delivered_messages: [{ cid, id: message }] }),
  }),
  'GET /members': forMembers({ query: ({ type, id }) => payload({ type, id, filter_conditions: {} }) }),
  'PATCH /channels/:type/:id/member/:userId': forNobody({
    at: (about) => inRoom(`/member/${about.them}`)(about),
    body: () => ({ set: { channel_role: 'channel_member' } }),
  }),
  'PATCH /channels/:type/:id/member': forMembers({ at: inRoom('/member'), body: () => ({ set: { pinned: true } }) }),

  // Messages: members change their own, and a group's moderators delete those of others.
  'POST /channels/:type/:id/message': forMembers({
    at: inRoom('/message'),
    body: () => ({ message: { text: 'hello' } }),
  }),
  'GET /messages/:id': forMembers({ at: ofMessage('') }),
  'GET /channels/:type/:id/messages': forMembers({
    at: inRoom('/messages'),
    query: ({ message }) => ({ ids: message }),
  }),
  'GET /messages/:id/replies': forMembers({ at: ofMessage('/replies') }),
  'POST /messages/:id': forNobody({ at: ofMessage(''), body: () => ({ message: { text: 'never said' } }) }),
  'PUT /messages/:id': forNobody({ at: ofMessage(''), body: () => ({ set: { text: 'never said' } }) }),
  'DELETE /messages/:id': forModerators({ at: ofMessage('') }),
  'POST /messages/:id/undelete': forNobody({ at: ofMessage('/undelete'), body: () => ({}) }),
  'POST /messages/:id/commit': forNobody({ at: ofMessage('/commit'), body: () => ({}) }),
  'POST /messages/history': forNobody({ body: ({ message }) => ({ filter: { message_id: message } }) }),
  'PATCH /messages/:id/ephemeral': forNobody({
    at: ofMessage('/ephemeral'),
    body: () => ({ set: { text: 'for now' } }),
  }),
  'POST /messages/:id/action': forNobody({
    at: ofMessage('/action'),
    body: () => ({ form_data: { image_action: 'send' } }),
  }),
  'POST /messages/:id/translate': forMembers({
    at: ofMessage('/translate'),
    body: () => ({ language: 'fr' }),
    empty: 4,
  }),
  'POST /messages/:id/reaction': forMembers({
    at: ofMessage('/reaction'),
    body: () => ({ reaction: { type: 'love' } }),
  }),
  'DELETE /messages/:id/reaction/:type': forMembers({ at: ofMessage('/reaction/love'), empty: 16 }),
  'GET /messages/:id/reactions': forMembers({ at: ofMessage('/reactions') }),
  'POST /messages/:id/reactions': forMembers({ at: ofMessage('/reactions'), body: () => ({}) }),
  'POST /messages/:id/reminders': forMembers({ at: ofMessage('/reminders'), body: () => ({}), empty: 19 }),
  'PATCH /messages/:id/reminders': forMembers({ at: ofMessage('/reminders'), body: () => ({}), empty: 19 }),
  'DELETE /messages/:id/reminders': forMembers({ at: ofMessage('/reminders'), empty: 16 }),
  'POST /reminders/query': forOneself({ body: () => ({}) }),
  'GET /channels/:type/:id/pinned_messages': forMembers({ at: inRoom('/pinned_messages'), query: () => payload({}) }),
  'POST /threads': forOneself({ body: () => ({}) }),
  'GET /threads/:id': forMembers({ at: ({ message }) => `/threads/${message}` }),
  'PATCH /threads/:id': forNobody({
    at: ({ message }) => `/threads/${message}`,
    body: () => ({ set: { title: 'Titled' } }),
  }),
  'POST /channels/:type/:id/draft': forMembers({
    at: inRoom('/draft'),
    body: () => ({ message: { text: 'not yet' } }),
  }),
  'GET /channels/:type/:id/draft': forMembers({ at: inRoom('/draft'), empty: 16 }),
  'DELETE /channels/:type/:id/draft': forMembers({ at: inRoom('/draft'), empty: 16 }),
  'POST /drafts/query': forOneself({ body: () => ({}) }),
  'GET /search': both(known, { query: ({ cid }) => payload({ filter_conditions: { cid }, query: 'about' }) }),
  'POST /sync': forOneself({
    body: ({ cid }) => ({ channel_cids: [cid], last_sync_at: ago(60_000).toISOString() }),
  }),

  // Polls.
  'POST /polls': forOneself({ body: () => ({ name: 'Tea?' }) }),
  'PUT /polls': forNobody({
    body: ({ poll, option }) => ({ id: poll, name: 'Coffee?', options: [{ id: option, text: 'yes' }] }),
  }),
  'POST /polls/query': forNobody({ body: () => ({}) }),
  'GET /polls/:id': forMembers({ at: ofPoll('') }),
  'PATCH /polls/:id': forNobody({ at: ofPoll(''), body: () => ({ set: { is_closed: true } }) }),
  'DELETE /polls/:id': forNobody({ at: ofPoll('') }),
  'POST /polls/:id/options': forNobody({ at: ofPoll('/options'), body: () => ({ text: 'maybe' }) }),
  'PUT /polls/:id/options': forNobody({
    at: ofPoll('/options'),
    body: ({ option }) => ({ id: option, text: 'maybe' }),
  }),
  'GET /polls/:id/options/:option': forMembers({ at: (about) => ofPoll(`/options/${about.option}`)(about) }),
  'DELETE /polls/:id/options/:option': forNobody({ at: (about) => ofPoll(`/options/${about.option}`)(about) }),
  'POST /messages/:id/polls/:poll/vote': forMembers({
    at: ({ pollMessage, poll }) => `/messages/${pollMessage}/polls/${poll}/vote`,
    body: ({ option }) => ({ vote: { option_id: option } }),
  }),
  'DELETE /messages/:id/polls/:poll/vote/:vote': forNobody({
    at: ({ pollMessage, poll, vote }) => `/messages/${pollMessage}/polls/${poll}/vote/${vote}`,
  }),
  'POST /polls/:id/votes': forMembers({ at: ofPoll('/votes'), body: () => ({}) }),

  // Moderation.
  'POST /moderation/ban': forModerators({ body: ({ them, type, id }) => ({ target_user_id: them, type, id }) }),
  'DELETE /moderation/ban': forModerators({ query: ({ them, type, id }) => ({ target_user_id: them, type, id }) }),
  'GET /query_banned_users': forModerators({
    query: ({ cid }) => payload({ filter_conditions: { channel_cid: cid } }),
  }),
  'GET /query_future_channel_bans': forOneself({ query: () => payload({}) }),
  'POST /moderation/flag': forMembers({ body: ({ message }) => ({ target_message_id: message }) }),
  'POST /moderation/unflag': forMembers({ body: ({ message }) => ({ target_message_id: message }), empty: 16 }),
  'GET /moderation/flags/message': forModerators({
    query: ({ cid }) => payload({ filter_conditions: { channel_cid: cid } }),
  }),
  'POST /moderation/reports': forNobody({ body: () => ({}) }),
  'PATCH /moderation/reports/:id': forNobody({
    at: () => '/moderation/reports/none',
    body: () => ({ review_result: 'ok' }),
  }),
  'POST /moderation/mute': forOneself({ body: ({ them }) => ({ target_id: them }) }),
  'POST /moderation/unmute': forOneself({ body: ({ them }) => ({ target_id: them }) }),
  'POST /moderation/mute/channel': forMembers({ body: ({ cid }) => ({ channel_cid: cid }) }),
  'POST /moderation/unmute/channel': forMembers({ body: ({ cid }) => ({ channel_cid: cid }) }),
  'POST /api/v2/moderation/flag': forMembers({
    body: ({ message }) => ({ entity_type: 'message', entity_id: message }),
  }),
  'POST /api/v2/moderation/mute': forOneself({ body: ({ them }) => ({ target_ids: [them] }) }),
  'POST /api/v2/moderation/unmute': forOneself({ body: ({ them }) => ({ target_ids: [them] }) }),
  'POST /api/v2/moderation/ban': forModerators({
    body: ({ them, cid }) => ({ target_user_id: them, channel_cid: cid }),
  }),
  'POST /api/v2/moderation/unban': forModerators({
    query: ({ them, cid }) => ({ target_user_id: them, channel_cid: cid }),
    body: () => ({}),
  }),
  'GET /api/v2/moderation/user_report': forNobody({ query: ({ them }) => ({ user_id: them }) }),
  'POST /api/v2/moderation/review_queue': forNobody({ body: () => ({}) }),
  'GET /api/v2/moderation/review_queue/:id': forNobody({ at: () => '/api/v2/moderation/review_queue/none' }),
  'POST /api/v2/moderation/submit_action': forNobody({
    body: ({ message }) => ({ action_type: 'delete_message', delete_message: { entity_id: message } }),
  }),
  'POST /api/v2/moderation/config': forNobody({ body: () => ({ key: randomUUID() }) }),
  'GET /api/v2/moderation/config/:key': forNobody({ at: () => '/api/v2/moderation/config/none' }),
  'DELETE /api/v2/moderation/config/:key': forNobody({ at: () => '/api/v2/moderation/config/none' }),
  'POST /api/v2/moderation/configs': forNobody({ body: () => ({}) }),
  'POST /api/v2/moderation/check': forNobody({
    body: ({ message, them }) => ({
      ...{ entity_type: 'message', entity_id: message, entity_creator_id: them },
      ...{ moderation_payload: { texts: ['what it is about'] }, config: {} },
    }),
  }),
  'POST /api/v2/moderation/custom_check': forNobody({
    body: ({ message }) => ({ entity_type: 'message', entity_id: message, flags: [{ type: 'custom_check_text' }] }),
  }),
  'POST /api/v2/moderation/flags': forNobody({ body: () => ({}) }),
  'POST /api/v2/moderation/logs': forNobody({ body: () => ({}) }),
  'POST /api/v2/moderation/flag_count': forNobody({ body: ({ them }) => ({ entity_creator_id: them }) }),
  'POST /api/v2/moderation/bypass': forNobody({ body: ({ them }) => ({ target_user_id: them, enabled: true }) }),

  // Files and links. Uploads have their own test below.
  'DELETE /channels/:type/:id/file': forMembers({
    at: inRoom('/file'),
    query: () => ({ url: 'https://files.example/x' }),
    empty: 16,
  }),
  'DELETE /channels/:type/:id/image': forMembers({
    at: inRoom('/image'),
    query: () => ({ url: 'https://files.example/x' }),
    empty: 16,
  }),
  'DELETE /uploads/file': forOneself({ query: () => ({ url: 'https://files.example/x' }), empty: 16 }),
  'DELETE /uploads/image': forOneself({ query: () => ({ url: 'https://files.example/x' }), empty: 16 }),
  'GET /og': forOneself({ query: () => ({ url: 'http://127.0.0.1:1/' }), empty: 16 }),

  // The app's administration.
  'GET /push_providers': forNobody(),
  'POST /push_providers': forNobody({ body: () => ({ push_provider: { type: 'firebase', name: randomUUID() } }) }),
  'DELETE /push_providers/:type/:name': forNobody({ at: () => '/push_providers/apn/nobody' }),
  'GET /push_templates': forNobody(),
  'POST /push_templates': forNobody({ body: () => ({ event_type: 'message.new', push_provider_type: 'apn' }) }),
  'POST /check_push': forNobody({ body: ({ them }) => ({ user_id: them }) }),
  'POST /check_sqs': forNobody({ body: () => ({}) }),
  'POST /check_sns': forNobody({ body: () => ({}) }),
  'GET /tasks/:id': forNobody({ at: () => '/tasks/none' }),
  'POST /export_channels': forNobody({ body: ({ cid }) => ({ channels: [{ cid }] }) }),
  'GET /export_channels/:id': forNobody({ at: () => '/export_channels/none' }),
  'POST /export/users': forNobody({ body: ({ them }) => ({ user_ids: [them] }) }),
  'GET /segments': forNobody({ query: () => payload({}) }),
  'POST /segments': forNobody({ body: () => ({ type: 'user' }) }),
  'POST /segments/query': forNobody({ body: () => ({}) }),
  'GET /segments/:id': forNobody({ at: () => '/segments/nowhere' }),
  'PUT /segments/:id': forNobody({ at: () => '/segments/nowhere', body: () => ({}) }),
  'DELETE /segments/:id': forNobody({ at: () => '/segments/nowhere' }),
  'POST /segments/:id/addtargets': forNobody({
    at: () => '/segments/nowhere/addtargets',
    body: ({ them }) => ({ target_ids: [them] }),
  }),
  'POST /segments/:id/deletetargets': forNobody({
    at: () => '/segments/nowhere/deletetargets',
    body: ({ them }) => ({ target_ids: [them] }),
  }),
  'GET /segments/:id/target/:target': forNobody({ at: () => '/segments/nowhere/target/one' }),
  'POST /segments/:id/targets/query': forNobody({ at: () => '/segments/nowhere/targets/query', body: () => ({}) }),
  'GET /campaigns': forNobody({ query: () => payload({}) }),
  'POST /campaigns': forNobody({ body: ({ them }) => ({ sender_id: them, message_template: { text: 'Hello' } }) }),
  'POST /campaigns/query': forNobody({ body: () => ({}) }),
  'GET /campaigns/:id': forNobody({ at: () => '/campaigns/nowhere' }),
  'PUT /campaigns/:id': forNobody({ at: () => '/campaigns/nowhere', body: () => ({}) }),
  'DELETE /campaigns/:id': forNobody({ at: () => '/campaigns/nowhere' }),
  'POST /campaigns/:id/start': forNobody({ at: () => '/campaigns/nowhere/start', body: () => ({}) }),
  'POST /campaigns/:id/stop': forNobody({ at: () => '/campaigns/nowhere/stop', body: () => ({}) }),
  'PATCH /campaigns/:id/stop': forNobody({ at: () => '/campaigns/nowhere/stop' }),
  'PATCH /campaigns/:id/schedule': forNobody({
    at: () => '/campaigns/nowhere/schedule',
    body: () => ({ scheduled_for: ago(-60_000).toISOString() }),
  }),
  'PATCH /campaigns/:id/resume': forNobody({ at: () => '/campaigns/nowhere/resume' }),
  'POST /campaigns/:id/test': forNobody({
    at: () => '/campaigns/nowhere/test',
    body: ({ them }) => ({ users: [them] }),
  }),
  'POST /stats/team_usage': forNobody({ body: () => ({}) }),
  'POST /import_urls': forNobody({ body: () => ({ filename: 'history.jsonl' }) }),
  'POST /imports': forNobody({ body: () => ({ path: 'nowhere/history.jsonl' }) }),
  'GET /imports': forNobody(),
  'GET /imports/:id': forNobody({ at: () => '/imports/none' }),
}

/** Endpoints with their own test, by its path. */
const elsewhereProved: Record<string, string> = {
  'GET /longpoll': 'apps/server/src/chat/connections/long-poll.test.ts',
  'POST /channels/:type/:id/file': 'the story of uploads below',
  'POST /channels/:type/:id/image': 'the story of uploads below',
  'POST /uploads/file': 'the story of uploads below',
  'POST /uploads/image': 'the story of uploads below',
}

/** The codes for invalid and missing tokens. */
const OUT_CODES = new Set([5, 17, 40, 43, 2, 70, 16])

describeOnSqlite('at the chat server, with a token of the product', (open) => {
  let server: ChatServer
  let test: TestProduct
  let chat: ChatService
  let tokens: Map<string, string>
  const fixed = {} as Record<'colleague' | 'outsider' | 'withoutChat' | 'signedOut', string>
  besideChat(open, (opened, its) => {
    test = opened
    server = its
    chat = opened.product.chat!
  })

  beforeAll(async () => {
    const { product } = test
    tokens = new Map()
    await prepareChat(product, 'http://127.0.0.1')
    const cast = { colleague: 'tom', outsider: 'mei', withoutChat: 'priya', signedOut: 'lucia' } as const
    for (const [who, name] of Object.entries(cast) as [keyof typeof fixed, 'tom'][]) {
      fixed[who] = castMember(name).id
      await syncChatUser(product, fixed[who])
      const session: SessionData = await (await (await test.signedIn(name)).call(sessionData, '/session')).json()
      tokens.set(fixed[who], session.chatUser!.token)
    }
    // A user without chat access.
    await chat.savePeople([{ ...castMember('cleo'), organization: '', organizationIds: [] }])
    const form = { do: 'chatAccess', userId: fixed.withoutChat, chatAccess: 'false' }
    const call = { form, params: { organizationId: 'northwind' } }
    await (await test.signedIn('ada')).call(changeMembers, '/organizations/northwind/members', call)
    await (await test.signedIn('lucia')).call(postSignOut, '/sign-out', { form: {} })
  })

  interface Answer {
    status: number
    code: number
    body: Record<string, unknown>
  }

  async function asks(
    token: string | undefined,
    method: string,
    path: string,
    { body, query }: { body?: object | FormData; query?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { CHAT_URL, CHAT_API_KEY } = server.settings
    const search = new URLSearchParams({ api_key: CHAT_API_KEY, ...query })
    const isForm = body instanceof FormData
    const answer = await fetch(`${CHAT_URL}${path}?${search}`, {
      method,
      headers: {
        ...(token === undefined
          ? { 'stream-auth-type': 'anonymous' }
          : { authorization: token, 'stream-auth-type': 'jwt' }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const said = (await answer.json()) as Record<string, unknown>
    return { status: answer.status, code: answer.ok ? 0 : Number(said.code), body: said }
  }

  const company = async (method: string, path: string, body?: object) => {
    const answer = await chat.newClient().request<Record<string, never>>(method as 'GET', path, body && { body })
    return answer as Record<string, unknown>
  }

  /** A conversation as the product creates it, with its own users, so that tests do not affect each other. */
  async function makeRoom(kind: Kind): Promise<Room> {
    const ids = { starter: randomUUID(), moderator: randomUUID(), other: randomUUID() }
    const { givenName, familyName, image, language } = castMember('ada')
    await chat.savePeople(
      Object.values(ids).map((id) => ({
        ...{ id, givenName, familyName, image, language },
        organization: '',
        organizationIds: [],
      })),
    )
    for (const id of Object.values(ids)) tokens.set(id, chat.identityOf(id).token)
    const { starter, moderator, other } = ids
    const name = 'Harbour planning'
    const cid =
      kind === 'direct'
        ? await chat.directChat(starter, other)
        : await chat.group({ id: randomUUID(), name, creatorId: starter, memberIds: [starter, moderator, other] })
    if (kind === 'group') await chat.makeModerator(cid, moderator)
    const [type, id] = cid.split(':') as [string, string]
    const says = async (who: string, text: string, more: object = {}) => {
      const { body } = await asks(tokens.get(who), 'POST', `/channels/${type}/${id}/message`, {
        body: { message: { text, ...more } },
      })
      return (body.message as { id: string }).id
    }
    const said = { starter: await says(starter, 'what it is about'), other: await says(other, 'what it is about') }
    for (const [who, parent_id] of Object.entries(said)) await says(ids[who as 'starter'], 'a reply', { parent_id })
    const polls = { starter: await pollOf(starter, says), other: await pollOf(other, says) }
    return { kind, cid, type, id, people: ids, said, polls }
  }

  async function pollOf(
    who: string,
    says: (who: string, text: string, more: object) => Promise<string>,
  ): Promise<Poll> {
    const token = tokens.get(who)
    const made = await asks(token, 'POST', '/polls', {
      body: { name: 'Tea?', options: [{ text: 'yes' }, { text: 'no' }] },
    })
    const { id, options } = made.body.poll as { id: string; options: { id: string }[] }
    const pollMessage = await says(who, 'Tea?', { poll_id: id })
    const option = options[0]!.id
    const voted = await asks(token, 'POST', `/messages/${pollMessage}/polls/${id}/vote`, {
      body: { vote: { option_id: option } },
    })
    return { poll: id, option, pollMessage, vote: (voted.body.vote as { id: string }).id }
  }

  const idOf = (who: Who, { people }: Room): string =>
    who === 'stranger' ? 'stranger' : who in people ? people[who as 'starter'] : fixed[who as 'colleague']

  /** A room as a user sees it: another member's data in it. */
  function about(who: Who, room: Room): About {
    const them = who === 'other' ? 'starter' : 'other'
    return { ...room, me: idOf(who, room), them: room.people[them], message: room.said[them], ...room.polls[them] }
  }

  /** Everything visible of a room, its members and the app. */
  async function state(room: Room): Promise<string> {
    const seen = await company('POST', `/channels/${room.type}/${room.id}/query`, { state: true })
    const polls = await Promise.all(Object.values(room.polls).map(({ poll }) => company('GET', `/polls/${poll}`)))
    const client = chat.newClient()
    const { app } = await client.getAppSettings()
    const { users } = await client.queryUsers(
      { id: { $in: [...Object.values(room.people), ...Object.values(fixed)] } },
      { id: 1 },
    )
    const { users: newest } = await client.queryUsers({}, { created_at: -1 }, { limit: 1 })
    const channels = await client.queryChannels({}, [{ created_at: -1 }], { limit: 1, message_limit: 0, watch: false })
    const all = { seen, polls, app, users, newest, newestChannel: channels[0]?.cid }
    return JSON.stringify(all, (key, value) =>
      ['duration', 'last_active', 'online', 'last_read', 'last_read_message_id'].includes(key) ? undefined : value,
    )
  }

  const tokenOf = (who: Who, room: Room) => (who === 'stranger' ? undefined : tokens.get(idOf(who, room)))

  async function tries(who: Who, key: string, { at, body, query }: Cell, room: Room): Promise<Answer> {
    const [method, path] = key.split(' ') as [string, string]
    const its = about(who, room)
    const meant = JSON.parse(JSON.stringify(body?.(its) ?? null).replaceAll('"me"', JSON.stringify(its.me)))
    return asks(tokenOf(who, room), method, at?.(its) ?? path, { ...(meant && { body: meant }), query: query?.(its) })
  }

  it('[NEW-59] every user may do what the product offers, and nothing else; a refusal changes nothing', async () => {
    const wrong: string[] = []
    let cellCount = 0
    for (const [key, cell] of Object.entries(cells))
      for (const kind of kinds) {
        const may = cell[kind]
        const room = await makeRoom(kind)
        const before = await state(room)
        for (const who of everybody.filter((one) => !may.includes(one))) {
          const { code, status } = await tries(who, key, cell, room)
          cellCount += 1
          // Creating a guest needs no token.
          const isOut = (who === 'withoutChat' || who === 'signedOut') && key !== 'POST /guest'
          const isRefused = isOut ? [40, 41, 43].includes(code) : OUT_CODES.has(code) || cell.refusal?.includes(code)
          if (!isRefused) wrong.push(`${key} (${kind}) by ${who}: ${status} ${code} in place of a refusal`)
        }
        if ((await state(room)) !== before) wrong.push(`${key} (${kind}): a refusal left a trace`)
        for (const who of may) {
          const { code, body } = await tries(who, key, cell, room)
          cellCount += 1
          if (code !== 0 && code !== cell.empty) wrong.push(`${key} (${kind}) by ${who}: ${code} ${body.message}`)
        }
      }
    console.info(`product: ${cellCount} cells`)
    expect(wrong).toEqual([])
  }, 600_000)

  /** Calls that the product's routes refuse, or make only after a check, each tried directly. */
  const deeds: Record<string, { may?: readonly Who[]; in?: Kind; calls: (its: About) => [string, string, object?][] }> =
    {
      'a chat with somebody without chat access, with a colleague, or with oneself': {
        calls: ({ me }) =>
          ['cleo-adeyemi', fixed.colleague, me].flatMap((other) => [
            ['POST', '/channels/messaging/query', { data: { members: [me, other] } }],
            ['POST', '/channels/messaging/query', { data: { members: [{ user_id: me }, { user_id: other }] } }],
          ]),
      },
      'a group without a name, with a long one, without people, or with a role for oneself': {
        calls: ({ me, them }) => [
          ['POST', `/channels/messaging/${randomUUID()}/query`, { data: { members: [me, them] } }],
          [
            'POST',
            `/channels/messaging/${randomUUID()}/query`,
            { data: { name: 'x'.repeat(300), members: [me, them] } },
          ],
          ['POST', `/channels/messaging/${randomUUID()}/query`, { data: { name: 'Alone' } }],
          [
            'POST',
            `/channels/messaging/${randomUUID()}/query`,
            { data: { members: [{ user_id: me, channel_role: 'channel_moderator' }] } },
          ],
          ['POST', `/channels/messaging/${randomUUID()}/query`, { data: { invites: [them] } }],
        ],
      },
      'a channel of another type': {
        calls: ({ me, them }) =>
          ['team', 'livestream', 'gaming', 'commerce'].flatMap((type) => [
            ['POST', `/channels/${type}/${randomUUID()}/query`, { data: { name: 'Ours', members: [me] } }],
            ['POST', `/channels/${type}/query`, { data: { members: [me, them] } }],
          ]),
      },
      'somebody else brought in, or asked to join': {
        calls: ({ type, id }) => [
          ['POST', `/channels/${type}/${id}`, { add_members: [fixed.outsider] }],
          [
            'POST',
            `/channels/${type}/${id}`,
            { add_members: [{ user_id: fixed.outsider, channel_role: 'channel_moderator' }] },
          ],
          ['POST', `/channels/${type}/${id}`, { invites: [fixed.outsider] }],
          ['POST', `/channels/${type}/${id}`, { add_moderators: [fixed.outsider] }],
          ['POST', `/channels/${type}/${id}`, { data: { invites: [fixed.outsider] } }],
          ['PATCH', `/channels/${type}/${id}`, { set: { invites: [fixed.outsider] } }],
          ['POST', `/channels/${type}/${id}`, { add_members: ['cleo-adeyemi'], message: { text: 'Welcome' } }],
        ],
      },
      'somebody made a moderator, oneself first of all, or made one no more': {
        calls: ({ type, id, me, them }) => [
          ['POST', `/channels/${type}/${id}`, { add_moderators: [me] }],
          ['POST', `/channels/${type}/${id}`, { add_moderators: [them] }],
          ['POST', `/channels/${type}/${id}`, { demote_moderators: [them] }],
          ['POST', `/channels/${type}/${id}`, { assign_roles: [{ user_id: me, channel_role: 'channel_moderator' }] }],
          ['POST', `/channels/${type}/${id}`, { add_members: [{ user_id: me, channel_role: 'channel_moderator' }] }],
          ['PATCH', `/channels/${type}/${id}/member`, { set: { channel_role: 'channel_moderator' } }],
          ['PATCH', `/channels/${type}/${id}/member/${me}`, { set: { channel_role: 'channel_moderator' } }],
        ],
      },
      'somebody else removed': {
        calls: ({ type, id, them }) => [['POST', `/channels/${type}/${id}`, { remove_members: [them] }]],
      },
      'the one who could go away from a conversation of two': {
        in: 'direct',
        calls: ({ type, id, me }) => [['POST', `/channels/${type}/${id}`, { remove_members: [me] }]],
      },
      'a group named or pictured past the product, or told about': {
        calls: ({ type, id }) => [
          ['POST', `/channels/${type}/${id}`, { data: { name: '' } }],
          ['PATCH', `/channels/${type}/${id}`, { set: { image: 'https://evil.example/x.png' } }],
          ['PATCH', `/channels/${type}/${id}`, { unset: ['name'] }],
          ['PATCH', `/channels/${type}/${id}`, { set: { mood: 'odd', disabled: true } }],
          ['POST', `/channels/${type}/${id}`, { message: { text: 'The chat is over.' } }],
          [
            'PATCH',
            `/channels/${type}/${id}`,
            { set: { config_overrides: { grants: { channel_member: ['update-message'] } } } },
          ],
        ],
      },
      'a conversation frozen or slowed down': {
        in: 'direct',
        calls: ({ type, id }) => [
          ['PATCH', `/channels/${type}/${id}`, { set: { frozen: true } }],
          ['POST', `/channels/${type}/${id}`, { cooldown: 60 }],
          ['PATCH', `/channels/${type}/${id}`, { set: { cooldown: 60 } }],
        ],
      },
      'a conversation wiped, or deleted for everybody': {
        calls: ({ type, id, cid, me }) => [
          ['POST', `/channels/${type}/${id}/truncate`, { hard_delete: true }],
          ['POST', `/channels/${type}/${id}/truncate`, { member_ids: [me] }],
          ['DELETE', `/channels/${type}/${id}?hard_delete=true`],
          ['POST', '/channels/delete', { cids: [cid], hard_delete: true }],
        ],
      },
      'the words of somebody else': {
        calls: ({ message, me }) => [
          ['POST', `/messages/${message}`, { message: { text: 'never said' } }],
          ['PUT', `/messages/${message}`, { set: { text: 'never said' } }],
          ['PUT', `/messages/${message}`, { set: { pinned: true, text: 'never said' } }],
          ['PUT', `/messages/${message}`, { unset: ['attachments', 'text'] }],
          ['POST', `/messages/${message}`, { message: { text: 'never said', user_id: me } }],
          ['PATCH', `/messages/${message}/ephemeral`, { set: { text: 'never said' } }],
        ],
      },
      'words in the name of somebody else, or of nobody': {
        calls: ({ type, id, them }) => [
          ['POST', `/channels/${type}/${id}/message`, { message: { text: 'mine', type: 'system' } }],
          ['POST', `/channels/${type}/${id}/message`, { message: { text: 'psst', restricted_visibility: [them] } }],
        ],
      },
      'what somebody else said taken away, in a conversation of two': {
        in: 'direct',
        calls: ({ message }) => [
          ['DELETE', `/messages/${message}`],
          ['DELETE', `/messages/${message}?hard=true`],
        ],
      },
      'a ban from a conversation of two': {
        in: 'direct',
        calls: ({ them, type, id, cid }) => [
          ['POST', '/moderation/ban', { target_user_id: them, type, id }],
          ['POST', '/moderation/ban', { target_user_id: them, type, id, shadow: true }],
          ['POST', '/moderation/ban', { target_user_id: them, channel_cid: cid, ban_from_future_channels: true }],
          ['POST', '/moderation/ban', { target_user_id: them, type, id, delete_messages: 'hard' }],
        ],
      },
      'a ban from everything': {
        calls: ({ them }) => [
          ['POST', '/moderation/ban', { target_user_id: them }],
          ['POST', '/moderation/ban', { target_user_id: them, ip_ban: true }],
          ['POST', '/api/v2/moderation/ban', { target_user_id: them }],
        ],
      },
      'somebody made up, or another self': {
        calls: ({ me, them }) => [
          ['POST', '/users', { users: { eve: { id: 'eve', name: 'Eve' } } }],
          ['POST', '/users', { users: { [me]: { id: me, role: 'admin' } } }],
          ['PATCH', '/users', { users: [{ id: me, set: { role: 'admin' } }] }],
          [
            'PATCH',
            '/users',
            { users: [{ id: me, set: { organization: 'Northwind', image: 'https://evil.example/x' } }] },
          ],
          ['PATCH', '/users', { users: [{ id: me, set: { organization_ids: ['kiku'] } }] }],
          ['PATCH', '/users', { users: [{ id: them, set: { name: 'Nobody' } }] }],
        ],
      },
    }

  it('[NEW-57] [NEW-58] [NEW-59] what the product refuses the chat server refuses, too, to members and non-members', async () => {
    const wrong: string[] = []
    let count = 0
    for (const [deed, { in: only, calls }] of Object.entries(deeds))
      for (const kind of only ? [only] : kinds) {
        const room = await makeRoom(kind)
        const before = await state(room)
        for (const who of everybody)
          for (const [method, address, body] of calls(about(who, room))) {
            const [path = '', search] = address.split('?')
            const query = Object.fromEntries(new URLSearchParams(search))
            const { code, status } = await asks(tokenOf(who, room), method, path, { ...(body && { body }), query })
            count += 1
            if (status < 400 || status >= 500) wrong.push(`${deed} (${kind}) by ${who}: ${method} ${path} ${code}`)
          }
        if ((await state(room)) !== before) wrong.push(`${deed} (${kind}): a refusal left a trace`)
      }
    console.info(`product: ${count} deeds`)
    expect(wrong).toEqual([])
  }, 300_000)

  it('[NEW-59] a caller without a token reads nothing, and no user reads a room of another type that others created', async () => {
    const room = await makeRoom('group')
    const client = chat.newClient()
    const live = client.channel('livestream', randomUUID(), { name: 'Show', created_by_id: room.people.starter })
    await live.create()
    await live.sendMessage({ text: 'secret', user_id: room.people.starter })
    for (const who of ['outsider', 'starter', 'stranger'] as const) {
      const token = tokenOf(who, room)
      for (const filter of [{}, { type: 'livestream' }, { cid: live.cid }]) {
        const { body } = await asks(token, 'POST', '/channels', { body: { filter_conditions: filter } })
        expect(JSON.stringify(body)).not.toContain('secret')
      }
      const { status } = await asks(token, 'POST', `/channels/livestream/${live.id}/query`, { body: { state: true } })
      expect([who, status]).toEqual([who, 403])
      const query = payload({ filter_conditions: { type: 'livestream' }, query: 'secret' })
      expect(JSON.stringify((await asks(token, 'GET', '/search', { query })).body)).not.toContain('"secret"')
    }
  })

  it('only members upload files to a conversation, and any user with chat access a picture for a new chat', async () => {
    const file = (type: string) => {
      const form = new FormData()
      form.set('file', new File([new Uint8Array([1, 2, 3])], `notes.${type}`, { type: 'text/plain' }))
      return form
    }
    for (const kind of kinds) {
      const room = await makeRoom(kind)
      const may = kind === 'direct' ? pair : members
      for (const who of everybody) {
        const path = `/channels/${room.type}/${room.id}/file`
        const { status } = await asks(tokenOf(who, room), 'POST', path, { body: file('txt') })
        expect([kind, who, status < 400]).toEqual([kind, who, may.includes(who)])
        const alone = await asks(tokenOf(who, room), 'POST', '/uploads/file', { body: file('txt') })
        expect([who, alone.status < 400]).toEqual([who, signedIn.includes(who)])
      }
    }
  })

  it('what the product offers works: moderators moderate a group, and members own their messages', async () => {
    const room = await makeRoom('group')
    const direct = await makeRoom('direct')
    const does = async (who: Who, in_: Room, method: string, path: string, body?: object) => {
      const { code, body: said } = await asks(tokenOf(who, in_), method, path, body && { body })
      expect([who, method, path, code, said.message && code ? said.message : '']).toEqual([who, method, path, 0, ''])
      return said
    }
    for (const here of [room, direct])
      for (const who of ['starter', 'other'] as const) {
        const own = here.said[who]
        const theirs = here.said[who === 'starter' ? 'other' : 'starter']
        await does(who, here, 'PUT', `/messages/${own}`, { set: { text: 'better said' } })
        await does(who, here, 'PUT', `/messages/${theirs}`, { set: { pinned: true } })
        await does(who, here, 'PUT', `/messages/${theirs}`, { set: { pinned: false } })
        await does(who, here, 'PATCH', `/polls/${here.polls[who].poll}`, { set: { is_closed: true } })
        const { message } = await does(who, here, 'POST', `/channels/${here.type}/${here.id}/message`, {
          message: { text: 'not so' },
        })
        await does(who, here, 'DELETE', `/messages/${(message as { id: string }).id}`)
        await does(who, here, 'POST', `/channels/${here.type}/${here.id}/hide`, { clear_history: true })
      }
    const at = `/channels/${room.type}/${room.id}`
    const { message } = await does('other', room, 'POST', `${at}/message`, { message: { text: 'Rude.' } })
    await does('moderator', room, 'DELETE', `/messages/${(message as { id: string }).id}`)
    await does('moderator', room, 'PATCH', at, { set: { frozen: true } })
    await does('starter', room, 'PATCH', at, { set: { frozen: false } })
    await does('starter', room, 'POST', at, { cooldown: 10 })
    await does('moderator', room, 'POST', `${at}/message`, { message: { text: 'At once.' } })
    await does('moderator', room, 'POST', `${at}/message`, { message: { text: 'And once more.' } })
    const ban = { target_user_id: room.people.other, type: room.type, id: room.id }
    await does('moderator', room, 'POST', '/moderation/ban', ban)
    const query = { ...ban } as Record<string, string>
    expect((await asks(tokenOf('starter', room), 'DELETE', '/moderation/ban', { query })).code).toBe(0)
    await does('other', room, 'POST', at, { remove_members: [room.people.other] })
  })

  it('[NEW-60] changed permissions are restored, and correct ones are not written', async () => {
    const client = chat.newClient()
    const granted = async (type: string) => (await client.getChannelType(type)).grants as Record<string, string[]>
    const before = await granted('messaging')
    const [lobby, usher] = [`lobby-${randomUUID()}`, `usher-${randomUUID()}`]
    await client.createChannelType({ name: lobby })
    await client.createRole(usher)
    await client.updateChannelType('messaging', {
      grants: {
        channel_member: ['update-message', 'read-channel'],
        user: ['create-channel'],
        [usher]: ['pin-message'],
      },
    })
    await client.updatePermission('group-delete-message', {
      condition: null,
      name: 'Everywhere',
      action: 'DeleteMessage',
    })
    await client.updateAppSettings({
      ...{ disable_permissions_checks: true, guest_user_creation_disabled: false },
      grants: { user: ['search-user', 'update-user-owner', 'update-user-role'], guest: ['search-user'] },
    })
    await chat.setHouseRules()
    // Operators' own roles stay.
    expect(await granted('messaging')).toEqual({ ...before, [usher]: ['pin-message'] })
    for (const role of ['user', 'guest', 'anonymous', 'channel_member', 'channel_moderator'])
      expect((await granted(lobby))[role] ?? []).toEqual([])
    expect((await client.getPermission('group-delete-message')).permission.condition).not.toBeNull()
    const { app } = (await client.getAppSettings()) as { app: Record<string, unknown> }
    expect(app).toMatchObject({ disable_permissions_checks: false, guest_user_creation_disabled: true })
    expect(app.grants).toMatchObject({ guest: [] })
    expect((app.grants as { user: string[] }).user).not.toContain('search-user')

    const written = async () => JSON.stringify([await client.listChannelTypes(), await client.listPermissions()])
    const was = await written()
    await Promise.all([chat.setHouseRules(), chat.setHouseRules()])
    expect(await written().then((text) => text.replaceAll(/"duration":"[^"]*"/g, ''))).toBe(
      was.replaceAll(/"duration":"[^"]*"/g, ''),
    )
  })

  it('[NEW-58] a direct chat in which one user had gained a role stays, and both are equals again', async () => {
    const room = await makeRoom('direct')
    const client = chat.newClient()
    const channel = client.channel(room.type, room.id)
    await channel.addModerators([room.people.starter])
    await channel.banUser(room.people.other, { banned_by_id: room.people.starter })
    await channel.updatePartial({ set: { frozen: true, cooldown: 60, name: 'Mine' } })
    // Even before the repair the role has no effect there.
    const token = tokenOf('starter', room)
    expect((await asks(token, 'DELETE', `/messages/${room.said.other}`)).code).toBe(17)

    await client.updateAppSettings({ guest_user_creation_disabled: false })
    await chat.setHouseRules()
    await channel.watch({ watch: false })
    expect(isDirect(channel.cid)).toBe(true)
    expect(channel.cid).toBe(room.cid)
    expect(channel.data).toMatchObject({ frozen: false })
    expect(channel.data).not.toHaveProperty('name')
    expect(
      Object.values(channel.state.members).map(({ channel_role, banned }) => [channel_role, banned ?? false]),
    ).toEqual([
      ['channel_member', false],
      ['channel_member', false],
    ])
    const says = await asks(tokenOf('other', room), 'POST', `/channels/${room.type}/${room.id}/message`, {
      body: { message: { text: 'Here again.' } },
    })
    expect(says.code).toBe(0)
  })

  it('[NEW-59] every endpoint of the chat server is covered', async () => {
    const document = await fetch(`${server.settings.CHAT_URL}/docs/json`)
    const { paths } = (await document.json()) as { paths: Record<string, Record<string, unknown>> }
    const there = Object.entries(paths).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    const classified = [...Object.keys(cells), ...Object.keys(elsewhereProved)]
    expect(there.filter((key) => !classified.includes(key))).toEqual([])
    expect(classified.filter((key) => !there.includes(key))).toEqual([])
  })
})
