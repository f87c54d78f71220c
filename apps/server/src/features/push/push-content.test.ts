import assert from 'node:assert/strict'
import { pushEvents } from '@parley/protocol/devices'
import { describe, it } from 'vitest'
import { checkTemplate, type PushContext, type PushTexts, PushWriter } from './push-content.ts'

const named = (id: string, name?: string) => ({ id, ...(name !== undefined && { name }) })
const context: PushContext = {
  event_type: 'message.new',
  sender: named('ada', 'Ada'),
  receiver: named('bo'),
  message: { id: 'tea-1', text: 'Tea?' } as PushContext['message'],
  channel: { type: 'messaging', id: 'tea', cid: 'messaging:tea' },
  members: [named('ada', 'Ada'), named('bo')],
  otherMembers: [named('ada', 'Ada')],
  unread_count: 3,
  unread_channels: 2,
  isThread: false,
  isMentioned: false,
}
const data = {
  ...{ version: 'v2', sender: 'stream.chat', type: 'message.new', id: 'tea-1', message_id: 'tea-1' },
  ...{ channel_type: 'messaging', channel_id: 'tea', cid: 'messaging:tea', receiver_id: 'bo' },
}
const alert = { title: 'New message from Ada', body: 'Tea?' }
const aps = { alert, badge: 3, 'mutable-content': 1 }
const android = { priority: 'high' }

type Service = Parameters<PushWriter['write']>[0]
const written = (type: Service, texts: PushTexts = {}, differs: Partial<PushContext> = {}) =>
  new PushWriter().write(type, texts, { ...context, ...differs })

describe('a push', () => {
  it('has the format of each service', () => {
    const made = Object.fromEntries(
      (['apn', 'firebase', 'huawei', 'xiaomi'] as const).map((type) => [type, written(type).content]),
    )
    const plain = { data, alert: { title: alert.title, description: 'Tea?' } }
    assert.deepEqual(made, {
      apn: { stream: data, aps },
      firebase: { data, android, apns: { payload: { aps } } },
      huawei: plain,
      xiaomi: plain,
    })
  })

  it('describes the event', () => {
    const said = (event_type: string) => {
      const { aps } = written('apn', {}, { event_type }).content as { aps: { alert: { title: string } } }
      return aps.alert.title
    }
    assert.deepEqual(
      [...pushEvents, 'something.else'].map((type) => [type, said(type)]),
      [
        ['message.new', 'New message from Ada'],
        ['message.updated', 'Ada changed a message'],
        ['reaction.new', 'Ada reacted to your message'],
        ['reaction.updated', 'Ada changed a reaction to your message'],
        ['notification.reminder_due', 'Reminder'],
        ['something.else', 'New message from Ada'],
      ],
    )
  })

  it('shows the beginning of a long text, and the sender of a message without text', () => {
    const shown = (differs: Partial<PushContext>) => written('xiaomi', {}, differs).content.alert
    const long = (text: string) => ({ message: { ...context.message, text } })
    assert.deepEqual(shown(long('x'.repeat(150))), { title: alert.title, description: 'x'.repeat(150) })
    const { description } = shown(long('x'.repeat(151))) as { description: string }
    assert.ok(description.length <= 150 && description.startsWith('x'.repeat(140)))
    assert.deepEqual(shown(long('**Tea** at `4`?\n> [note]: hello')), {
      title: alert.title,
      description: 'Tea at 4?\n[note]: hello',
    })
    assert.deepEqual(shown(long('')), { title: alert.title, description: alert.title })
    assert.deepEqual(shown({ sender: named('ada') }), { title: 'New message from ada', description: 'Tea?' })
    const { title } = shown({ sender: named('ada', 'A'.repeat(101)) }) as { title: string }
    assert.ok(title.length <= 'New message from '.length + 100)
    assert.equal((shown({ sender: named('ada', 'A'.repeat(100)) }) as { title: string }).title.length, 117)
  })

  it('uses the text of a template instead', () => {
    const template = '{"aps": {"alert": "{{ sender.name }}"}, "stream": {"mine": true}}'
    assert.deepEqual(written('apn', { apn: template }).content, { stream: { mine: true }, aps: { alert: 'Ada' } })
    assert.deepEqual(written('huawei', { other: '{"a": 1}' }).content, {
      data: { a: 1 },
      alert: { title: alert.title, description: 'Tea?' },
    })
    // A template of another service does not apply.
    assert.deepEqual(written('huawei', { apn: template, firebase: template }).content.data, data)
  })

  for (const [title, texts, content] of [
    ['writes what is shown', { firebase: '{"title": "T"}' }, { data, android, notification: { title: 'T' } }],
    [
      'writes parts of the message',
      { firebase: '{"notification": {"title": "T"}, "android": {"ttl": "1s"}}' },
      { data, android: { ttl: '1s' }, notification: { title: 'T' } },
    ],
    [
      'writes the message as the service calls it',
      { firebase: '{"message": {"data": {"n": 1, "s": "x", "o": {"a": 1}}}}' },
      { data: { n: '1', s: 'x', o: '{"a":1}' }, android },
    ],
    ['writes data that is no object', { firebase: '{"data": "x"}' }, { data: 'x', android }],
    ['writes the data alone', { data: '{"a": [1]}' }, { data: { a: '[1]' }, android }],
    [
      'writes for iPhones what they get',
      { apns: '{"aps": {"badge": 1}}' },
      { data, android, apns: { payload: { aps: { badge: 1 } } } },
    ],
    [
      'writes for iPhones the whole part',
      { apns: '{"payload": {"aps": {}}, "headers": {"a": "b"}}' },
      { data, android, apns: { payload: { aps: {} }, headers: { a: 'b' } } },
    ],
    [
      'has a word beside what others say',
      { firebase: '{"title": "T"}', data: '{"a": "b"}', apns: '{"aps": {}}' },
      { data: { a: 'b' }, android, notification: { title: 'T' }, apns: { payload: { aps: {} } } },
    ],
  ] as const)
    it(`for Firebase ${title}`, () => assert.deepEqual(written('firebase', texts), { content }))

  it('falls back to the default where a template returns too much, or nothing', () => {
    const usual = written('apn').content
    const filled = (chars: number) => written('apn', { apn: `{"stream": {}, "x": "${'x'.repeat(chars)}"}` })
    const room = 4_096 - JSON.stringify({ stream: {}, x: '' }).length
    assert.equal(filled(room).problem, undefined)
    assert.deepEqual(filled(room + 1), { content: usual, problem: 'it has more than 4096 bytes' })
    const { content, problem } = written('apn', { apn: '[1' })
    assert.deepEqual(content, usual)
    assert.ok(problem)
  })

  it('is rendered with an example before its template is stored', () => {
    checkTemplate('template', '{"text": "{{ message.text }}", "who": "{{ members.2.name }}"}', 'message.new')
    assert.throws(() => checkTemplate('template', '{"text": {{ message.text }} }', 'message.new'), {
      kind: 'InputError',
      message: /^template is no template for a push: /,
    })
  })
})
