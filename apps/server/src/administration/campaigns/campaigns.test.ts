import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Campaign } from '@parley/protocol/campaigns'
import { expect, it, vi } from 'vitest'
import { type RunningServer, startServer } from '../../app.ts'
import { foundApp } from '../../chat/apps/found-app.ts'
import { microsOf } from '../../platform/micros.ts'
import { readSettings } from '../../platform/settings.ts'
import type { Server } from '../../server.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { allowLoopback, Listener } from '../../testing/listener.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { AppServer, path } from '../../testing/test-user.ts'
import { sendingCampaign } from './send-campaign.ts'

const NEVER = '0001-01-01T00:00:00Z'
/** More than one page of sending. */
const MANY = 120
const listener = new Listener()

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape.
type Answer = any

const idTemplate = '{{ receiver.id }}-from-{{ sender.id }}'
const toEach = { create_channels: true, channel_template: { type: 'messaging', id: idTemplate } }

async function makes(appServer: AppServer, data: object = {}): Promise<Campaign> {
  const body = { sender_id: 'ada', message_template: { text: 'Hello' }, ...data }
  return (await appServer.does('POST', '/campaigns', { body })).campaign
}
const reads = async (appServer: AppServer, id: string): Promise<Campaign> =>
  (await appServer.does('GET', `/campaigns/${id}`)).campaign
const starts = async (appServer: AppServer, id: string, body: object = {}): Promise<Campaign> =>
  (await appServer.does('POST', `/campaigns/${id}/start`, { body })).campaign
const stops = async (appServer: AppServer, id: string): Promise<Campaign> =>
  (await appServer.does('POST', `/campaigns/${id}/stop`, { body: {} })).campaign

async function becomes(appServer: AppServer, id: string, status: string): Promise<Campaign> {
  await eventually(async () => (await reads(appServer, id)).status === status, `${id} is ${status}`)
  return reads(appServer, id)
}

async function sends(appServer: AppServer, data: object): Promise<Campaign> {
  const { id } = await makes(appServer, data)
  await starts(appServer, id)
  return becomes(appServer, id, 'completed')
}

/** The messages of a channel, as the app's server sees them; undefined when there is no such channel. */
async function saidIn(appServer: AppServer, cid: string): Promise<Answer[] | undefined> {
  const body = { filter_conditions: { cid }, state: true, message_limit: 300 }
  const { channels } = await appServer.does('POST', '/channels', { body })
  return channels[0]?.messages
}
const textsIn = async (appServer: AppServer, cid: string) => (await saidIn(appServer, cid))?.map(({ text }) => text)

/** Creates users with these ids, as many per request as it takes. */
async function createUsers(appServer: AppServer, ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += 100) await appServer.createUsers(...ids.slice(from, from + 100))
}

/** Whether no count is scheduled or running. */
async function isCounted({ database: { read }, clock }: Server, { app }: AppServer): Promise<boolean> {
  const due = await read
    .selectFrom('due')
    .select('id')
    .where('app', '=', app.id)
    .where('at', '<=', clock.micros())
    .execute()
  const open = await read
    .selectFrom('tasks')
    .select('id')
    .where('app', '=', app.id)
    .where('status', 'in', ['waiting', 'running'])
    .execute()
  return due.length + open.length === 0
}

/** How often each text was posted in the whole app. */
async function posted({ server }: RunningServer, appServer: AppServer): Promise<Map<string, number>> {
  const rows = await server.database.read
    .selectFrom('messages')
    .select(['text', 'cid'])
    .where('app', '=', appServer.app.id)
    .execute()
  const groups = Map.groupBy(rows, ({ text, cid }) => `${cid} ${text}`)
  return new Map([...groups].map(([key, same]) => [key, same.length]))
}

onEveryStorage((fixture) => {
  it('[CAM-1] [CAM-6] [CAM-10] [CAM-12] [CAM-13] a campaign is created as a draft, and read by its id', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    const { segment } = await appServer.does('POST', '/segments', { body: { type: 'user', id: 'all' } })
    const data = {
      ...{ id: 'hi', name: 'Hello', description: 'to all', sender_id: 'ada', segment_ids: ['all'] },
      message_template: {
        text: 'Hello {{ receiver.name }}',
        custom: { mood: 'merry' },
        attachments: [{ type: 'card' }],
      },
      channel_template: { type: 'messaging', team: 'red', members: ['bo'], custom: { name: 'Hello' } },
      ...{ create_channels: true, show_channels: true, skip_push: true, sender_mode: 'include' },
    }
    const { status, body } = await appServer.call('POST', '/campaigns', { body: data })
    assert.equal(status, 201)
    const { sender, segments, created_at, updated_at, ...campaign } = body.campaign
    assert.deepEqual(campaign, {
      ...data,
      ...{ user_ids: [], users: [], skip_webhook: false, sender_visibility: '', status: 'draft' },
      stats: {
        ...{ progress: 0, stats_started_at: NEVER, stats_completed_at: NEVER, stats_users_sent: 0 },
        ...{ stats_users_read: 0, stats_channels_created: 0, stats_messages_sent: 0 },
      },
    })
    assert.deepEqual([sender.name, segments[0].id, segments[0].type], ['Ada', segment.id, 'user'])
    assert.equal(created_at, updated_at)
    assert.deepEqual(await reads(appServer, 'hi'), body.campaign)

    const bare = await makes(appServer, { id: '', name: '', sender_mode: '', channel_template: null })
    assert.match(bare.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual([bare.name, bare.sender_mode, 'channel_template' in bare], ['', '', false])
    assert.match((await appServer.isRefused(16, 'GET', '/campaigns/no')).message, /^GetCampaign failed with error: "/)
    const { appServer: other } = await fixture.createApp()
    await other.isRefused(16, 'GET', '/campaigns/hi')
  })

  it('[CAM-10] [CAM-14] a campaign shows its users in pages', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dora')
    const user_ids = ['dora', 'bo', 'ghost', 'cy', 'dora']
    const { id } = await makes(appServer, { user_ids })
    const page = async (query: Record<string, string>) => {
      const { campaign, users } = await appServer.does('GET', `/campaigns/${id}`, { query })
      assert.deepEqual(campaign.user_ids, ['dora', 'bo', 'ghost', 'cy'])
      return [campaign.users.map((user: Answer) => user.id), users] as const
    }
    const [first, { next }] = await page({ limit: '2' })
    const [second, { prev, ...end }] = await page({ limit: '2', next })
    // Deleted and unknown users are not shown.
    assert.deepEqual([first, second, end], [['bo', 'cy'], ['dora'], {}])
    assert.deepEqual((await page({ limit: '2', prev }))[0], first)
    const none = await appServer.does('GET', `/campaigns/${id}`)
    assert.deepEqual([none.campaign.users.length, none.users], [3, {}])
    for (const query of [{ limit: '0' }, { limit: '1001' }, { limit: 'many' }, { next: 'x' }])
      await appServer.isRefused(4, 'GET', `/campaigns/${id}`, { query })

    const many = Array.from({ length: 10_000 }, (_, i) => `user-${i}-${'x'.repeat(240)}`)
    assert.equal((await makes(appServer, { user_ids: many })).user_ids.length, 10_000)
    await appServer.isRefused(4, 'POST', '/campaigns', { body: { user_ids: [...many, 'one-more'] } })
    const segment_ids = Array.from({ length: 26 }, (_, i) => `segment-${i}`)
    for (const id of segment_ids) await appServer.does('POST', '/segments', { body: { type: 'user', id } })
    await makes(appServer, { segment_ids: segment_ids.slice(1) })
    const body = { sender_id: 'bo', message_template: { text: 'Hello' }, segment_ids }
    const { exception_fields } = await appServer.isRefused(4, 'POST', '/campaigns', { body })
    assert.deepEqual(exception_fields, { segment_ids: 'segment_ids must not have more than 25 items' })
  })

  it('[CAM-7] [CAM-13] campaigns can be queried by either path, filtered, sorted and paged', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('POST', '/segments', { body: { type: 'user', id: 's' } })
    for (const [id, data] of Object.entries({
      a: { name: 'Ants', segment_ids: ['s'] },
      b: { name: 'Bees', sender_id: 'bo', user_ids: ['ada', 'cy'] },
      c: { name: 'Cats', segment_ids: ['s'] },
    })) {
      await makes(appServer, { id, ...data })
      fixture.clock.advance(1_000)
    }
    const in1Hour = new Date(fixture.clock.now() + 3_600_000).toISOString()
    await appServer.does('POST', '/segments/s/addtargets', { body: { target_ids: ['bo'] } })
    await starts(appServer, 'c', { scheduled_for: in1Hour })
    const finds = async (filter: object, more: object = {}) => {
      const query = { filter, ...more }
      const { campaigns, ...around } = await appServer.does('POST', '/campaigns/query', { body: query })
      const other = await appServer.does('POST', '/campaigns', { body: { query } })
      assert.deepEqual(other.campaigns, campaigns)
      return { ids: campaigns.map(({ id }: Campaign) => id), campaigns, around }
    }
    const ids = async (filter: object, more?: object) => (await finds(filter, more)).ids
    assert.deepEqual(await ids({}), ['c', 'b', 'a'])
    assert.deepEqual(await ids({}, { sort: [{ field: 'name', direction: 1 }] }), ['a', 'b', 'c'])
    assert.deepEqual(await ids({ sender_id: 'bo' }), ['b'])
    assert.deepEqual(await ids({ status: { $in: ['scheduled', 'stopped'] } }), ['c'])
    assert.deepEqual(await ids({ segments: { $in: ['s', 'other'] } }), ['c', 'a'])
    assert.deepEqual(await ids({ scheduled_for: { $gt: '2020-01-01T00:00:00Z' } }), ['c'])
    assert.deepEqual(await ids({ stats_started_at: { $exists: false }, name: { $autocomplete: 'a' } }), ['a'])
    const { around } = await finds({}, { limit: 2 })
    const { body } = await appServer.call('POST', '/campaigns/query', { body: { limit: 2, next: around.next } })
    assert.deepEqual(
      [body.campaigns.map(({ id }: Campaign) => id), 'next' in body, 'prev' in body],
      [['a'], false, true],
    )
    const { campaigns } = await finds({ id: 'b' }, { user_limit: 1 })
    assert.deepEqual(
      campaigns[0].users.map(({ id }: Answer) => id),
      ['ada'],
    )
    for (const refused of [
      { filter: { mood: 1 } },
      { filter: { segments: 's' } },
      { limit: 101 },
      { user_limit: 1_001 },
    ])
      await appServer.isRefused(4, 'POST', '/campaigns/query', { body: refused })
  })

  it('[CAM-8] a campaign that is not being sent can be updated; omitted fields stay', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await makes(appServer, { id: 'c', name: 'Hello', user_ids: ['bo'], ...toEach, sender_mode: 'include' })
    fixture.clock.advance(1_000)
    const put = (body: object) => appServer.does('PUT', '/campaigns/c', { body })
    const { duration: _, campaign, ...flat } = await put({ name: 'Bye', user_ids: ['cy'], sender_mode: '' })
    assert.deepEqual(flat, campaign)
    assert.deepEqual(
      [campaign.name, campaign.user_ids, campaign.sender_mode, campaign.message_template, campaign.create_channels],
      ['Bye', ['cy'], '', { text: 'Hello' }, true],
    )
    assert.ok(microsOf(campaign.updated_at)! > microsOf(campaign.created_at)!)
    const refused = async (body: object, field: string) =>
      assert.deepEqual(Object.keys((await appServer.isRefused(4, 'PUT', '/campaigns/c', { body })).exception_fields), [
        field,
      ])
    await refused({ sender_id: 'nobody' }, 'sender_id')
    await refused({ segment_ids: ['none'] }, 'segment_ids')
    await put({ message_template: { text: 'Bye {{ receiver.name }}' } })
    await starts(appServer, 'c')
    await becomes(appServer, 'c', 'completed')
    assert.deepEqual(await textsIn(appServer, 'messaging:cy-from-ada'), ['Bye Cy'])
    await appServer.isRefused(4, 'PUT', '/campaigns/c', { body: { name: 'Again' } })
    await appServer.isRefused(16, 'PUT', '/campaigns/none', { body: { name: 'Again' } })
  })

  it('[CAM-9] a campaign can be deleted; its messages stay', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    const [{ server }] = fixture.nodes as [RunningServer]
    await sends(appServer, { id: 'c', user_ids: ['bo'], ...toEach })
    await appServer.does('DELETE', '/campaigns/c')
    await appServer.isRefused(16, 'GET', '/campaigns/c')
    await appServer.isRefused(16, 'DELETE', '/campaigns/c')
    assert.deepEqual(await textsIn(appServer, 'messaging:bo-from-ada'), ['Hello'])
    const left = () =>
      server.database.read.selectFrom('campaign_targets').selectAll().where('app', '=', appServer.app.id).execute()
    await eventually(async () => (await left()).length === 0, 'nothing is left of it')

    const soon = new Date(fixture.clock.now() + 60_000).toISOString()
    await makes(appServer, { id: 'c', user_ids: ['bo'], ...toEach, message_template: { text: 'Hello again' } })
    await starts(appServer, 'c', { scheduled_for: soon })
    await appServer.does('DELETE', '/campaigns/c')
    await makes(appServer, { id: 'c', user_ids: ['bo'], ...toEach })
    fixture.clock.advance(61_000)
    await sends(appServer, { user_ids: ['bo'], ...toEach, message_template: { text: 'Another' } })
    assert.deepEqual(
      [(await reads(appServer, 'c')).status, await textsIn(appServer, 'messaging:bo-from-ada')],
      ['draft', ['Hello', 'Another']],
    )
  })

  it('[CAM-11] only the app’s own server can use campaigns', async () => {
    const { appServer, ada } = await fixture.createApp('ada', 'bo')
    const { id } = await makes(appServer, { user_ids: ['bo'], ...toEach })
    const body = { sender_id: 'ada', message_template: { text: 'Hello' } }
    const calls: [string, string, object?][] = [
      ['POST', '/campaigns', { body }],
      ['POST', '/campaigns', { body: { query: {} } }],
      ['POST', '/campaigns/query', { body: {} }],
      ['GET', `/campaigns/${id}`],
      ['PUT', `/campaigns/${id}`, { body: { name: 'mine' } }],
      ['DELETE', `/campaigns/${id}`],
      ['POST', `/campaigns/${id}/start`, { body: {} }],
      ['POST', `/campaigns/${id}/stop`, { body: {} }],
    ]
    for (const [method, address, options] of calls) await ada.isRefused(17, method, address, options)
    assert.deepEqual([(await reads(appServer, id)).status, (await reads(appServer, id)).name], ['draft', ''])
  })

  it('the fields of a campaign are validated, and the error names the field', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    const { poll } = await appServer.does('POST', '/polls', { body: { name: 'Tea?', options: [], user_id: 'bo' } })
    const refused = async (data: object, field: string, code = 4) => {
      const body = { sender_id: 'ada', message_template: { text: 'Hello' }, ...data }
      const { exception_fields } = await appServer.isRefused(code, 'POST', '/campaigns', { body })
      assert.deepEqual(Object.keys(exception_fields), [field], JSON.stringify(data))
    }
    const channel = (said: object) => ({ channel_template: { type: 'messaging', ...said } })
    const message = (said: object) => ({ message_template: { text: 'Hello', ...said } })
    await refused({ sender_id: undefined }, 'sender_id')
    await refused({ sender_id: 'nobody' }, 'sender_id')
    await refused({ message_template: undefined }, 'message_template')
    await refused(message({ text: ' ' }), 'message_template.text')
    await refused(message({ text: 'x'.repeat(20_001) }), 'message_template.text')
    await refused(message({ custom: { user_id: 'bo' } }), 'message_template.custom.user_id')
    await refused(message({ custom: { campaign_id: 'x' } }), 'message_template.custom.campaign_id')
    await refused(message({ poll_id: poll.id }), 'message_template.poll_id')
    await refused({ create_channels: true }, 'channel_template')
    await refused(channel({ type: undefined }), 'channel_template.type')
    await refused(channel({ type: 'nothing' }), 'channel_template.type')
    await refused(channel({ id: '{{ receiver.name }}'.repeat(20) }), 'channel_template.id')
    await refused(channel({ custom: { frozen: true } }), 'channel_template.custom.frozen')
    await refused(channel({ custom: { name: 5 } }), 'channel_template.custom.name')
    await refused(channel({ members: ['nobody'] }), 'channel_template.members')
    await refused(channel({ members_template: [{ user_id: 'nobody' }] }), 'channel_template.members_template')
    const lord = { user_id: 'bo', channel_role: 'lord' }
    await refused(channel({ members_template: [lord] }), 'channel_template.members_template')
    await refused({ ...channel({}), sender_mode: 'exclude' }, 'sender_mode')
    await refused({ sender_mode: 'maybe' }, 'sender_mode')
    await refused({ segment_ids: ['none'] }, 'segment_ids')
    await makes(appServer, { id: 'taken' })
    await refused({ id: 'taken' }, 'id')
    const big = message({ custom: { big: 'x'.repeat(6_000) } })
    await appServer.isRefused(22, 'POST', '/campaigns', { body: { sender_id: 'ada', ...big } })
    const gone = message({ poll_id: 'none' })
    await appServer.isRefused(16, 'POST', '/campaigns', { body: { sender_id: 'ada', ...gone } })
  })

  it('[CAM-4] [CAM-12] [CAM-14] a campaign is sent once, each receiver getting one message in its own channel', async () => {
    const { appServer, bo } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { pet: { name: 'Rex' } } }] } })
    await bo.connects()
    const text =
      'Hi {{ receiver.name }}, {{ sender.name }} here. How is {{ receiver.pet.name }}? Meet us in {{ channel.name }}.'
    const campaign = await makes(appServer, {
      ...{ id: 'news', user_ids: ['bo', 'cy', 'ghost', 'bo'], create_channels: true },
      channel_template: { type: 'messaging', id: idTemplate, custom: { name: 'For {{ receiver.name }}' } },
      message_template: {
        text,
        custom: { to: ['{{ receiver.id }}', { deep: '{{receiver.name}}' }], n: 5 },
        attachments: [{ type: 'card', title: 'For {{ receiver.name }}' }],
      },
    })
    const started = await starts(appServer, campaign.id)
    assert.equal(started.status, 'in_progress')
    assert.notEqual(started.stats.stats_started_at, NEVER)
    const { stats, status } = await becomes(appServer, 'news', 'completed')
    const { stats_started_at, stats_completed_at, ...counts } = stats
    assert.equal(status, 'completed')
    assert.ok(microsOf(stats_completed_at)! >= microsOf(stats_started_at)!)
    const two = { stats_users_sent: 2, stats_channels_created: 2, stats_messages_sent: 2 }
    assert.deepEqual(counts, { progress: 1, stats_users_read: 0, ...two })

    const heard = await bo.receives('notification.message_new')
    assert.deepEqual([heard.total_unread_count, heard.unread_channels, heard.channel.name], [1, 1, 'For Bo'])
    const [message] = (await saidIn(appServer, 'messaging:bo-from-ada'))!
    assert.equal(message.text, 'Hi Bo, Ada here. How is Rex? Meet us in For Bo.')
    assert.deepEqual(
      [message.type, message.user.id, message.campaign_id, message.to, message.n],
      ['regular', 'ada', 'news', ['bo', { deep: 'Bo' }], 5],
    )
    assert.equal(message.attachments[0].title, 'For Bo')
    assert.deepEqual(await textsIn(appServer, 'messaging:cy-from-ada'), [
      'Hi Cy, Ada here. How is ? Meet us in For Cy.',
    ])
    assert.equal(await bo.unread('messaging:bo-from-ada'), 1)
    for (const call of ['start', 'stop']) await appServer.isRefused(4, 'POST', `/campaigns/news/${call}`, { body: {} })
  })

  it('[CAM-14] a campaign needs existing users or segments, and is refused before it begins otherwise', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    for (const id of ['s', 'gone']) await appServer.does('POST', '/segments', { body: { type: 'user', id } })
    const refused = async (data: object, field: string, body: object = {}) => {
      const { id } = await makes(appServer, data)
      if (field === 'segment_ids' && 'segment_ids' in data && !('user_ids' in data))
        await appServer.does('DELETE', '/segments/gone')
      const { exception_fields } = await appServer.isRefused(4, 'POST', `/campaigns/${id}/start`, { body })
      assert.deepEqual(Object.keys(exception_fields), [field])
      assert.equal((await reads(appServer, id)).status, 'draft')
    }
    await refused({}, 'user_ids')
    await refused({ user_ids: ['bo'], segment_ids: ['s'] }, 'segment_ids')
    await refused({ segment_ids: ['s', 'gone'] }, 'segment_ids')
    const past = '2020-01-01T00:00:00Z'
    await refused({ user_ids: ['bo'] }, 'stop_at', { stop_at: past })
    const later = new Date(fixture.clock.now() + 60_000).toISOString()
    await refused({ user_ids: ['bo'] }, 'stop_at', { stop_at: later, scheduled_for: later })
    await refused({ user_ids: ['bo'] }, 'scheduled_for', { scheduled_for: 'tomorrow' })
  })

  it('[CAM-4] [CAM-5] [CAM-12] a campaign waits for its scheduled time, and can be stopped before', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const at = (ms: number) => new Date(fixture.clock.now() + ms).toISOString()
    await makes(appServer, { id: 'c', user_ids: ['bo'], ...toEach })
    const scheduled = await starts(appServer, 'c', { scheduled_for: at(60_000), stop_at: at(3_600_000) })
    assert.equal(scheduled.status, 'scheduled')
    assert.ok(scheduled.scheduled_for! < scheduled.stop_at!)
    // The receivers can still be changed, but not to none.
    await appServer.does('PUT', '/campaigns/c', { body: { user_ids: ['cy'] } })
    await appServer.isRefused(4, 'PUT', '/campaigns/c', { body: { user_ids: [] } })
    await appServer.does('PUT', '/campaigns/c', { body: { user_ids: ['bo'] } })
    const { campaign, duration: _, ...flat } = await appServer.does('POST', '/campaigns/c/stop', { body: {} })
    assert.deepEqual([campaign.status, flat], ['stopped', campaign])
    await appServer.isRefused(4, 'POST', '/campaigns/c/stop', { body: {} })
    fixture.clock.advance(61_000)
    // Nothing was sent: it may start again.
    await starts(appServer, 'c', { scheduled_for: at(30_000) })
    assert.equal((await reads(appServer, 'c')).stop_at, undefined)
    assert.equal(await saidIn(appServer, 'messaging:bo-from-ada'), undefined)
    fixture.clock.advance(31_000)
    await becomes(appServer, 'c', 'completed')
    assert.deepEqual(await textsIn(appServer, 'messaging:bo-from-ada'), ['Hello'])
    // A time in the past means now.
    await makes(appServer, { id: 'd', user_ids: ['cy'], ...toEach })
    assert.equal((await starts(appServer, 'd', { scheduled_for: at(-60_000) })).status, 'in_progress')
    await becomes(appServer, 'd', 'completed')
  })

  it('[CAM-5] [CAM-12] [CAM-14] a stopped campaign keeps its sent messages, and sends no more', async () => {
    const { appServer } = await fixture.createApp('ada')
    const ids = Array.from({ length: MANY }, (_, i) => `user-${String(i).padStart(3, '0')}`)
    await createUsers(appServer, ids)
    let asked = 0
    // In the middle of the second page, which is finished first.
    listener.answers = () => (response) => {
      asked += 1
      if (asked === 60) void stops(appServer, 'c').then(() => response.end('{}'))
      else response.end('{}')
    }
    const webhook = {
      before_message_send_hook_url: `${listener.url}/before`,
      before_message_send_hook_attempt_timeout_ms: 6_000,
    }
    await appServer.does('PATCH', '/app', { body: webhook })
    await makes(appServer, { id: 'c', user_ids: ids, ...toEach })
    await starts(appServer, 'c')
    await becomes(appServer, 'c', 'stopped')
    await eventually(async () => (await reads(appServer, 'c')).stats.stats_messages_sent === 100, 'the page is done')
    const { stats, status } = await reads(appServer, 'c')
    assert.deepEqual([status, stats.progress, stats.stats_users_sent], ['stopped', 100 / MANY, 100])
    assert.deepEqual(await textsIn(appServer, 'messaging:user-099-from-ada'), ['Hello'])
    assert.equal(await saidIn(appServer, 'messaging:user-100-from-ada'), undefined)
    await appServer.isRefused(4, 'POST', '/campaigns/c/start', { body: {} })
    assert.equal(asked, 100)

    const resumed = await appServer.does('PATCH', '/campaigns/c/resume')
    assert.deepEqual([resumed.status, resumed.campaign.id], ['in_progress', 'c'])
    const whole = await becomes(appServer, 'c', 'completed')
    const { stats_messages_sent, stats_channels_created, progress } = whole.stats
    assert.deepEqual([stats_messages_sent, stats_channels_created, progress], [MANY, MANY, 1])
    for (const id of ['user-000', 'user-099', 'user-100', ids.at(-1)!])
      assert.deepEqual(await textsIn(appServer, `messaging:${id}-from-ada`), ['Hello'], '[CAM-15] once')
    await appServer.isRefused(4, 'PATCH', '/campaigns/c/resume')
  }, 60_000)

  it('[CAM-16] a campaign is tried with a few users, and goes to them again when it is sent', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await makes(appServer, { id: 'c', user_ids: ['bo', 'cy'], ...toEach })
    const before = await reads(appServer, 'c')
    await appServer.does('POST', '/campaigns/c/test', { body: { users: ['bo', 'bo'] } })
    assert.deepEqual(await textsIn(appServer, 'messaging:bo-from-ada'), ['Hello'])
    assert.equal(await saidIn(appServer, 'messaging:cy-from-ada'), undefined)
    assert.deepEqual(await reads(appServer, 'c'), before)
    for (const users of [['nobody'], [], undefined])
      await appServer.isRefused(4, 'POST', '/campaigns/c/test', { body: { users } })
    await starts(appServer, 'c')
    const { stats } = await becomes(appServer, 'c', 'completed')
    assert.equal(stats.stats_messages_sent, 2)
    assert.deepEqual(await textsIn(appServer, 'messaging:bo-from-ada'), ['Hello', 'Hello'])
  })

  it('[CAM-4] [CAM-5] [CAM-7] older clients list, schedule and stop campaigns, and list segments, by other methods', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    await makes(appServer, { id: 'c', user_ids: ['bo'], ...toEach })
    await makes(appServer, { id: 'd', user_ids: ['bo'], ...toEach })
    const list = async (payload?: object) =>
      (await appServer.does('GET', '/campaigns', payload && { query: { payload: JSON.stringify(payload) } })).campaigns
    assert.equal((await list()).length, 2)
    const [only, ...others] = await list({ filter: { id: 'd' }, limit: 1 })
    assert.deepEqual([only.id, others], ['d', []])
    const scheduled_for = new Date(fixture.clock.now() + 60_000).toISOString()
    const scheduled = await appServer.does('PATCH', '/campaigns/c/schedule', { body: { scheduled_for } })
    assert.deepEqual([scheduled.status, scheduled.campaign.status], ['scheduled', 'scheduled'])
    // Without a time it must not begin at once.
    for (const body of [{}, { scheduled_for: null }, { scheduled_for: '' }])
      await appServer.isRefused(4, 'PATCH', '/campaigns/d/schedule', { body })
    assert.equal((await appServer.does('PATCH', '/campaigns/c/stop')).status, 'stopped')
    await appServer.does('POST', '/segments', { body: { id: 'friends', type: 'user' } })
    const { segments } = await appServer.does('GET', '/segments', { query: { payload: JSON.stringify({ limit: 5 }) } })
    assert.deepEqual(
      segments.map(({ id }: { id: string }) => id),
      ['friends'],
    )
  })

  it('[CAM-12] [CAM-14] a campaign is stopped at its stop time', async () => {
    const { appServer } = await fixture.createApp('ada')
    const ids = Array.from({ length: MANY }, (_, i) => `user-${i}`)
    await createUsers(appServer, ids)
    const webhook = { hook_type: 'webhook', webhook_url: `${listener.url}/all`, event_types: ['campaign.completed'] }
    await appServer.does('PATCH', '/app', { body: { event_hooks: [webhook] } })
    // Nothing is sent before its stop time.
    const held: (() => void)[] = []
    listener.answers = ({ url }) => (url === '/before' ? (response) => held.push(() => response.end('{}')) : 200)
    await appServer.does('PATCH', '/app', { body: { before_message_send_hook_url: `${listener.url}/before` } })
    const at = (ms: number) => new Date(fixture.clock.now() + ms).toISOString()
    await makes(appServer, { id: 'c', user_ids: ids, ...toEach })
    await starts(appServer, 'c', { scheduled_for: at(60_000), stop_at: at(120_000) })
    fixture.clock.advance(61_000)
    await becomes(appServer, 'c', 'in_progress')
    await eventually(() => held.length > 0, 'the first one is on its way')
    fixture.clock.advance(60_000)
    const { stats } = await becomes(appServer, 'c', 'stopped')
    for (const goOn of held) goOn()
    assert.equal((await listener.receives('campaign.completed')).event.campaign.status, 'stopped')
    assert.ok(
      microsOf(stats.stats_completed_at)! >= microsOf(stats.stats_started_at)! && stats.stats_started_at !== NEVER,
    )
  }, 60_000)

  it('[CAM-14] [SEG-12] a campaign goes to all targets of its segments, each once', async () => {
    const { appServer, ada, bo, cy } = await fixture.createApp('ada', 'bo', 'cy', 'dora')
    const makesSegment = (body: object) => appServer.does('POST', '/segments', { body: { type: 'user', ...body } })
    await makesSegment({ id: 'b', filter: { name: { $autocomplete: 'b' } } })
    await makesSegment({ id: 'hand' })
    await appServer.does('POST', '/segments/hand/addtargets', { body: { target_ids: ['bo', 'cy', 'ghost'] } })
    const twice = await sends(appServer, { segment_ids: ['b', 'hand'], ...toEach })
    assert.deepEqual([twice.stats.stats_messages_sent, twice.stats.stats_channels_created], [2, 2])
    assert.deepEqual(await textsIn(appServer, 'messaging:bo-from-ada'), ['Hello'])

    const tea = await appServer.opens([bo, cy], { name: 'Tea' })
    const lunch = await appServer.opens([ada, bo, cy], { name: 'Lunch' })
    await makesSegment({ id: 'rooms', type: 'channel', filter: { name: { $in: ['Tea', 'Gone'] } } })
    await makesSegment({ id: 'own', type: 'channel', all_sender_channels: true })
    const text = 'In {{ channel.name }}{{ receiver.name }}, from {{ sender.name }}'
    const rooms = await sends(appServer, { segment_ids: ['rooms'], message_template: { text } })
    assert.deepEqual([rooms.stats.stats_messages_sent, rooms.stats.stats_users_sent], [1, 2])
    assert.deepEqual(await textsIn(appServer, tea), ['In Tea, from Ada'])
    const own = await sends(appServer, { segment_ids: ['own', 'rooms'], message_template: { text } })
    // Ada’s messages: lunch, the two of the first campaign, and tea.
    assert.deepEqual([own.stats.stats_messages_sent, own.stats.stats_users_sent], [4, 2 + 1 + 1 + 2])
    assert.deepEqual(await textsIn(appServer, lunch), ['In Lunch, from Ada'])
    assert.equal((await textsIn(appServer, tea))!.length, 2)

    await makesSegment({ id: 'all', all_users: true })
    await appServer.does('POST', '/users/dora/deactivate', { body: {} })
    const all = await sends(appServer, { segment_ids: ['all'], ...toEach })
    assert.equal(all.stats.stats_messages_sent, 3)
    assert.equal(await saidIn(appServer, 'messaging:dora-from-ada'), undefined)
  })

  it('[SEG-5] a segment of a scheduled or running campaign cannot be deleted', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/segments', { body: { type: 'user', id: 's' } })
    await appServer.does('POST', '/segments/s/addtargets', { body: { target_ids: ['bo'] } })
    await makes(appServer, { id: 'c', segment_ids: ['s'], ...toEach })
    const scheduled_for = new Date(fixture.clock.now() + 60_000).toISOString()
    await starts(appServer, 'c', { scheduled_for })
    assert.match((await appServer.isRefused(4, 'DELETE', '/segments/s')).message, /in use by campaign c/)
    assert.equal((await appServer.does('GET', '/segments/s')).segment.size, 1)
    await stops(appServer, 'c')
    await appServer.does('DELETE', '/segments/s')
    assert.deepEqual([(await reads(appServer, 'c')).segments, (await reads(appServer, 'c')).segment_ids], [[], ['s']])
  })

  it('without an id the channel is the one of sender and receiver, and is created only on request', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo', 'cy')
    const { channel } = await appServer.does('POST', '/channels/messaging/query', {
      body: { data: { members: ['ada', 'bo'], created_by_id: 'ada' } },
    })
    const known = await sends(appServer, { user_ids: ['bo', 'cy'] })
    assert.deepEqual([known.stats.stats_messages_sent, known.stats.stats_channels_created], [1, 0])
    assert.deepEqual(await textsIn(appServer, channel.cid), ['Hello'])
    const channel_template = {
      type: 'messaging',
      members_template: [{ user_id: 'bo', channel_role: 'channel_moderator' }],
    }
    const made = await sends(appServer, { user_ids: ['cy'], create_channels: true, channel_template })
    assert.equal(made.stats.stats_channels_created, 1)
    const { channels } = await appServer.does('POST', '/channels', {
      body: { filter_conditions: { members: { $in: ['cy'] } }, state: true },
    })
    const roles = channels[0].members.map((member: Answer) => [member.user_id, member.channel_role])
    assert.deepEqual(Object.fromEntries(roles), {
      ada: 'channel_member',
      bo: 'channel_moderator',
      cy: 'channel_member',
    })
    const again = await sends(appServer, { user_ids: ['cy'], create_channels: true, channel_template })
    assert.deepEqual([again.stats.stats_channels_created, again.stats.stats_messages_sent], [0, 1])
    assert.deepEqual(await textsIn(appServer, channels[0].channel.cid), ['Hello', 'Hello'])
    assert.ok(ada.id && bo.id)
  })

  it('the sender is a member of new channels, of all, or of none, and new ones can be hidden from them', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([bo])
    const id = room.split(':')[1]!
    const membersOf = async (cid: string) => {
      const { members } = await appServer.does('POST', `${path(cid)}/query`, { body: { state: true } })
      return members.map((member: Answer) => member.user_id).sort()
    }
    const to = (channelId: string, said: object) =>
      sends(appServer, {
        ...{ user_ids: ['bo'], create_channels: true, ...said },
        channel_template: { type: 'messaging', id: channelId, members: ['cy'] },
      })
    await to(id, {})
    assert.deepEqual(await membersOf(room), ['bo'])
    await to('excluded', { sender_mode: 'exclude' })
    assert.deepEqual(await membersOf('messaging:excluded'), ['bo', 'cy'])
    await to('made', {})
    assert.deepEqual(await membersOf('messaging:made'), ['ada', 'bo', 'cy'])
    await to(id, { sender_mode: 'include' })
    assert.deepEqual(await membersOf(room), ['ada', 'bo'])
    assert.equal((await saidIn(appServer, room))!.length, 2)

    await to('hidden', { sender_visibility: 'hidden' })
    await to('archived', { sender_visibility: 'archived' })
    const lists = async (filter: object) => {
      const filter_conditions = { members: { $in: ['ada'] }, ...filter }
      const { channels } = await ada.does('POST', '/channels', { body: { filter_conditions } })
      return channels.map(({ channel }: Answer) => channel.id).sort()
    }
    assert.deepEqual(await lists({ hidden: true }), ['hidden'])
    assert.deepEqual(await lists({ archived: true }), ['archived'])
    assert.notEqual((await bo.opensChannel('messaging:hidden')).hidden, true)
  })

  it('a channel hidden by its receiver stays hidden, unless the campaign shows it', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const toRoom = { user_ids: ['bo'], channel_template: { type: 'messaging', id: room.split(':')[1] } }
    for (const testUser of [ada, bo]) await testUser.does('POST', `${path(room)}/hide`, { body: {} })
    const hides = async (testUser: typeof ada) => (await testUser.opensChannel(room)).hidden === true
    await sends(appServer, toRoom)
    assert.deepEqual([await hides(ada), await hides(bo)], [true, true])
    await sends(appServer, { ...toRoom, show_channels: true })
    assert.deepEqual([await hides(ada), await hides(bo)], [true, false])
    await bo.does('POST', `${path(room)}/hide`, { body: {} })
    await appServer.does('POST', '/segments', { body: { type: 'channel', id: 'rooms' } })
    await appServer.does('POST', '/segments/rooms/addtargets', { body: { target_ids: [room] } })
    await sends(appServer, { segment_ids: ['rooms'], show_channels: true })
    assert.deepEqual([await hides(ada), await hides(bo)], [false, false])
    assert.equal((await saidIn(appServer, room))!.length, 3)
  })

  it('a target that cannot get the message is skipped, and the others get it', async () => {
    const { appServer, bo } = await fixture.createApp('ada', 'bo', 'cy', 'dora', 'eve')
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'cy', set: { room: 'a room of one’s own' } }] } })
    await appServer.does('PATCH', '/users', {
      body: { users: [{ id: 'dora', set: { room: 'dora', much: 'x'.repeat(4_000) } }] },
    })
    for (const id of ['bo', 'eve'])
      await appServer.does('PATCH', '/users', { body: { users: [{ id, set: { room: `room-of-${id}` } }] } })
    await appServer.does('DELETE', '/users/eve')
    const { stats } = await sends(appServer, {
      ...{ user_ids: ['bo', 'cy', 'dora', 'eve', 'ghost'], create_channels: true },
      channel_template: { type: 'messaging', id: '{{ receiver.room }}' },
      message_template: { text: `Hello ${'{{ receiver.much }}'.repeat(900)}` },
    })
    assert.deepEqual([stats.progress, stats.stats_messages_sent, stats.stats_users_sent], [1, 1, 1])
    assert.deepEqual(
      (await bo.opensChannel('messaging:room-of-bo')).messages.map(({ text }) => text),
      ['Hello '],
    )
  })

  it('a scheduled campaign whose sender is deleted is stopped', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    await makes(appServer, { id: 'c', user_ids: ['bo'], ...toEach })
    await starts(appServer, 'c', { scheduled_for: new Date(fixture.clock.now() + 60_000).toISOString() })
    await appServer.does('DELETE', '/users/ada')
    fixture.clock.advance(61_000)
    const { stats } = await becomes(appServer, 'c', 'stopped')
    assert.deepEqual([stats.stats_messages_sent, stats.progress], [0, 0])
    await appServer.isRefused(4, 'PUT', '/campaigns/c', { body: { name: 'Again' } })
    await appServer.does('PUT', '/campaigns/c', { body: { sender_id: 'bo' } })
  })

  it('a campaign that fails three times is stopped', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    const run = vi.spyOn(sendingCampaign, 'run').mockRejectedValue(new Error('It breaks.'))
    try {
      await makes(appServer, { id: 'c', user_ids: ['bo'], ...toEach })
      await starts(appServer, 'c')
      // A failed try is recorded after it ends: the next one comes a while later.
      await eventually(() => {
        fixture.clock.advance(30_000)
        return run.mock.calls.length === 3
      }, 'it is tried three times')
      const { stats } = await becomes(appServer, 'c', 'stopped')
      assert.equal(stats.stats_messages_sent, 0)
    } finally {
      run.mockRestore()
    }
    await starts(appServer, 'c')
    await becomes(appServer, 'c', 'completed')
  })

  it('unknown names in a template become empty, and the rest of the text stays', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/users', {
      body: { users: [{ id: 'bo', set: { n: 5, ok: true, pet: { name: 'Rex' } } }] },
    })
    const texts = {
      '{{receiver.n}} {{ receiver.ok }}|{{ receiver.pet }}|{{receiver}}|{{ receiver.teams }}': '5 true|||',
      '{{ nobody.name }}|{{ }}|{{ receiver.name | upper }}|{{ receiver..name }}|{{ channel.topic }}': '||||',
      '{ { receiver.name } } {{ x {{ y': '{ { receiver.name } } {{ x {{ y',
      '{{{ receiver.name }}} 100% {# no #}': '{Bo} 100% {# no #}',
    }
    for (const text of Object.keys(texts))
      await sends(appServer, { user_ids: ['bo'], ...toEach, message_template: { text } })
    assert.deepEqual(await textsIn(appServer, 'messaging:bo-from-ada'), Object.values(texts))
  })

  it('user names are parsed neither as commands nor as templates', async () => {
    const { appServer, bo, cy } = await fixture.createApp('ada', 'bo', 'cy')
    const names = { bo: '/ban @cy for fun', cy: '{{ sender.secret }}{{ constructor.name }}{{ __proto__ }}' }
    const users = Object.entries(names).map(([id, name]) => ({ id, set: { name } }))
    await appServer.does('PATCH', '/users', { body: { users } })
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { secret: 'hush' } }] } })
    await sends(appServer, {
      ...{ user_ids: ['bo', 'cy'], ...toEach },
      message_template: { text: '{{ receiver.name }}', custom: { x: '{{ toString }}{{ receiver.constructor.name }}' } },
    })
    const [toBo] = (await bo.opensChannel('messaging:bo-from-ada')).messages as Answer[]
    assert.deepEqual([toBo.text, toBo.type, toBo.command, toBo.x], [names.bo, 'regular', undefined, ''])
    assert.deepEqual((await cy.opensChannel('messaging:cy-from-ada')).messages[0]!.text, names.cy)
    await cy.sends('messaging:cy-from-ada', 'not banned')
  })

  it('the receiver of one message cannot guess the id of another', async () => {
    const { appServer, bo } = await fixture.createApp('ada', 'bo', 'cy')
    await sends(appServer, { id: 'c', user_ids: ['bo'], ...toEach })
    const [{ id }] = (await bo.opensChannel('messaging:bo-from-ada')).messages as [Answer]
    assert.match(id, /^campaign-[\w-]{43}$/)
    const again = await sends(appServer, { user_ids: ['bo'], ...toEach })
    assert.equal(again.stats.stats_messages_sent, 1)
    assert.equal((await saidIn(appServer, 'messaging:bo-from-ada'))!.length, 2)
  })

  it('every receiver gets the poll and the attachments', async () => {
    const { appServer, bo } = await fixture.createApp('ada', 'bo', 'cy')
    const { poll } = await appServer.does('POST', '/polls', {
      body: { name: 'Tea?', options: [{ text: 'yes' }], user_id: 'ada' },
    })
    await sends(appServer, { user_ids: ['bo', 'cy'], ...toEach, message_template: { text: '', poll_id: poll.id } })
    for (const id of ['bo', 'cy'])
      assert.equal((await saidIn(appServer, `messaging:${id}-from-ada`))![0].poll.name, 'Tea?')
    assert.ok(bo.id)
  })

  it('reads are counted periodically for a week; then the run is deleted', async () => {
    const { appServer, bo, cy } = await fixture.createApp('ada', 'bo', 'cy', 'dora')
    const [{ server }] = fixture.nodes as [RunningServer]
    const { id } = await sends(appServer, { user_ids: ['bo', 'cy'], ...toEach })
    const readers = async () => (await reads(appServer, id)).stats.stats_users_read
    await bo.reads('messaging:bo-from-ada')
    fixture.clock.advance(11_000)
    await eventually(async () => (await readers()) === 1, 'one has read it')
    await cy.reads('messaging:cy-from-ada')
    fixture.clock.advance(30_000)
    await eventually(async () => (await readers()) === 2, 'both have read it')

    const room = await appServer.opens([bo, cy])
    await appServer.does('POST', '/segments', { body: { type: 'channel', id: 'rooms' } })
    await appServer.does('POST', '/segments/rooms/addtargets', { body: { target_ids: [room] } })
    const inRoom = await sends(appServer, { segment_ids: ['rooms'] })
    await cy.reads(room)
    fixture.clock.advance(11_000)
    await eventually(
      async () => (await reads(appServer, inRoom.id)).stats.stats_users_read === 1,
      'one has read it there',
    )

    const left = () =>
      server.database.read.selectFrom('campaign_targets').selectAll().where('app', '=', appServer.app.id).execute()
    assert.equal((await left()).length, 3)
    // Each count doubles the time to the next one.
    for (let counts = 0; counts < 12; counts++) {
      fixture.clock.advance(86_400_000)
      await eventually(() => isCounted(server, appServer), 'all is counted that is due')
    }
    assert.deepEqual(await left(), [])
    assert.equal(await readers(), 2)
  })

  it('a page costs as many statements for few as for many receivers with existing channels', async () => {
    const { appServer } = await fixture.createApp('ada')
    const [{ server }] = fixture.nodes as [RunningServer]
    const ids = Array.from({ length: 40 }, (_, i) => `user-${i}`)
    await createUsers(appServer, ids)
    await sends(appServer, { user_ids: ids, ...toEach })
    const asks = async (many: number) => {
      server.users.clear()
      server.channels.clear()
      const { id } = await makes(appServer, {
        user_ids: ids.slice(0, many),
        ...toEach,
        message_template: { text: `${many}` },
      })
      const asked = await statementsUntil(async () => {
        await starts(appServer, id)
        await becomes(appServer, id, 'completed')
      })
      const sending = asked.filter((text) => !/ from "?(campaigns|segments)"? |begin|commit|"due"|"tasks"/i.test(text))
      // Without the periodic counting of reads, and the deletion of the run.
      const texts = sending.filter(
        (text) => !/users_read|select count\(\*\)|from "campaign_targets"|delete from campaign_targets/.test(text),
      )
      // SQLite runs the same statement once per row, without a round trip.
      return server.database.dialect.name === 'sqlite' ? [...new Set(texts)] : texts
    }
    const some = await asks(10)
    const many = await asks(40)
    expect(many.length, many.join('\n')).toBeLessThanOrEqual(some.length)
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('the app’s server gets events for the start and end of a campaign, and for each message unless it is skipped', async () => {
    const { appServer, bo } = await fixture.createApp('ada', 'bo')
    const webhook = { hook_type: 'webhook', webhook_url: `${listener.url}/all`, push_recipients: 'all' }
    await appServer.does('PATCH', '/app', { body: { event_hooks: [webhook] } })
    await sends(appServer, { id: 'told', user_ids: ['bo'], ...toEach })
    const { campaign, created_at } = (await listener.receives('campaign.started')).event
    assert.deepEqual([campaign.id, campaign.status, campaign.user_ids], ['told', 'in_progress', ['bo']])
    assert.match(created_at, /^\d{4}-/)
    const { campaign: ended } = (await listener.receives('campaign.completed')).event
    assert.deepEqual([ended.status, ended.stats.stats_messages_sent, ended.stats.progress], ['completed', 1, 1])
    await listener.receives('channel.created')
    assert.deepEqual((await listener.receives('message.new')).event.push_recipients, ['bo'])

    await sends(appServer, { user_ids: ['bo'], ...toEach, skip_push: true })
    assert.deepEqual((await listener.receives('message.new', 2)).event.push_recipients, [])
    await sends(appServer, { user_ids: ['bo'], ...toEach, channel_template: { type: 'team' }, skip_webhook: true })
    await listener.receives('campaign.completed', 3)
    await bo.sends('messaging:bo-from-ada', 'thanks')
    assert.equal((await listener.receives('message.new', 3)).event.message.text, 'thanks')
    assert.deepEqual([listener.of('channel.created').length, listener.of('member.added').length], [1, 2])

    await makes(appServer, { id: 'waiting', user_ids: ['bo'], ...toEach })
    await starts(appServer, 'waiting', { scheduled_for: new Date(fixture.clock.now() + 60_000).toISOString() })
    await stops(appServer, 'waiting')
    await bo.sends('messaging:bo-from-ada', 'and bye')
    await listener.receives('message.new', 4)
    assert.equal(listener.of('campaign.completed').length, 3)
  })
}, allowLoopback)

onEveryTransport((fixture: Fixture) => {
  it('connected users get each message with their totals, on any node', async () => {
    const { appServer, bo, cy } = await fixture.createApp('ada', 'bo', 'cy')
    await sends(appServer, { user_ids: ['bo', 'cy'], ...toEach })
    for (const testUser of [bo, cy]) await testUser.watches(`messaging:${testUser.id}-from-ada`)
    await sends(appServer, {
      user_ids: ['bo', 'cy'],
      ...toEach,
      message_template: { text: 'News for {{receiver.name}}' },
    })
    for (const testUser of [bo, cy]) {
      const heard = await testUser.receives('message.new')
      assert.equal(heard.message.text, `News for ${testUser.id === 'bo' ? 'Bo' : 'Cy'}`)
      assert.deepEqual([heard.total_unread_count, heard.unread_channels, heard.user.id], [2, 1, 'ada'])
    }
  })

  it('concurrent starts start a campaign once', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const { id } = await makes(appServer, { user_ids: ['bo', 'cy'], ...toEach })
    const elsewhere = new AppServer(fixture.nodes.at(-1)!.url, appServer.app, fixture.clock)
    const answers = await Promise.all(
      [appServer, elsewhere, appServer, elsewhere].map((one) =>
        one.call('POST', `/campaigns/${id}/start`, { body: {} }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
    await becomes(elsewhere, id, 'completed')
    assert.deepEqual([...(await posted(fixture.nodes[0]!, appServer)).values()], [1, 1])
  })

  it('[CAM-14] two nodes sending a campaign at the same time, each taking the other for dead, send nothing twice', async () => {
    const { appServer } = await fixture.createApp('ada')
    const ids = Array.from({ length: MANY }, (_, i) => `user-${i}`)
    await createUsers(appServer, ids)
    const { id } = await makes(appServer, { user_ids: ids, ...toEach })
    await starts(appServer, id)
    const app = appServer.app.id
    const { run } = await fixture.nodes[0]!.server.database.read.selectFrom('campaigns')
      .select('run')
      .where('app', '=', app)
      .executeTakeFirstOrThrow()
    const task = {
      ...{ app, id: run!, input: { id }, progress: undefined, ending: new AbortController().signal },
      save: async () => {},
      leave: async () => assert.fail('nobody leaves'),
    }
    const nodes = [...fixture.nodes, fixture.nodes[0]!]
    for (const { server } of nodes) await server.apps.byId(app)
    await Promise.all(nodes.map(({ server }) => sendingCampaign.run(server, task)))
    await becomes(appServer, id, 'completed')
    const counts = [...(await posted(fixture.nodes[0]!, appServer)).values()]
    assert.deepEqual([counts.length, Math.max(...counts)], [MANY, 1])
  }, 60_000)
})

it('[CAM-14] a server that crashes during a campaign, and the one that continues, send nothing twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-campaign-'))
  const clock = new FakeClock()
  const env = { ...allowLoopback, PORT: '0', LOG_LEVEL: 'error', LINK_PREVIEWS: 'off', FFMPEG: 'off', DATA_DIR: folder }
  const settings = { ...readSettings({ ...env, DATABASE_URL: `sqlite:${join(folder, 'chat.sqlite')}` }), port: 0 }
  const first = await startServer(settings, clock)
  const app = await foundApp(first.server.database, { key: 'key', secret: 'secret-of-the-story' }, 0)
  const appServer = new AppServer(first.url, app, clock)
  const ids = Array.from({ length: MANY }, (_, i) => `user-${String(i).padStart(3, '0')}`)
  await appServer.createUsers('ada')
  await createUsers(appServer, ids)
  let asked = 0
  let ended: Promise<void> | undefined
  // In the middle of the second page: some messages are sent and no progress is saved.
  listener.answers = () => {
    asked += 1
    // On a busy machine a healthy server would send everything before the ending one runs its tasks.
    if (asked === 70) ended = first.server.tasks.close().then(() => first.stop())
    return {}
  }
  await appServer.does('PATCH', '/app', { body: { before_message_send_hook_url: `${listener.url}/before` } })
  const { id } = await makes(appServer, { user_ids: ids, ...toEach })
  await starts(appServer, id)
  await eventually(() => ended !== undefined, 'it ends')
  await ended

  const second = await startServer(settings, clock)
  try {
    const before = await posted(second, appServer)
    assert.ok(before.size >= 50 && before.size < MANY, `${before.size} were sent`)
    listener.answers = () => ({})
    const there = new AppServer(second.url, app, clock)
    clock.advance(61_000)
    const { stats } = await becomes(there, id, 'completed')
    const after = await posted(second, appServer)
    assert.deepEqual([after.size, Math.max(...after.values())], [MANY, 1])
    assert.deepEqual(
      [stats.stats_messages_sent, stats.stats_users_sent, stats.stats_channels_created, stats.progress],
      [MANY, MANY, MANY, 1],
    )
  } finally {
    await second.stop()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)
