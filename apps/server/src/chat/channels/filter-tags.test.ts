import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('channels have filter tags and are found by them', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    const tea = await appServer.opens([ada], { filter_tags: ['warm', 'leafy', 'warm'], colour: 'green' })
    const coffee = await appServer.opens([ada], { filter_tags: ['warm'] })
    const water = await appServer.opens([ada])
    const found = async (filter_tags: object) => {
      const body = { filter_conditions: { members: { $in: ['ada'] }, filter_tags } }
      const { channels } = await ada.does('POST', '/channels', { body })
      return channels.map(({ channel }: { channel: { cid: string } }) => channel.cid).sort()
    }
    assert.deepEqual((await ada.opensChannel(tea)).channel.filter_tags, ['warm', 'leafy'])
    assert.deepEqual(await found({ $in: ['warm', 'cold'] }), [tea, coffee].sort())
    assert.deepEqual(await found({ $contains: 'leafy' }), [tea])
    assert.deepEqual(await found({ $eq: ['warm'] }), [coffee])

    await ada.watches(water)
    const { channel } = await appServer.does('POST', path(water), { body: { add_filter_tags: ['cold', 'clear'] } })
    assert.deepEqual(channel.filter_tags, ['cold', 'clear'])
    assert.deepEqual((await ada.receives('channel.updated')).channel.filter_tags, ['cold', 'clear'])
    await appServer.does('POST', path(water), { body: { remove_filter_tags: ['clear'], add_filter_tags: ['cold'] } })
    assert.deepEqual(await found({ $in: ['cold', 'clear'] }), [water])

    await appServer.does('POST', path(tea), { body: { data: { colour: 'black' } } })
    const renamed = await appServer.does('PATCH', path(tea), { body: { set: { name: 'Tea' } } })
    assert.deepEqual([renamed.channel.colour, renamed.channel.filter_tags], ['black', ['warm', 'leafy']])
    const bare = await appServer.does('PATCH', path(tea), { body: { unset: ['filter_tags'] } })
    assert.equal(bare.channel.filter_tags, undefined)

    // Adding them one by one has the same limit as sending all at once.
    const add = (from: number) => ({ body: { add_filter_tags: Array.from({ length: 60 }, (_, i) => `t${from + i}`) } })
    for (const from of [0, 40]) await appServer.does('POST', path(tea), add(from))
    const { message } = await appServer.isRefused(4, 'POST', path(tea), add(41))
    assert.match(message, /at most 100 filter tags/)
    assert.equal((await ada.opensChannel(tea)).channel.filter_tags?.length, 100)

    await ada.isRefused(17, 'POST', path(tea), { body: { add_filter_tags: ['mine'] } })
    await appServer.isRefused(4, 'POST', path(tea), { body: { add_filter_tags: [''] } })
    await appServer.isRefused(4, 'PATCH', path(tea), { body: { set: { filter_tags: 'warm' } } })
  })
})
