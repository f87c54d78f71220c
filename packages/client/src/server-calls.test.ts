import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'vitest'
import { ChatClient as UserClient } from './chat-client.ts'
import { Campaign, ChatClient, Segment } from './server.ts'
import { FakeServer } from './testing/fake-server.ts'
import { isOnTheWire, type Wire } from './testing/on-the-wire.ts'

const SECRET = 'the secret'

function aCompany() {
  const server = new FakeServer()
  const company = new ChatClient('key', SECRET, { baseURL: 'https://chat.example.com', fetch: server.fetch })
  return { server, company }
}

const sends = (wire: Wire<ChatClient>) => () => {
  const { server, company } = aCompany()
  return isOnTheWire(server, company, wire)
}

describe('on the wire', () => {
  it(
    '[PERM-7] the permissions are listed',
    sends({
      call: (company) => company.listPermissions(),
      method: 'GET',
      path: '/permissions',
    }),
  )

  it(
    'one permission is read',
    sends({
      call: (company) => company.getPermission('create-message'),
      method: 'GET',
      path: '/permissions/create-message',
    }),
  )

  it(
    'a permission is created',
    sends({
      call: (company) => company.createPermission({ name: 'Read Notes', action: 'ReadChannel', owner: true }),
      method: 'POST',
      path: '/permissions',
      body: { name: 'Read Notes', action: 'ReadChannel', owner: true },
    }),
  )

  it(
    '[PERM-8] a permission is updated',
    sends({
      call: (company) => company.updatePermission('read-notes', { owner: false }),
      method: 'PUT',
      path: '/permissions/read-notes',
      body: { owner: false },
    }),
  )

  it(
    '[PERM-9] a permission is deleted',
    sends({
      call: (company) => company.deletePermission('read-notes'),
      method: 'DELETE',
      path: '/permissions/read-notes',
    }),
  )

  it('[PERM-10] the roles are listed', sends({ call: (company) => company.listRoles(), method: 'GET', path: '/roles' }))

  it(
    'a role is created',
    sends({
      call: (company) => company.createRole('teacher'),
      method: 'POST',
      path: '/roles',
      body: { name: 'teacher' },
    }),
  )

  it(
    '[PERM-11] a role is deleted',
    sends({
      call: (company) => company.deleteRole('teacher/2'),
      method: 'DELETE',
      path: '/roles/teacher%2F2',
    }),
  )

  it(
    '[PERM-12] the channel types are listed',
    sends({
      call: (company) => company.listChannelTypes(),
      method: 'GET',
      path: '/channeltypes',
    }),
  )

  it(
    'one channel type is read',
    sends({
      call: (company) => company.getChannelType('lesson'),
      method: 'GET',
      path: '/channeltypes/lesson',
    }),
  )

  it(
    'a channel type is created',
    sends({
      call: (company) => company.createChannelType({ name: 'lesson', reactions: false }),
      method: 'POST',
      path: '/channeltypes',
      body: { name: 'lesson', reactions: false },
    }),
  )

  it(
    '[PERM-13] a channel type is updated',
    sends({
      call: (company) => company.updateChannelType('lesson', { grants: { user: ['read-channel'] } }),
      method: 'PUT',
      path: '/channeltypes/lesson',
      body: { grants: { user: ['read-channel'] } },
    }),
  )

  it(
    'a channel type is deleted',
    sends({
      call: (company) => company.deleteChannelType('lesson'),
      method: 'DELETE',
      path: '/channeltypes/lesson',
    }),
  )

  it(
    '[CMD-6] the commands are listed',
    sends({ call: (company) => company.listCommands(), method: 'GET', path: '/commands' }),
  )

  it(
    '[CMD-13] a command is created',
    sends({
      call: (company) => company.createCommand({ name: 'ticket', description: 'Opens a ticket' }),
      method: 'POST',
      path: '/commands',
      body: { name: 'ticket', description: 'Opens a ticket' },
    }),
  )

  it(
    '[CMD-13] one command is read',
    sends({
      call: (company) => company.getCommand('ticket'),
      method: 'GET',
      path: '/commands/ticket',
    }),
  )

  it(
    '[CMD-7] a command is updated',
    sends({
      call: (company) => company.updateCommand('ticket', { args: '[text]' }),
      method: 'PUT',
      path: '/commands/ticket',
      body: { args: '[text]' },
    }),
  )

  it(
    '[CMD-8] a command is deleted',
    sends({
      call: (company) => company.deleteCommand('ticket'),
      method: 'DELETE',
      path: '/commands/ticket',
    }),
  )

  it(
    '[BLK-1] the block lists are listed',
    sends({
      call: (company) => company.listBlockLists({ team: 'red' }),
      method: 'GET',
      path: '/blocklists',
      query: { team: 'red' },
    }),
  )

  it(
    'one block list is read',
    sends({
      call: (company) => company.getBlockList('cakes'),
      method: 'GET',
      path: '/blocklists/cakes',
    }),
  )

  it(
    '[BLK-4] a block list is created',
    sends({
      call: (company) => company.createBlockList({ name: 'cakes', words: ['cream'], is_leet_check_enabled: true }),
      method: 'POST',
      path: '/blocklists',
      body: { name: 'cakes', words: ['cream'], is_leet_check_enabled: true },
    }),
  )

  it(
    '[BLK-2] a block list is updated',
    sends({
      call: (company) => company.updateBlockList('cakes', { words: ['sugar'] }),
      method: 'PUT',
      path: '/blocklists/cakes',
      body: { words: ['sugar'] },
    }),
  )

  it(
    '[BLK-3] a block list is deleted',
    sends({
      call: (company) => company.deleteBlockList('cakes', { team: 'red' }),
      method: 'DELETE',
      path: '/blocklists/cakes',
      query: { team: 'red' },
    }),
  )

  it(
    '[DEV-5] the push providers are listed',
    sends({
      call: (company) => company.listPushProviders(),
      method: 'GET',
      path: '/push_providers',
    }),
  )

  it(
    '[DEV-6] a push provider is created or updated',
    sends({
      call: (company) => company.upsertPushProvider({ type: 'apn', name: 'ios', apn_team_id: 't' }),
      method: 'POST',
      path: '/push_providers',
      body: { push_provider: { type: 'apn', name: 'ios', apn_team_id: 't' } },
    }),
  )

  it(
    '[DEV-7] a push provider is deleted',
    sends({
      call: (company) => company.deletePushProvider({ type: 'apn', name: 'my ios' }),
      method: 'DELETE',
      path: '/push_providers/apn/my%20ios',
    }),
  )

  it(
    '[DEV-8] push is tested',
    sends({
      call: (company) => company.testPushSettings('ada', { skip_devices: true }),
      method: 'POST',
      path: '/check_push',
      body: { user_id: 'ada', skip_devices: true },
    }),
  )

  it(
    '[DEV-9] queue settings of the first kind are tested',
    sends({
      call: (company) => company.testSQSSettings({ sqs_url: 'u', sqs_key: 'k', sqs_secret: 's' }),
      method: 'POST',
      path: '/check_sqs',
      body: { sqs_url: 'u', sqs_key: 'k', sqs_secret: 's' },
    }),
  )

  it(
    '[DEV-10] queue settings of the second kind are tested',
    sends({
      call: (company) => company.testSNSSettings({ sns_topic_arn: 'a' }),
      method: 'POST',
      path: '/check_sns',
      body: { sns_topic_arn: 'a' },
    }),
  )

  it('[IMP-1] a task is read', sends({ call: (company) => company.getTask('t1'), method: 'GET', path: '/tasks/t1' }))

  it(
    '[IMP-2] channels are exported',
    sends({
      call: (company) => company.exportChannels([{ type: 'messaging', id: 'tea' }], { version: 'v2' }),
      method: 'POST',
      path: '/export_channels',
      body: { channels: [{ type: 'messaging', id: 'tea' }], version: 'v2' },
    }),
  )

  it(
    'one channel is exported',
    sends({
      call: (company) => company.exportChannel({ cid: 'messaging:tea' }),
      method: 'POST',
      path: '/export_channels',
      body: { channels: [{ cid: 'messaging:tea' }] },
    }),
  )

  it(
    '[IMP-8] an export is read',
    sends({
      call: (company) => company.getExportChannelStatus('t1'),
      method: 'GET',
      path: '/export_channels/t1',
    }),
  )

  it(
    '[IMP-3] users are exported',
    sends({
      call: (company) => company.exportUsers({ user_ids: ['ada'] }),
      method: 'POST',
      path: '/export/users',
      body: { user_ids: ['ada'] },
    }),
  )

  it(
    '[IMP-4] an import URL is requested',
    sends({
      call: (company) => company.createImportURL('old.json'),
      method: 'POST',
      path: '/import_urls',
      body: { filename: 'old.json' },
    }),
  )

  it(
    '[IMP-5] an import is started',
    sends({
      call: (company) => company.createImport('imports/old.json', { mode: 'insert' }),
      method: 'POST',
      path: '/imports',
      body: { path: 'imports/old.json', mode: 'insert' },
    }),
  )

  it(
    '[IMP-8] one import is read',
    sends({
      call: (company) => company.getImport('i1'),
      method: 'GET',
      path: '/imports/i1',
    }),
  )

  it(
    '[IMP-6] the imports are listed',
    sends({
      call: (company) => company.listImports({ limit: 5, offset: 10 }),
      method: 'GET',
      path: '/imports',
      query: { limit: '5', offset: '10' },
    }),
  )

  it(
    '[SEG-2] a segment is created',
    sends({
      call: (company) => company.createSegment('user', null, { name: 'Students', filter: { role: 'student' } }),
      method: 'POST',
      path: '/segments',
      body: { type: 'user', name: 'Students', filter: { role: 'student' } },
    }),
  )

  it(
    'a segment of users is created',
    sends({
      call: (company) => company.createUserSegment('s1', { all_users: true }),
      method: 'POST',
      path: '/segments',
      body: { type: 'user', id: 's1', all_users: true },
    }),
  )

  it(
    'a segment of channels is created',
    sends({
      call: (company) => company.createChannelSegment('s1', { all_sender_channels: true }),
      method: 'POST',
      path: '/segments',
      body: { type: 'channel', id: 's1', all_sender_channels: true },
    }),
  )

  it(
    '[SEG-3] [SEG-11] a segment is read',
    sends({
      call: (company) => company.getSegment('s1'),
      method: 'GET',
      path: '/segments/s1',
    }),
  )

  it(
    '[SEG-4] a segment is updated',
    sends({
      call: (company) => company.updateSegment('s1', { name: 'Pupils' }),
      method: 'PUT',
      path: '/segments/s1',
      body: { name: 'Pupils' },
    }),
  )

  it(
    '[SEG-5] a segment is deleted',
    sends({
      call: (company) => company.deleteSegment('s1'),
      method: 'DELETE',
      path: '/segments/s1',
    }),
  )

  it(
    '[SEG-11] segments are queried',
    sends({
      call: (company) => company.querySegments({ name: 'Students' }, { created_at: -1 }, { limit: 2, next: 'n' }),
      method: 'POST',
      path: '/segments/query',
      body: { filter: { name: 'Students' }, sort: [{ field: 'created_at', direction: -1 }], limit: 2, next: 'n' },
    }),
  )

  it(
    '[SEG-6] [SEG-11] targets are added',
    sends({
      call: (company) => company.addSegmentTargets('s1', ['ada', 'bo']),
      method: 'POST',
      path: '/segments/s1/addtargets',
      body: { target_ids: ['ada', 'bo'] },
    }),
  )

  it(
    '[SEG-7] [SEG-11] targets are removed',
    sends({
      call: (company) => company.removeSegmentTargets('s1', ['ada']),
      method: 'POST',
      path: '/segments/s1/deletetargets',
      body: { target_ids: ['ada'] },
    }),
  )

  it(
    '[SEG-8] [SEG-11] a target is looked up',
    sends({
      call: (company) => company.segmentTargetExists('s1', 'messaging:tea'),
      method: 'GET',
      path: '/segments/s1/target/messaging%3Atea',
    }),
  )

  it(
    '[SEG-9] [SEG-11] targets are queried',
    sends({
      call: (company) => company.querySegmentTargets('s1', { target_id: { $gt: 'a' } }),
      method: 'POST',
      path: '/segments/s1/targets/query',
      body: { filter: { target_id: { $gt: 'a' } }, sort: [] },
    }),
  )

  it(
    '[CAM-6] [CAM-1] a campaign is created',
    sends({
      call: (company) =>
        company.createCampaign({
          name: 'Hello',
          description: 'To all',
          sender_id: 'ada',
          message_template: { text: 'Hi {{ receiver.name }}' },
          segment_ids: ['s1'],
          user_ids: [],
          channel_template: { type: 'messaging' },
          create_channels: true,
        }),
      method: 'POST',
      path: '/campaigns',
      body: {
        name: 'Hello',
        description: 'To all',
        sender_id: 'ada',
        message_template: { text: 'Hi {{ receiver.name }}' },
        segment_ids: ['s1'],
        user_ids: [],
        channel_template: { type: 'messaging' },
        create_channels: true,
      },
    }),
  )

  it(
    '[CAM-10] [CAM-13] a campaign is read, with a page of its users',
    sends({
      call: (company) => company.getCampaign('c1', { limit: 10 }),
      method: 'GET',
      path: '/campaigns/c1',
      query: { limit: '10' },
    }),
  )

  it(
    '[CAM-4] [CAM-13] a campaign is started',
    sends({
      call: (company) => company.startCampaign('c1', { scheduledFor: new Date('2026-05-01T10:00:00Z') }),
      method: 'POST',
      path: '/campaigns/c1/start',
      body: { scheduled_for: '2026-05-01T10:00:00.000Z' },
    }),
  )

  it(
    '[CAM-5] [CAM-13] a campaign is stopped',
    sends({
      call: (company) => company.stopCampaign('c1'),
      method: 'POST',
      path: '/campaigns/c1/stop',
      body: {},
    }),
  )

  it(
    '[CAM-8] a campaign is updated',
    sends({
      call: (company) => company.updateCampaign('c1', { name: 'Hey' }),
      method: 'PUT',
      path: '/campaigns/c1',
      body: { name: 'Hey' },
    }),
  )

  it(
    '[CAM-9] a campaign is deleted',
    sends({
      call: (company) => company.deleteCampaign('c1'),
      method: 'DELETE',
      path: '/campaigns/c1',
    }),
  )

  it(
    '[CAM-7] [CAM-13] campaigns are queried',
    sends({
      call: (company) => company.queryCampaigns({ status: 'draft' }, { name: 1 }, { user_limit: 3 }),
      method: 'POST',
      path: '/campaigns/query',
      body: { filter: { status: 'draft' }, sort: [{ field: 'name', direction: 1 }], user_limit: 3 },
    }),
  )

  it(
    'users are deactivated together',
    sends({
      call: (company) => company.deactivateUsers(['ada', 'bo'], { mark_messages_deleted: true }),
      method: 'POST',
      path: '/users/deactivate',
      body: { user_ids: ['ada', 'bo'], mark_messages_deleted: true },
    }),
  )

  it(
    'users are reactivated together',
    sends({
      call: (company) => company.reactivateUsers(['ada'], { restore_messages: true }),
      method: 'POST',
      path: '/users/reactivate',
      body: { user_ids: ['ada'], restore_messages: true },
    }),
  )

  it(
    'a user is exported',
    sends({
      call: (company) => company.exportUser('ada b'),
      method: 'GET',
      path: '/users/ada%20b/export',
    }),
  )

  it(
    'a user gets a custom event',
    sends({
      call: (company) => company.sendUserCustomEvent('ada', { type: 'paid', amount: 3 }),
      method: 'POST',
      path: '/users/ada/event',
      body: { event: { type: 'paid', amount: 3 } },
    }),
  )

  it(
    'many channels are updated together',
    sends({
      call: (company) => company.updateChannelsBatch({ operation: 'hide', filter: { types: { $in: ['messaging'] } } }),
      method: 'PUT',
      path: '/channels/batch',
      body: { operation: 'hide', filter: { types: { $in: ['messaging'] } } },
    }),
  )

  it(
    'the history of a message is read',
    sends({
      call: (company) => company.queryMessageHistory({ message_id: 'm1' }, { message_updated_at: -1 }, { limit: 3 }),
      method: 'POST',
      path: '/messages/history',
      body: { filter: { message_id: 'm1' }, sort: [{ field: 'message_updated_at', direction: -1 }], limit: 3 },
    }),
  )

  it(
    'a pending message is committed',
    sends({
      call: (company) => company.commitMessage('m1'),
      method: 'POST',
      path: '/messages/m1/commit',
      body: {},
    }),
  )
})

describe('without the secret', () => {
  it('[PERM-14] [PERM-15] [SEG-10] [CAM-11] there are no server-side calls', () => {
    const person = new UserClient('key', { baseURL: 'https://chat.example.com' })
    const { company } = aCompany()
    for (const name of [
      'createRole',
      'deleteRole',
      'updatePermission',
      'createSegment',
      'createCampaign',
      'createBlockList',
    ])
      assert.deepEqual([name in company, name in person], [true, false], name)
  })

  it('[SEG-10] [CAM-11] a segment or a campaign made by its constructor throws before any request', async () => {
    const server = new FakeServer()
    const person = new UserClient('key', { baseURL: 'https://chat.example.com', fetch: server.fetch })
    const refusal = {
      code: 'CLIENT_SERVER_ONLY',
      message: 'This call is server-side only; create the client with an API secret',
    }
    await assert.rejects(new Segment(person, 'user', 's1').get(), refusal)
    await assert.rejects(new Segment(person, 'user', null).create(), refusal)
    await assert.rejects(new Campaign(person, 'c1').start(), refusal)
    await assert.rejects(new Campaign(person, null).create(), refusal)
    assert.deepEqual(server.calls, [])
  })
})

describe('a campaign', () => {
  const kept = { id: 'c9', status: 'draft', sender_id: 'ada', message_template: { text: 'Hi' } }

  it('[CAM-2] has the id and the data that the server gave it', async () => {
    const { server, company } = aCompany()
    server.answers('POST', '/campaigns', { campaign: kept })
    const campaign = company.campaign({ sender_id: 'ada', message_template: { text: 'Hi' } })
    assert.equal(campaign.id, null)
    await campaign.create()
    assert.equal(campaign.id, 'c9')
    assert.deepEqual(campaign.data, kept)
    assert.deepEqual(server.calls[0]?.body, { sender_id: 'ada', message_template: { text: 'Hi' } })
  })

  it('is created under the given id', async () => {
    const { server, company } = aCompany()
    server.answers('POST', '/campaigns', { campaign: kept })
    await company.campaign('c9', { sender_id: 'ada', message_template: { text: 'Hi' } }).create()
    assert.equal(server.calls[0]?.body.id, 'c9')
  })

  it('[CAM-4] [CAM-5] [CAM-8] [CAM-9] [CAM-10] uses its id for every call', async () => {
    const { server, company } = aCompany()
    for (const [method, path] of [
      ['GET', '/campaigns/c9'],
      ['PUT', '/campaigns/c9'],
      ['POST', '/campaigns/c9/start'],
      ['POST', '/campaigns/c9/stop'],
    ] as const)
      server.answers(method, path, { campaign: { ...kept, status: 'running' } })
    const campaign = company.campaign('c9')
    await campaign.get({ limit: 1 })
    await campaign.update({ name: 'Hey' })
    await campaign.start({ scheduledFor: '2026-05-01T10:00:00Z', stopAt: '2026-05-02T10:00:00Z' })
    await campaign.stop()
    await campaign.delete()
    assert.deepEqual(
      server.calls.map(({ method, path }) => `${method} ${path}`),
      [
        'GET /campaigns/c9',
        'PUT /campaigns/c9',
        'POST /campaigns/c9/start',
        'POST /campaigns/c9/stop',
        'DELETE /campaigns/c9',
      ],
    )
    assert.deepEqual(server.calls[2]?.body, {
      scheduled_for: '2026-05-01T10:00:00Z',
      stop_at: '2026-05-02T10:00:00Z',
    })
  })

  it('[CAM-12] has the server’s status, running included', async () => {
    const { server, company } = aCompany()
    for (const status of ['draft', 'scheduled', 'in_progress', 'stopped', 'completed', 'running']) {
      server.answers('GET', '/campaigns/c9', { campaign: { ...kept, status } })
      const campaign = company.campaign('c9')
      await campaign.get()
      assert.equal('status' in campaign.data && campaign.data.status, status)
    }
  })

  it('[CAM-3] does nothing without an id', async () => {
    const { server, company } = aCompany()
    const campaign = company.campaign(null)
    const refusal = {
      code: 'CLIENT_CAMPAIGN_ID_MISSING',
      message:
        'Campaign id is missing. Either create the campaign using campaign.create() or set the id during instantiation.',
    }
    for (const action of ['get', 'start', 'stop', 'delete'] as const) await assert.rejects(campaign[action](), refusal)
    await assert.rejects(campaign.update({ name: 'Hey' }), refusal)
    await assert.rejects(company.startCampaign(''), refusal)
    assert.deepEqual(server.calls, [])
  })
})

describe('a segment', () => {
  const kept = {
    id: 's9',
    type: 'user',
    name: 'Students',
    description: 'All of them',
    filter: null,
    all_users: true,
    all_sender_channels: false,
    size: 3,
  }

  it('[SEG-1] has the id and the data that the server gave it', async () => {
    const { server, company } = aCompany()
    server.answers('POST', '/segments', { segment: kept })
    const segment = company.segment('user', { name: 'Students', description: 'All of them', all_users: true })
    await segment.create()
    assert.equal(segment.id, 's9')
    assert.deepEqual(segment.data, kept)
    assert.deepEqual(server.calls[0]?.body, {
      type: 'user',
      name: 'Students',
      description: 'All of them',
      all_users: true,
    })
  })

  it('[SEG-3] [SEG-4] [SEG-5] [SEG-6] [SEG-7] [SEG-8] [SEG-9] uses its id for every call', async () => {
    const { server, company } = aCompany()
    server.answers('GET', '/segments/s9', { segment: kept })
    server.answers('PUT', '/segments/s9', { segment: { ...kept, name: 'Pupils' } })
    const segment = company.segment('user', 's9')
    await segment.get()
    await segment.update({ name: 'Pupils' })
    assert.equal(segment.data.name, 'Pupils')
    await segment.addTargets(['ada'])
    await segment.removeTargets(['ada'])
    await segment.targetExists('ada')
    await segment.queryTargets({}, [], { limit: 5 })
    await segment.delete()
    assert.deepEqual(
      server.calls.map(({ method, path }) => `${method} ${path}`),
      [
        'GET /segments/s9',
        'PUT /segments/s9',
        'POST /segments/s9/addtargets',
        'POST /segments/s9/deletetargets',
        'GET /segments/s9/target/ada',
        'POST /segments/s9/targets/query',
        'DELETE /segments/s9',
      ],
    )
  })

  it('does nothing without an id', async () => {
    const { server, company } = aCompany()
    const segment = company.segment('channel', null)
    const refusal = {
      code: 'CLIENT_SEGMENT_ID_MISSING',
      message:
        'Segment id is missing. Either create the segment using segment.create() or set the id during instantiation.',
    }
    await assert.rejects(segment.get(), refusal)
    await assert.rejects(segment.addTargets(['messaging:tea']), refusal)
    await assert.rejects(segment.queryTargets(), refusal)
    assert.deepEqual(server.calls, [])
  })
})

describe('before any request', () => {
  it('[IMP-8] an export of more than 25 channels throws', async () => {
    const { server, company } = aCompany()
    const channels = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'messaging', id: `c${i}` }))
    await assert.rejects(company.exportChannels(channels(26)), { code: 'CLIENT_EXPORT_TOO_MANY' })
    assert.deepEqual(server.calls, [])
    await company.exportChannels(channels(25))
    assert.equal(server.calls.length, 1)
  })
})

describe('a webhook', () => {
  const body = Buffer.from('{"type":"message.new","text":"Zoë"}')
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')

  it('is verified by its signature over the raw bytes', () => {
    const { company } = aCompany()
    assert.equal(company.verifyWebhook(body, signature), true)
    assert.equal(company.verifyWebhook(body.toString(), signature), true)
  })

  it('is refused with another body, another secret, or no signature', () => {
    const { company } = aCompany()
    const forged = createHmac('sha256', 'another secret').update(body).digest('hex')
    assert.equal(company.verifyWebhook(`${body} `, signature), false)
    assert.equal(company.verifyWebhook(body, forged), false)
    assert.equal(company.verifyWebhook(body, signature.slice(2)), false)
    assert.equal(company.verifyWebhook(body, undefined), false)
    assert.equal(company.verifyWebhook(body, 'not hexadecimal'), false)
  })
})
