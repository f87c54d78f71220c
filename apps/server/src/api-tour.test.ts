import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { behindPooler, type Fixture, onEveryStorage } from './testing/fixture.ts'
import { path } from './testing/test-user.ts'

/**
 * The calls a developer makes on the first day, as they would write them. The API page shows these before any others
 * (`npm run examples`), so they should be worth imitating.
 */
const firstDay = (fixture: Fixture) => {
  it('a tea house sends its first messages', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/users', {
      body: {
        users: {
          ada: {
            id: 'ada',
            name: 'Ada Moreau',
            image: 'https://tea.example.com/ada.png',
            language: 'fr',
            shop: 'Lyon',
          },
          bo: {
            id: 'bo',
            name: 'Bo Lindqvist',
            role: 'admin',
            privacy_settings: { typing_indicators: { enabled: false } },
          },
          cy: { id: 'cy', name: 'Cy Okafor' },
        },
      },
    })
    await appServer.does('PATCH', '/users', {
      body: { users: [{ id: 'bo', set: { name: 'Bo Lindqvist-Hale', shop: 'Malmö' }, unset: ['image'] }] },
    })
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: { user_message_reminders: true, max_message_length: 2_000 },
    })
    await ada.connects()
    const payload = JSON.stringify({
      filter_conditions: { name: { $autocomplete: 'lind' } },
      sort: [{ field: 'last_active', direction: -1 }],
      presence: true,
      limit: 10,
    })
    const { users } = await ada.does('GET', '/users', { query: { payload } })
    assert.deepEqual(
      users.map(({ id }: { id: string }) => id),
      ['bo'],
    )

    const { channel } = await ada.does('POST', '/channels/messaging/spring-teas/query', {
      body: {
        data: { name: 'Spring teas', members: ['ada', 'bo', 'cy'], season: 'spring' },
        state: true,
        watch: true,
        presence: true,
        messages: { limit: 25 },
        members: { limit: 100 },
      },
    })
    const room = channel.cid as string
    await appServer.does('POST', path(room), {
      body: {
        data: { name: 'Spring teas 2027', season: 'spring' },
        message: { text: 'Bo gave the conversation a new name.', user_id: 'bo' },
        add_moderators: ['bo'],
        user_id: 'bo',
      },
    })
    await ada.does('PATCH', path(room), { body: { set: { season: 'first flush' }, unset: ['harvest'] } })

    const { message } = await ada.does('POST', `${path(room)}/message`, {
      body: {
        message: {
          id: 'ada-1',
          text: 'The first flush is here! @Bo, shall we taste it tomorrow?',
          mentioned_users: ['bo'],
          attachments: [
            {
              type: 'image',
              title: 'Darjeeling',
              image_url: 'https://tea.example.com/darjeeling.jpg',
              original_width: 1200,
              original_height: 800,
            },
          ],
          tasting: { day: '2027-03-14', seats: 6 },
        },
        skip_push: false,
      },
    })
    assert.equal(message.mentioned_users[0].name, 'Bo Lindqvist-Hale')
    await bo.does('POST', '/messages/ada-1/reaction', {
      body: { reaction: { type: 'love', score: 2, emoji_code: '❤️' }, enforce_unique: true },
    })
    await bo.does('POST', `${path(room)}/message`, {
      body: { message: { id: 'bo-1', text: 'At four, in the back room.', parent_id: 'ada-1', show_in_channel: false } },
    })
    await bo.does('POST', `${path(room)}/message`, {
      body: { message: { id: 'bo-2', text: 'Who else comes?', quoted_message_id: 'ada-1' } },
    })
    await ada.does('GET', '/messages/ada-1/replies', { query: { limit: '25' } })
    await ada.does('POST', '/messages/ada-1', {
      body: {
        message: { text: 'The first flush is here! Shall we taste it tomorrow at four?', tasting: { seats: 8 } },
      },
    })
    await ada.does('PUT', '/messages/ada-1', {
      body: { set: { pinned: true, pin_expires: '2030-01-01T00:00:00Z' }, unset: ['tasting'] },
    })
    await ada.does('GET', `${path(room)}/messages`, { query: { ids: 'ada-1,bo-2' } })

    const page = await bo.does('POST', '/channels', {
      body: {
        filter_conditions: { members: { $in: ['bo'] }, type: 'messaging', season: 'first flush' },
        sort: [
          { field: 'pinned_at', direction: -1 },
          { field: 'last_message_at', direction: -1 },
        ],
        state: true,
        limit: 30,
        message_limit: 2,
        member_limit: 1,
      },
    })
    assert.equal(page.channels[0].channel.name, 'Spring teas 2027')
    await bo.does('POST', `${path(room)}/read`, { body: { message_id: 'ada-1' } })
    await bo.does('PATCH', `${path(room)}/member`, { body: { set: { pinned: true, nickname: 'Bo of Malmö' } } })
    await bo.does('GET', '/search', {
      query: {
        payload: JSON.stringify({
          filter_conditions: { cid: room },
          message_filter_conditions: { text: { $q: 'flush' } },
          limit: 10,
        }),
      },
    })
    await bo.does('POST', '/threads', { body: { limit: 10, reply_limit: 2, participant_limit: 10, watch: false } })

    await ada.does('POST', `${path(room)}/draft`, { body: { message: { text: 'By the way, the kettle' } } })
    await bo.does('POST', '/messages/ada-1/reminders', { body: { remind_at: '2030-03-14T15:00:00Z' } })
    await ada.does('POST', '/moderation/mute', { body: { target_id: 'cy', timeout: 60 } })
    await ada.does('POST', '/moderation/mute/channel', { body: { channel_cid: room, expiration: 3_600_000 } })
    await appServer.does('POST', '/moderation/ban', {
      body: {
        target_user_id: 'cy',
        type: 'messaging',
        id: 'spring-teas',
        reason: 'Sells coffee',
        timeout: 60,
        banned_by_id: 'bo',
      },
    })
    await ada.does('POST', '/devices', { body: { id: 'ada-phone', push_provider: 'firebase' } })
    await appServer.does('POST', `${path(room)}/truncate`, {
      body: { message: { text: 'A new season begins.', user_id: 'bo' }, skip_push: true, user_id: 'bo' },
    })
    await appServer.does('DELETE', path(room), { query: { hard_delete: 'false' } })
    await appServer.does('POST', '/users/delete', {
      body: { user_ids: ['cy'], user: 'soft', messages: 'soft', conversations: 'soft' },
    })
  })
}

onEveryStorage(firstDay)
behindPooler(firstDay)

describe('[HTTP-34] [HTTP-35] [HTTP-36] at the paths and in the shapes of v2', () => {
  beforeAll(() => {
    vi.stubEnv('WIRE_GENERATION', 'v2')
  })
  afterAll(() => {
    vi.unstubAllEnvs()
  })
  onEveryStorage(firstDay)
})
