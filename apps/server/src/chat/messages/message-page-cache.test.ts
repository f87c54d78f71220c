import assert from 'node:assert/strict'
import type { ChannelState } from '@parley/protocol/channels'
import type { Message } from '@parley/protocol/messages'
import { describe, expect, it, vi } from 'vitest'
import type { ChannelRow } from '../../platform/database/tables.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { path, type TestUser } from '../../testing/test-user.ts'
import { MessagePageCache, type PlainMessage } from './message-page-cache.ts'

describe('cached message pages', () => {
  const channel = (cid: string, seq = 1, event_at = 1_000) => ({ app: 'app', cid, seq, event_at }) as ChannelRow
  const page = (...texts: string[]): PlainMessage[] =>
    texts.map((json, i) => ({ id: `${i}`, cid: 'a:b', user_id: 'ada', parent_id: null, created_at: i, json }))

  it('are valid until the next event in their channel', () => {
    const pages = new MessagePageCache()
    pages.put(channel('a:b', 7), 25, page('{}'))
    expect(pages.get(channel('a:b', 7), 25)?.messages).toEqual(page('{}'))
    expect(pages.get(channel('a:b', 8), 25)).toBeUndefined()
    expect(pages.get(channel('a:c', 7), 25)).toBeUndefined()
  })

  it('are not used for a new channel with the same cid', () => {
    const pages = new MessagePageCache()
    pages.put(channel('a:b', 7, 1_000), 25, page('{}'))
    expect(pages.get(channel('a:b', 7, 2_000), 25)).toBeUndefined()
  })

  it('serve requests for the same limit or a smaller one', () => {
    const pages = new MessagePageCache()
    pages.put(channel('a:b'), 25, page('{}'))
    expect(pages.get(channel('a:b'), 10)).toBeDefined()
    expect(pages.get(channel('a:b'), 26)).toBeUndefined()
  })

  it('are evicted, least recently used first', () => {
    const pages = new MessagePageCache(3_000)
    for (const cid of ['a:1', 'a:2']) pages.put(channel(cid), 25, page('x'.repeat(800)))
    pages.get(channel('a:1'), 25)
    pages.put(channel('a:3'), 25, page('x'.repeat(800)))
    expect(['a:1', 'a:2', 'a:3'].map((cid) => pages.get(channel(cid), 25) !== undefined)).toEqual([true, false, true])
    pages.put(channel('a:4'), 25, page('x'.repeat(5_000)))
    expect(['a:1', 'a:3', 'a:4'].map((cid) => pages.get(channel(cid), 25) !== undefined)).toEqual([false, false, false])
  })
})

onEveryStorage((fixture) => {
  it('a repeated channel list does not read messages again', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Soup today.')
    await listed(ada)
    const texts = await statementsUntil(async () => {
      const [before] = await listed(ada)
      assert.deepEqual(textsIn(before), ['Soup today.'])
    })
    assert.deepEqual(
      texts.filter((text) => /(from|join) "?messages\b/.test(text) && !/pinned_at is not null/.test(text)).map(start),
      // The query for the unread counts of the channel.
      texts.filter((text) => /^select r\.\*/.test(text)).map(start),
    )
  })

  it('a reader’s own draft, reminder or deletion of a message is not shown to others', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
    const room = await appServer.opens([ada, bo])
    const first = await bo.sends(room, 'Soup?')
    const second = await bo.sends(room, 'Or salad?')
    await bo.sends(room, 'Or both?')
    await listed(bo)
    await ada.does('DELETE', `/messages/${first.id}`, { query: { delete_for_me: 'true' } })
    await ada.does('POST', `/messages/${second.id}/reminders`, { body: {} })
    const body = { message: { text: 'Not yet', parent_id: second.id } }
    await ada.does('POST', `${path(room)}/draft`, { body })

    const [own] = await listed(ada)
    const [others] = await listed(bo)
    assert.deepEqual(own!.messages.map(ownOf), [
      ['deleted', false, false],
      ['regular', true, true],
      ['regular', false, false],
    ])
    assert.deepEqual(others!.messages.map(ownOf), [
      ['regular', false, false],
      ['regular', false, false],
      ['regular', false, false],
    ])
  })

  it('a restricted message is listed only for its recipients, whichever user lists first', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await ada.sends(room, 'For all.')
    const body = { message: { text: 'For Bo.', user_id: 'ada', restricted_visibility: ['bo'] } }
    await appServer.does('POST', `${path(room)}/message`, { body })
    for (const order of [
      [cy, bo],
      [bo, cy],
    ]) {
      for (const node of fixture.nodes) node.server.pages.clear()
      for (const testUser of order) {
        const [seen] = await listed(testUser)
        assert.deepEqual(textsIn(seen), testUser === bo ? ['For all.', 'For Bo.'] : ['For all.'])
      }
    }
  })

  it('a message sent while a client begins to watch is in its channel list', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.connects()
    await listed(ada)
    const { live } = fixture.nodes[0]!.server
    const of = live.of.bind(live)
    const spy = vi.spyOn(live, 'of').mockImplementation((caller) => {
      const connection = of(caller)
      const watch = connection.watch.bind(connection)
      connection.watch = async (cids) => {
        await bo.sends(room, 'In between.')
        await watch(cids)
      }
      return connection
    })
    const [seen] = await listed(ada, { watch: true })
    spy.mockRestore()
    assert.deepEqual(textsIn(seen), ['In between.'])
  })

  it('a channel list is the same in every script, from the database or the cache, compressed or not', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Grüße 🍵')
    await bo.sends(room, '世界')
    const liked = await bo.sends(room, 'नमस्ते')
    await ada.does('POST', `/messages/${liked.id}/reaction`, { body: { reaction: { type: 'like' } } })
    await bo.sends(room, 'Über https://example.com/files/tea')
    await bo.sends(room, 'До свидания 👋🏽')
    const first = await listed(ada)
    assert.deepEqual(textsIn(first[0]), [
      ...['Grüße 🍵', '世界', 'नमस्ते'],
      ...['Über https://example.com/files/tea', 'До свидания 👋🏽'],
    ])
    const filter_conditions = { members: { $in: ['ada'] } }
    for (const accepted of ['gzip', 'identity', 'identity']) {
      const headers = { 'Accept-Encoding': accepted }
      const again = await ada.call('POST', '/channels', { headers, body: { filter_conditions, state: true } })
      assert.equal(again.headers.get('content-encoding'), accepted === 'gzip' ? 'gzip' : null)
      assert.deepEqual(again.body.channels, first)
    }
  })

  it('the author of a cached message has the current user summary', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Hello.')
    await listed(ada)
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Bo the Second' } }] } })
    const [seen] = await listed(ada)
    assert.equal(seen!.messages[0]!.user.name, 'Bo the Second')
  })
})

async function listed(testUser: TestUser, options: object = {}): Promise<ChannelState[]> {
  const filter_conditions = { members: { $in: [testUser.id] } }
  return (await testUser.does('POST', '/channels', { body: { filter_conditions, state: true, ...options } })).channels
}

const textsIn = (state: ChannelState | undefined) => state!.messages.map(({ text }) => text)
const ownOf = ({ type, reminder, draft }: Message) => [type, reminder !== undefined, draft !== undefined]
const start = (text: string) => text.slice(0, 200)
