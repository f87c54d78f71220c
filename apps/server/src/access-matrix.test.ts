/**
 * Calls every endpoint as every kind of caller: checks who may, and that a refusal changes nothing.
 * @see messaging.md 11.3, administration.md 3.5
 */

import assert from 'node:assert/strict'
import { afterAll, it, vi } from 'vitest'
import { ago } from '../../../scripts/machine-time.ts'
import { endpoints } from './operations.ts'
import { GroupCommit } from './platform/database/group-commit.ts'
import { FaultLog } from './platform/fault-log.ts'
import { type Fixture, onEveryStorage } from './testing/fixture.ts'
import { notingStatements, walksAmong } from './testing/query-plans.ts'
import { type AppServer, path, type TestUser } from './testing/test-user.ts'

const asked = notingStatements()
afterAll(asked.stop)

const everybody = [
  ...['server', 'admin', 'moderator', 'owner', 'member', 'channelModerator', 'invited', 'banned', 'guestMember'],
  ...['stranger', 'guest', 'anonymous', 'elsewhere'],
] as const
type Who = (typeof everybody)[number]

const all: readonly Who[] = everybody
const but = (who: readonly Who[], ...not: readonly Who[]) => who.filter((one) => !not.includes(one))
const signedIn = but(all, 'anonymous')
/** Callers who may read the room. An invitee may, to decide. */
const readers = but(all, 'stranger', 'guest', 'anonymous', 'elsewhere')
const writers = but(readers, 'banned', 'invited')
const users = but(signedIn, 'guest', 'guestMember')
const staff: readonly Who[] = ['server', 'admin', 'moderator']
const moderators: readonly Who[] = [...staff, 'channelModerator']
const server: readonly Who[] = ['server']
/** Callers with a membership in the room. */
const members: readonly Who[] = ['server', 'owner', 'member', 'channelModerator', 'invited', 'banned', 'guestMember']

/** The objects a call is about; every call that changes something gets its own room. */
interface Room {
  cid: string
  type: string
  id: string
  /** Sent by `author`, a member who makes no calls. */
  message: string
  reply: string
  pollMessage: string
  poll: string
  option: string
  vote: string
}

interface Cell {
  may: readonly Who[]
  at?: (room: Room) => string
  body?: (room: Room, id: string) => object
  query?: (room: Room, id: string) => Record<string, string>
  /** Changes the visible state of the room. */
  changes?: true
  /** The first call would make the next one fail. */
  ownRoom?: true
  /** The error code, 17 by default; a caller in another app gets 16. */
  refusal?: Partial<Record<Who, number>>
  /** It is about nothing in the room, so a user of another app may do the same there. */
  anywhere?: true
}

const inRoom =
  (suffix: string) =>
  ({ type, id }: Room) =>
    `/channels/${type}/${id}${suffix}`
const ofPoll =
  (suffix: string) =>
  ({ poll }: Room) =>
    `/polls/${poll}${suffix}`
const ofMessage =
  (suffix: string) =>
  ({ message }: Room) =>
    `/messages/${message}${suffix}`
const payload = (value: object) => ({ payload: JSON.stringify(value) })

/** Server only, about a user who does not exist: it gets this code. */
const ofNobody = (address: string, code: number): Cell => ({
  may: [],
  at: () => address,
  body: () => ({ user_ids: ['nobody'] }),
  refusal: { server: code, elsewhere: 17 },
})

const cells: Record<string, Cell> = {
  'GET /app': { may: all, anywhere: true },
  'PATCH /app': { may: server, body: () => ({}), refusal: { elsewhere: 17 } },
  'POST /users': { may: signedIn, anywhere: true, body: (_, id) => ({ users: { [id]: { id, name: 'New' } } }) },
  'PATCH /users': { may: signedIn, anywhere: true, body: (_, id) => ({ users: [{ id, set: { name: 'Newer' } }] }) },
  'GET /users': { may: signedIn, anywhere: true, query: () => payload({ filter_conditions: {} }) },
  'POST /guest': { may: all, anywhere: true, body: () => ({ user: { id: 'han' } }) },
  'POST /users/:id/deactivate': ofNobody('/users/nobody/deactivate', 16),
  'POST /users/:id/reactivate': ofNobody('/users/nobody/reactivate', 16),
  'POST /users/deactivate': { ...ofNobody('/users/deactivate', 0), may: server },
  'POST /users/reactivate': { ...ofNobody('/users/reactivate', 0), may: server },
  'DELETE /users/:id': ofNobody('/users/nobody', 16),
  'POST /users/delete': { ...ofNobody('/users/delete', 0), may: server },
  'POST /users/restore': ofNobody('/users/restore', 4),
  'POST /users/block': { may: but(signedIn, 'elsewhere'), body: () => ({ blocked_user_id: 'author' }) },
  'POST /users/unblock': { may: signedIn, anywhere: true, body: () => ({ blocked_user_id: 'author' }) },
  'GET /users/block': { may: signedIn, anywhere: true },
  'POST /devices': { may: signedIn, anywhere: true, body: (_, id) => ({ id, push_provider: 'apn' }) },
  'GET /devices': { may: signedIn, anywhere: true },
  'POST /push_preferences': {
    may: signedIn,
    anywhere: true,
    body: () => ({ preferences: [{ chat_level: 'mentions' }] }),
  },
  'GET /users/:id/export': { may: server, at: () => '/users/author/export', refusal: { elsewhere: 17 } },
  'POST /users/:id/event': {
    may: server,
    at: () => '/users/author/event',
    body: () => ({ event: { type: 'wave' } }),
    refusal: { elsewhere: 17 },
  },
  'POST /channels': {
    may: readers,
    body: ({ cid }) => ({ filter_conditions: { cid } }),
    refusal: { stranger: 70, guest: 70, anonymous: 70, elsewhere: 0 },
  },
  'POST /channels/:type/query': {
    may: but(signedIn, 'guest', 'guestMember', 'elsewhere'),
    at: ({ type }) => `/channels/${type}/query`,
    body: (_, id) => ({ data: { members: [id, 'author'], ...(id === 'member' && { created_by_id: id }) } }),
    refusal: { elsewhere: 4, anonymous: 4 },
  },
  'POST /channels/:type/:id/query': {
    may: [...readers, 'elsewhere'],
    body: () => ({ state: true, data: {} }),
  },
  'GET /channels/:type/:id': { may: readers },
  'POST /channels/:type/:id': {
    may: [...staff, 'owner', 'channelModerator'],
    body: () => ({ data: { name: 'Renamed' } }),
    changes: true,
  },
  'PATCH /channels/:type/:id': {
    may: [...staff, 'owner', 'channelModerator'],
    body: () => ({ set: { name: 'Renamed' } }),
    changes: true,
  },
  'DELETE /channels/:type/:id': { may: ['server', 'admin', 'owner'], changes: true },
  'POST /channels/delete': {
    may: ['server', 'admin', 'owner'],
    at: () => '/channels/delete',
    body: ({ cid }) => ({ cids: [cid] }),
    changes: true,
    refusal: { elsewhere: 0 },
  },
  'PUT /channels/batch': {
    may: server,
    at: () => '/channels/batch',
    body: ({ cid }) => ({ operation: 'addMembers', filter: { cids: { $eq: cid } }, members: [{ user_id: 'author' }] }),
    refusal: { elsewhere: 17 },
  },
  'POST /channels/:type/:id/truncate': { may: ['server', 'admin', 'owner'], body: () => ({}), changes: true },
  'POST /channels/:type/:id/stop-watching': { may: [], body: () => ({}), refusal: { ...refusedWith(readers, 4) } },
  'POST /channels/:type/:id/event': { may: writers, body: () => ({ event: { type: 'friendship_request' } }) },
  'POST /channels/:type/:id/call': {
    may: [],
    body: () => ({ id: 'tea-time', type: 'audio' }),
    refusal: { ...refusedWith(but(readers, 'invited'), 4) },
  },
  'POST /calls/:id': {
    may: [],
    at: () => '/calls/tea-time',
    body: () => ({}),
    refusal: { ...refusedWith(signedIn, 4) },
  },
  'GET /channeltypes': { may: all, anywhere: true },
  'GET /channeltypes/:name': { may: all, anywhere: true, at: () => '/channeltypes/messaging' },
  'POST /channeltypes': { may: server, body: ({ id }) => ({ name: id }), refusal: { elsewhere: 17 } },
  'PUT /channeltypes/:name': {
    may: server,
    at: () => '/channeltypes/team',
    body: () => ({}),
    refusal: { elsewhere: 17 },
  },
  'DELETE /channeltypes/:name': { may: [], at: () => '/channeltypes/team', refusal: { server: 4, elsewhere: 17 } },
  'GET /roles': { may: server, refusal: { elsewhere: 17 } },
  'GET /roles/search': { may: server, query: () => ({ query: 'user' }), refusal: { elsewhere: 17 } },
  'POST /roles': { may: server, body: ({ id }) => ({ name: id }), refusal: { elsewhere: 17 } },
  'DELETE /roles/:name': { may: [], at: () => '/roles/user', refusal: { server: 4, elsewhere: 17 } },
  'GET /permissions': { may: server, refusal: { elsewhere: 17 } },
  'GET /permissions/:id': { may: server, at: () => '/permissions/create-message', refusal: { elsewhere: 17 } },
  'POST /permissions': {
    may: server,
    body: ({ id }) => ({ id, name: id, action: 'CreateMessage' }),
    refusal: { elsewhere: 17 },
  },
  'PUT /permissions/:id': {
    may: [],
    at: () => '/permissions/create-message',
    body: () => ({}),
    refusal: { server: 4, elsewhere: 17 },
  },
  'DELETE /permissions/:id': {
    may: [],
    at: () => '/permissions/create-message',
    refusal: { server: 4, elsewhere: 17 },
  },
  'GET /members': { may: readers, query: ({ type, id }) => payload({ type, id, filter_conditions: {} }) },
  'PATCH /channels/:type/:id/member/:userId': {
    may: server,
    at: inRoom('/member/author'),
    body: () => ({ set: { mood: 'sunny' } }),
    changes: true,
  },
  'PATCH /channels/:type/:id/member': {
    may: but(members, 'banned'),
    body: () => ({ set: { mood: 'sunny' } }),
    changes: true,
    refusal: { admin: 16, moderator: 16 },
  },
  'POST /channels/:type/:id/hide': { may: members, body: () => ({}) },
  'POST /channels/:type/:id/show': { may: members, body: () => ({}) },
  'POST /channels/:type/:id/message': { may: writers, body: () => ({ message: { text: 'hello' } }), changes: true },
  'GET /messages/:id': { may: readers },
  'GET /channels/:type/:id/messages': { may: readers, query: ({ message }) => ({ ids: message }) },
  'GET /messages/:id/replies': { may: readers },
  'POST /messages/:id': { may: moderators, body: () => ({ message: { text: 'edited' } }), changes: true },
  'PUT /messages/:id': { may: moderators, body: () => ({ set: { text: 'edited' } }), changes: true },
  'DELETE /messages/:id': { may: moderators, changes: true },
  'POST /messages/:id/undelete': {
    may: [],
    body: () => ({}),
    // It is not deleted: the server gets an error.
    refusal: { ...refusedWith(all, 17), server: 4 },
  },
  'POST /messages/:id/commit': {
    may: [],
    body: () => ({}),
    refusal: { server: 4, ...refusedWith(but(all, 'server'), 17) },
  },
  'POST /messages/history': {
    may: server,
    at: () => '/messages/history',
    body: ({ message }) => ({ filter: { message_id: message } }),
    refusal: { ...refusedWith(all, 17) },
  },
  'PATCH /messages/:id/ephemeral': { may: moderators, body: () => ({ set: { text: 'for now' } }) },
  'POST /messages/:id/reminders': { may: [], body: () => ({}), refusal: { ...refusedWith(readers, 19) } },
  'PATCH /messages/:id/reminders': { may: [], body: () => ({}), refusal: { ...refusedWith(readers, 19) } },
  'DELETE /messages/:id/reminders': { may: [], refusal: { ...refusedWith(readers, 16), anonymous: 17 } },
  'POST /reminders/query': { may: signedIn, anywhere: true, body: () => ({}) },
  'GET /users/live_locations': { may: signedIn, anywhere: true },
  'PUT /users/live_locations': {
    may: [],
    body: ({ message }) => ({ message_id: message, latitude: 1, longitude: 1, created_by_device_id: 'phone' }),
    refusal: { stranger: 16, guest: 16, anonymous: 16 },
  },
  'POST /channels/delivered': {
    may: readers,
    body: ({ cid, message }) => ({ latest_delivered_messages: [{ cid, id: message }] }),
  },
  'GET /channels/:type/:id/pinned_messages': { may: readers, query: () => payload({}) },
  'POST /messages/:id/translate': {
    may: [],
    body: () => ({ language: 'fr' }),
    refusal: { ...refusedWith(readers, 4), anonymous: 17 },
  },
  'POST /messages/:id/reaction': { may: writers, body: () => ({ reaction: { type: 'love' } }), changes: true },
  'DELETE /messages/:id/reaction/:type': {
    may: [],
    at: ofMessage('/reaction/love'),
    refusal: { ...refusedWith(writers, 16) },
  },
  'GET /messages/:id/reactions': { may: readers },
  'POST /messages/:id/reactions': { may: readers, body: () => ({}) },
  'POST /channels/:type/:id/read': { may: readers, body: () => ({}) },
  'POST /channels/:type/:id/unread': { may: readers, body: ({ message }) => ({ message_id: message }) },
  'POST /channels/read': { may: signedIn, anywhere: true, body: () => ({}) },
  'GET /unread': { may: signedIn, anywhere: true },
  'POST /unread_batch': { may: server, body: () => ({ user_ids: ['member'] }), refusal: { elsewhere: 17 } },
  'POST /threads': { may: signedIn, anywhere: true, body: () => ({}) },
  'GET /threads/:id': { may: readers, at: ({ message }) => `/threads/${message}` },
  'PATCH /threads/:id': {
    may: moderators,
    at: ({ message }) => `/threads/${message}`,
    body: () => ({ set: { title: 'Titled' } }),
  },
  'POST /channels/:type/:id/draft': { may: readers, body: () => ({ message: { text: 'not yet' } }) },
  'GET /channels/:type/:id/draft': { may: [], refusal: { ...refusedWith(readers, 16) } },
  'DELETE /channels/:type/:id/draft': { may: [], refusal: { ...refusedWith(readers, 16) } },
  'POST /drafts/query': { may: signedIn, anywhere: true, body: () => ({}) },
  'POST /moderation/ban': {
    may: moderators,
    body: ({ type, id }) => ({ target_user_id: 'author', type, id }),
    changes: true,
  },
  'DELETE /moderation/ban': {
    may: moderators,
    query: ({ type, id }) => ({ target_user_id: 'author', type, id }),
  },
  'GET /query_banned_users': {
    may: moderators,
    query: ({ cid }) => payload({ filter_conditions: { channel_cid: cid } }),
  },
  'GET /query_future_channel_bans': { may: signedIn, anywhere: true, query: () => payload({}) },
  'POST /moderation/flag': { may: readers, body: ({ message }) => ({ target_message_id: message }), ownRoom: true },
  'POST /moderation/unflag': {
    may: [],
    body: ({ message }) => ({ target_message_id: message }),
    refusal: { ...refusedWith(readers, 16) },
  },
  'GET /moderation/flags/message': {
    may: moderators,
    query: ({ cid }) => payload({ filter_conditions: { channel_cid: cid } }),
  },
  'POST /moderation/reports': { may: staff, body: () => ({}), refusal: { elsewhere: 17 } },
  'PATCH /moderation/reports/:id': {
    may: [],
    at: ({ id }) => `/moderation/reports/${id}`,
    body: () => ({ review_result: 'ok' }),
    refusal: { ...refusedWith(staff, 16), elsewhere: 17 },
  },
  'POST /moderation/mute': { may: but(signedIn, 'elsewhere'), body: () => ({ target_id: 'author' }) },
  'POST /moderation/unmute': { may: but(signedIn, 'elsewhere'), body: () => ({ target_id: 'author' }) },
  'POST /moderation/mute/channel': { may: readers, body: ({ cid }) => ({ channel_cid: cid }) },
  'POST /moderation/unmute/channel': { may: readers, body: ({ cid }) => ({ channel_cid: cid }) },
  'POST /api/v2/moderation/flag': {
    may: readers,
    body: ({ message }) => ({ entity_type: 'message', entity_id: message }),
    refusal: { stranger: 16, guest: 16, anonymous: 16 },
  },
  'POST /api/v2/moderation/mute': { may: signedIn, body: () => ({ target_ids: ['author'] }) },
  'POST /api/v2/moderation/unmute': { may: signedIn, body: () => ({ target_ids: ['author'] }) },
  'POST /api/v2/moderation/ban': {
    may: moderators,
    body: ({ cid }) => ({ target_user_id: 'author', channel_cid: cid }),
    changes: true,
  },
  'POST /api/v2/moderation/unban': {
    may: moderators,
    query: ({ cid }) => ({ target_user_id: 'author', channel_cid: cid }),
    body: () => ({}),
  },
  'GET /api/v2/moderation/user_report': {
    may: staff,
    query: () => ({ user_id: 'author' }),
    refusal: { elsewhere: 17 },
  },
  'POST /api/v2/moderation/review_queue': { may: staff, body: () => ({}), refusal: { elsewhere: 17 } },
  'GET /api/v2/moderation/review_queue/:id': {
    may: [],
    refusal: { ...refusedWith(staff, 16), elsewhere: 17 },
  },
  'POST /api/v2/moderation/submit_action': {
    may: staff,
    body: ({ message }) => ({ action_type: 'delete_message', delete_message: { entity_id: message } }),
    changes: true,
    refusal: { elsewhere: 17 },
  },
  'POST /api/v2/moderation/config': { may: staff, body: ({ id }) => ({ key: id }), refusal: { elsewhere: 17 } },
  'GET /api/v2/moderation/config/:key': {
    may: [],
    at: () => '/api/v2/moderation/config/none',
    refusal: { ...refusedWith(staff, 16), elsewhere: 17 },
  },
  'DELETE /api/v2/moderation/config/:key': {
    may: [],
    at: () => '/api/v2/moderation/config/none',
    refusal: { ...refusedWith(staff, 16), elsewhere: 17 },
  },
  'POST /api/v2/moderation/configs': { may: staff, body: () => ({}), refusal: { elsewhere: 17 } },
  'POST /api/v2/moderation/check': {
    may: staff,
    body: ({ message }) => ({
      ...{ entity_type: 'message', entity_id: message, entity_creator_id: 'author' },
      ...{ moderation_payload: { texts: ['what it is about'] }, config: {} },
    }),
    refusal: { elsewhere: 17 },
  },
  'POST /api/v2/moderation/custom_check': {
    may: staff,
    body: ({ message }) => ({ entity_type: 'message', entity_id: message, flags: [{ type: 'custom_check_text' }] }),
    refusal: { elsewhere: 17 },
  },
  'POST /api/v2/moderation/flags': { may: staff, body: () => ({}), refusal: { elsewhere: 17 } },
  'POST /api/v2/moderation/logs': { may: staff, body: () => ({}), refusal: { elsewhere: 17 } },
  'POST /api/v2/moderation/flag_count': {
    may: staff,
    body: () => ({ entity_creator_id: 'author' }),
    refusal: { elsewhere: 17 },
  },
  'POST /api/v2/moderation/bypass': {
    may: server,
    body: () => ({ target_user_id: 'author', enabled: false }),
    refusal: { elsewhere: 17 },
  },
  'GET /commands': { may: all, anywhere: true },
  'GET /commands/:name': { may: all, anywhere: true, at: () => '/commands/giphy' },
  'POST /polls': { may: users, anywhere: true, body: () => ({ name: 'Tea?' }) },
  'PUT /polls': {
    may: server,
    body: ({ poll, option }) => ({ id: poll, name: 'Coffee?', options: [{ id: option, text: 'yes' }] }),
  },
  'POST /polls/query': {
    may: users,
    anywhere: true,
    body: () => ({}),
    refusal: { guest: 17, anonymous: 17 },
  },
  'GET /polls/:id': { may: readers, at: ofPoll('') },
  'PATCH /polls/:id': { may: server, at: ofPoll(''), body: () => ({ set: { is_closed: true } }) },
  'DELETE /polls/:id': { may: server, at: ofPoll(''), ownRoom: true },
  'POST /polls/:id/options': { may: server, at: ofPoll('/options'), body: (_, id) => ({ text: `more of ${id}` }) },
  'PUT /polls/:id/options': {
    may: server,
    at: ofPoll('/options'),
    body: ({ option }) => ({ id: option, text: 'maybe' }),
  },
  'GET /polls/:id/options/:option': { may: readers, at: (room) => ofPoll(`/options/${room.option}`)(room) },
  'DELETE /polls/:id/options/:option': {
    may: server,
    at: (room) => ofPoll(`/options/${room.option}`)(room),
    ownRoom: true,
  },
  'POST /messages/:id/polls/:poll/vote': {
    may: writers,
    at: ({ pollMessage, poll }) => `/messages/${pollMessage}/polls/${poll}/vote`,
    body: ({ option }) => ({ vote: { option_id: option } }),
  },
  'DELETE /messages/:id/polls/:poll/vote/:vote': {
    may: [],
    at: ({ pollMessage, poll, vote }) => `/messages/${pollMessage}/polls/${poll}/vote/${vote}`,
    // Another user's vote: only its voter removes it.
    refusal: { ...refusedWith(writers, 16) },
  },
  'POST /polls/:id/votes': { may: readers, at: ofPoll('/votes'), body: () => ({}) },
  'POST /commands': {
    may: server,
    body: ({ id }) => ({ name: id, description: 'Does it' }),
    refusal: { elsewhere: 17 },
  },
  'PUT /commands/:name': {
    may: [],
    at: () => '/commands/giphy',
    body: () => ({}),
    refusal: { server: 4, elsewhere: 17 },
  },
  'DELETE /commands/:name': { may: [], at: () => '/commands/giphy', refusal: { server: 4, elsewhere: 17 } },
  'GET /blocklists': { may: server, refusal: { elsewhere: 17 } },
  'GET /blocklists/:name': {
    may: server,
    at: () => '/blocklists/profanity_en_2020_v1',
    refusal: { elsewhere: 17 },
  },
  'POST /blocklists': {
    may: server,
    body: ({ id }) => ({ name: id, words: ['cream'] }),
    refusal: { elsewhere: 17 },
  },
  'PUT /blocklists/:name': {
    may: [],
    at: () => '/blocklists/profanity_en_2020_v1',
    body: () => ({ words: [] }),
    refusal: { server: 4, elsewhere: 17 },
  },
  'POST /blocklists/:name/import': {
    may: [],
    at: () => '/blocklists/profanity_en_2020_v1/import',
    body: () => ({ words: [] }),
    refusal: { server: 4, elsewhere: 17 },
  },
  'DELETE /blocklists/:name': {
    may: [],
    at: () => '/blocklists/profanity_en_2020_v1',
    refusal: { server: 4, elsewhere: 17 },
  },
  'POST /messages/:id/action': {
    may: [],
    body: () => ({ form_data: { image_action: 'send' } }),
    refusal: { ...refusedWith(writers, 4) },
  },
  'DELETE /channels/:type/:id/file': {
    may: [],
    query: () => ({ url: 'https://files.example/x' }),
    refusal: { ...refusedWith(readers, 16) },
  },
  'DELETE /channels/:type/:id/image': {
    may: [],
    query: () => ({ url: 'https://files.example/x' }),
    refusal: { ...refusedWith(readers, 16) },
  },
  'DELETE /uploads/file': {
    may: [],
    query: () => ({ url: 'https://files.example/x' }),
    refusal: { ...refusedWith(all, 16) },
  },
  'DELETE /uploads/image': {
    may: [],
    query: () => ({ url: 'https://files.example/x' }),
    refusal: { ...refusedWith(all, 16) },
  },
  'GET /og': { may: [], query: () => ({ url: 'http://127.0.0.1/' }), refusal: { ...refusedWith(signedIn, 16) } },
  'GET /search': {
    may: all,
    anywhere: true,
    query: ({ cid }) => payload({ filter_conditions: { cid }, query: 'about' }),
  },
  'POST /sync': {
    may: signedIn,
    anywhere: true,
    body: ({ cid }) => ({ channel_cids: [cid], last_sync_at: ago(60_000).toISOString() }),
  },
  'GET /rate_limits': { may: all, anywhere: true },
  'GET /push_providers': { may: server, refusal: { elsewhere: 17 } },
  'POST /push_providers': {
    may: server,
    body: (_, id) => ({ push_provider: { type: 'firebase', name: id } }),
    refusal: { elsewhere: 17 },
  },
  'DELETE /push_providers/:type/:name': {
    may: [],
    at: () => '/push_providers/apn/nobody',
    refusal: { server: 16, elsewhere: 17 },
  },
  'GET /push_templates': { may: server, refusal: { elsewhere: 17 } },
  'POST /push_templates': {
    may: [],
    body: () => ({ event_type: 'message.new', push_provider_type: 'xiaomi' }),
    refusal: { server: 4, elsewhere: 17 },
  },
  'POST /check_push': { may: server, body: () => ({ user_id: 'author' }), refusal: { elsewhere: 17 } },
  'POST /check_sqs': { may: server, body: () => ({}), refusal: { elsewhere: 17 } },
  'POST /check_sns': { may: server, body: () => ({}), refusal: { elsewhere: 17 } },
  'GET /tasks/:id': { may: [], at: ({ id }) => `/tasks/${id}`, refusal: { server: 16, elsewhere: 17 } },
  'POST /export_channels': {
    may: server,
    body: ({ cid }) => ({ channels: [{ cid }] }),
    refusal: { elsewhere: 17 },
  },
  'GET /export_channels/:id': {
    may: [],
    at: ({ id }) => `/export_channels/${id}`,
    refusal: { server: 16, elsewhere: 17 },
  },
  'POST /export/users': { may: server, body: () => ({ user_ids: ['author'] }), refusal: { elsewhere: 17 } },
  'GET /segments': { may: server, refusal: { elsewhere: 17 } },
  'POST /segments': { may: server, body: () => ({ type: 'user' }), refusal: { elsewhere: 17 } },
  'POST /segments/query': { may: server, body: () => ({}), refusal: { elsewhere: 17 } },
  'GET /segments/:id': { may: [], at: () => '/segments/nowhere', refusal: { server: 16, elsewhere: 17 } },
  'PUT /segments/:id': ofNobody('/segments/nowhere', 16),
  'DELETE /segments/:id': { may: [], at: () => '/segments/nowhere', refusal: { server: 16, elsewhere: 17 } },
  'POST /segments/:id/addtargets': {
    may: [],
    at: () => '/segments/nowhere/addtargets',
    body: (_, id) => ({ target_ids: [id] }),
    refusal: { server: 16, elsewhere: 17 },
  },
  'POST /segments/:id/deletetargets': {
    may: [],
    at: () => '/segments/nowhere/deletetargets',
    body: (_, id) => ({ target_ids: [id] }),
    refusal: { server: 16, elsewhere: 17 },
  },
  'GET /segments/:id/target/:target': {
    may: [],
    at: () => '/segments/nowhere/target/member',
    refusal: { server: 16, elsewhere: 17 },
  },
  'POST /segments/:id/targets/query': ofNobody('/segments/nowhere/targets/query', 16),
  'POST /campaigns': {
    may: server,
    body: () => ({ sender_id: 'author', message_template: { text: 'Hello' } }),
    refusal: { elsewhere: 17 },
  },
  'GET /campaigns': { may: server, refusal: { elsewhere: 17 } },
  'POST /campaigns/query': { may: server, body: () => ({}), refusal: { elsewhere: 17 } },
  'GET /campaigns/:id': { may: [], at: () => '/campaigns/nowhere', refusal: { server: 16, elsewhere: 17 } },
  'PUT /campaigns/:id': ofNobody('/campaigns/nowhere', 16),
  'DELETE /campaigns/:id': { may: [], at: () => '/campaigns/nowhere', refusal: { server: 16, elsewhere: 17 } },
  'POST /campaigns/:id/start': ofNobody('/campaigns/nowhere/start', 16),
  'POST /campaigns/:id/stop': ofNobody('/campaigns/nowhere/stop', 16),
  'PATCH /campaigns/:id/stop': ofNobody('/campaigns/nowhere/stop', 16),
  'PATCH /campaigns/:id/schedule': {
    ...ofNobody('/campaigns/nowhere/schedule', 16),
    body: () => ({ scheduled_for: '2040-01-01T00:00:00Z' }),
  },
  'PATCH /campaigns/:id/resume': ofNobody('/campaigns/nowhere/resume', 16),
  'POST /campaigns/:id/test': { ...ofNobody('/campaigns/nowhere/test', 16), body: () => ({ users: ['author'] }) },
  'POST /stats/team_usage': { may: server, body: () => ({}), refusal: { elsewhere: 17 } },
  'POST /import_urls': { may: server, body: () => ({ filename: 'history.jsonl' }), refusal: { elsewhere: 17 } },
  'POST /imports': {
    may: [],
    body: () => ({ path: 'nowhere/history.jsonl' }),
    refusal: { server: 4, elsewhere: 17 },
  },
  'GET /imports': { may: server, refusal: { elsewhere: 17 } },
  'GET /imports/:id': { may: [], at: ({ id }) => `/imports/${id}`, refusal: { server: 16, elsewhere: 17 } },
}

/** Endpoints without an access check, or with access tests of their own: the reason is the path of the test. */
const elsewhereProved: Record<string, string> = {
  'DELETE /devices': 'devices/devices.test.ts',
  'GET /longpoll': 'realtime/long-poll.test.ts',
  'POST /channels/:type/:id/file': 'attachments/uploads.test.ts',
  'POST /channels/:type/:id/image': 'attachments/uploads.test.ts',
  'POST /uploads/file': 'attachments/uploads.test.ts',
  'POST /uploads/image': 'attachments/uploads.test.ts',
}

/** An object the caller may not see does not exist for the caller. */
function isHidden(key: string, who: Who, { body }: Cell): boolean {
  const aboutMessage =
    /^\w+ \/(messages|threads|polls)\/|PUT \/polls/.test(key) || 'target_message_id' in (body?.(nowhere, '') ?? {})
  return aboutMessage && !readers.includes(who)
}

const nowhere: Room = {
  cid: '',
  type: '',
  id: '',
  message: '',
  reply: '',
  pollMessage: '',
  poll: '',
  option: '',
  vote: '',
}

function refusedWith(who: readonly Who[], code: number): Partial<Record<Who, number>> {
  return Object.fromEntries(who.map((one) => [one, code]))
}

class Crowd {
  readonly appServer: AppServer
  readonly people: Record<Exclude<Who, 'server'> | 'author', TestUser>
  constructor(appServer: AppServer, people: Crowd['people']) {
    this.appServer = appServer
    this.people = people
  }

  static async gather(fixture: Fixture): Promise<Crowd> {
    const names = ['admin', 'moderator', 'owner', 'member', 'channelModerator', 'invited', 'banned'] as const
    const { appServer, ...people } = await fixture.createApp(...names, 'author', 'stranger')
    const { elsewhere } = await fixture.createApp('elsewhere')
    await appServer.does('PATCH', '/users', {
      body: {
        users: [
          { id: 'admin', set: { role: 'admin' } },
          { id: 'moderator', set: { role: 'moderator' } },
        ],
      },
    })
    const guests = await Promise.all(
      ['guest', 'guestMember'].map(async (id) => {
        const { user } = await people.author.does('POST', '/guest', { body: { user: { id } } })
        return appServer.user(user.id)
      }),
    )
    const anonymous = appServer.user('anonymous')
    anonymous.token = ''
    return new Crowd(appServer, {
      ...(people as unknown as Crowd['people']),
      elsewhere,
      anonymous,
      guest: guests[0]!,
      guestMember: guests[1]!,
    })
  }

  async room(): Promise<Room> {
    const { appServer } = this
    const { owner, author, member, channelModerator, banned, guestMember, invited } = this.people
    const cid = await appServer.opens([owner, author, member, channelModerator, banned, guestMember], {
      invites: [invited.id],
    })
    const [type, id] = cid.split(':') as [string, string]
    await appServer.does('POST', path(cid), { body: { add_moderators: [channelModerator.id], invites: [invited.id] } })
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: banned.id, banned_by_id: owner.id, type, id },
    })
    const message = await author.sends(cid, 'what it is about')
    const reply = await author.sends(cid, 'a reply', { parent_id: message.id })
    const { poll } = await author.does('POST', '/polls', {
      body: { name: 'Tea?', options: [{ text: 'yes' }, { text: 'no' }] },
    })
    const asked = await author.sends(cid, 'Tea?', { poll_id: poll.id })
    const option = poll.options[0].id
    const { vote } = await author.does('POST', `/messages/${asked.id}/polls/${poll.id}/vote`, {
      body: { vote: { option_id: option } },
    })
    return {
      ...{ cid, type, id, message: message.id, reply: reply.id },
      ...{ pollMessage: asked.id, poll: poll.id, option, vote: vote.id },
    }
  }

  /** All visible state of a room, except which user reads it and durations. */
  async state({ cid, message }: Room): Promise<string> {
    const { duration: _, ...state } = (
      await this.appServer.call('POST', `${path(cid)}/query`, { body: { state: true } })
    ).body
    const { duration: __, ...said } = (await this.appServer.call('GET', `/messages/${message}`)).body
    const seen = JSON.stringify({ state, said })
    return seen.replaceAll(/"(last_active|online|last_read|last_read_message_id)":("[^"]*"|true|false)/g, '')
  }

  async asks(who: Who, key: string, { at, body, query }: Cell, room: Room): Promise<number> {
    const [method, pattern] = key.split(' ') as [string, string]
    const acting = who === 'server' ? 'member' : this.people[who].id
    const caller = who === 'server' ? this.appServer : this.people[who]
    const address = at?.(room) ?? pattern.replace(':type', room.type).replace(':id', this.#idIn(pattern, room))
    const sent = body?.(room, acting)
    const answer = await caller.call(method, address, {
      ...(sent && { body: who === 'server' ? { user_id: acting, ...sent } : sent }),
      query: { ...(who === 'server' && !sent && { user_id: acting }), ...query?.(room, acting) },
    })
    if (answer.status === 200 || answer.status === 201) return 0
    assert.equal(answer.body.StatusCode, answer.status)
    return answer.body.code
  }

  #idIn(pattern: string, room: Room): string {
    return pattern.startsWith('/messages') ? room.message : room.id
  }
}

onEveryStorage((fixture) => {
  it('[PERM-5] [AUTH-12] only callers with the permission may use each endpoint, and a refusal changes nothing', async () => {
    const crowd = await Crowd.gather(fixture)
    const wrong: string[] = []
    let asked = 0
    for (const [key, cell] of Object.entries(cells)) {
      const may = new Set(cell.may)
      if (cell.anywhere && cell.may.includes('anonymous') === false) may.delete('anonymous')
      const refused = everybody.filter((who) => !may.has(who))
      const room = await crowd.room()
      const before = await crowd.state(room)
      for (const who of refused) {
        const expected = cell.refusal?.[who] ?? (who === 'elsewhere' || isHidden(key, who, cell) ? 16 : 17)
        const code = await crowd.asks(who, key, cell, room)
        asked += 1
        if (code !== expected) wrong.push(`${key} by ${who}: ${code} in place of ${expected}`)
      }
      if ((await crowd.state(room)) !== before) wrong.push(`${key}: a refusal left a trace`)
      // Created concurrently; they are used one after the other.
      const rooms = await Promise.all(
        cell.may.map(async (who) => ({ who, own: cell.changes || cell.ownRoom ? await crowd.room() : room })),
      )
      for (const { who, own } of rooms) {
        const was = cell.changes ? await crowd.state(own) : before
        const code = await crowd.asks(who, key, cell, own)
        asked += 1
        if (code !== 0) wrong.push(`${key} by ${who}: ${code} in place of success`)
        else if (cell.changes && (await crowd.state(own)) === was) wrong.push(`${key} by ${who}: nothing changed`)
      }
    }
    console.info(`access: ${asked} cells`)
    assert.deepEqual(wrong, [])
  }, 300_000)

  it('a write responds with an error when the change fails', async () => {
    const crowd = await Crowd.gather(fixture)
    const room = await crowd.room()
    const before = await crowd.state(room)
    const wrong: string[] = []
    const failed: string[] = []
    for (const [key, cell] of Object.entries(cells)) {
      const who = cell.may.find((one) => one === 'server') ?? cell.may.find((one) => one !== 'anonymous')
      if (!who) continue
      const broken = (['write', 'append'] as const).map((method) =>
        vi.spyOn(GroupCommit.prototype, method).mockRejectedValue(new Error('the disk is full')),
      )
      const unreported = vi.spyOn(FaultLog.prototype, 'report').mockReturnValue()
      const code = await crowd.asks(who, key, cell, room).finally(() => {
        if (broken.some((spy) => spy.mock.calls.length > 0)) failed.push(key)
        for (const spy of [...broken, unreported]) spy.mockRestore()
      })
      if (failed.at(-1) === key && code !== -1) wrong.push(`${key} by ${who}: ${code} in place of -1`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(failed.length > 60, `${failed.length} calls change something`)
    assert.equal(await crowd.state(room), before, 'nothing changed')
  })
})

it('SQLite uses an index for every query, and scans no table', async () => {
  assert.ok(asked.texts.size > 200, `${asked.texts.size} statements were asked`)
  assert.deepEqual(await walksAmong(asked.texts), [])
})

it('the matrix covers every endpoint', () => {
  const keys = endpoints.map(({ method, path: pattern }) => `${method} ${pattern}`)
  const known = new Set([...Object.keys(cells), ...Object.keys(elsewhereProved)])
  assert.deepEqual(
    keys.filter((key) => !known.has(key)),
    [],
  )
  assert.deepEqual(
    [...known].filter((key) => !keys.includes(key)),
    [],
  )
})
