import assert from 'node:assert/strict'
import { it } from 'vitest'
import { path } from '../testing/person.ts'
import { onEveryStorage } from '../testing/stage.ts'

onEveryStorage((stage) => {
  it('channels are grouped by tags, and found by them', async () => {
    const { company, ada } = await stage.company('ada')
    const tea = await company.opens([ada], { filter_tags: ['warm', 'leafy', 'warm'], colour: 'green' })
    const coffee = await company.opens([ada], { filter_tags: ['warm'] })
    const water = await company.opens([ada])
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
    const { channel } = await company.does('POST', path(water), { body: { add_filter_tags: ['cold', 'clear'] } })
    assert.deepEqual(channel.filter_tags, ['cold', 'clear'])
    assert.deepEqual((await ada.hears('channel.updated')).channel.filter_tags, ['cold', 'clear'])
    await company.does('POST', path(water), { body: { remove_filter_tags: ['clear'], add_filter_tags: ['cold'] } })
    assert.deepEqual(await found({ $in: ['cold', 'clear'] }), [water])

    await company.does('POST', path(tea), { body: { data: { colour: 'black' } } })
    const renamed = await company.does('PATCH', path(tea), { body: { set: { name: 'Tea' } } })
    assert.deepEqual([renamed.channel.colour, renamed.channel.filter_tags], ['black', ['warm', 'leafy']])
    const bare = await company.does('PATCH', path(tea), { body: { unset: ['filter_tags'] } })
    assert.equal(bare.channel.filter_tags, undefined)

    // Added bit by bit they are no more than said at once.
    const add = (from: number) => ({ body: { add_filter_tags: Array.from({ length: 60 }, (_, i) => `t${from + i}`) } })
    for (const from of [0, 40]) await company.does('POST', path(tea), add(from))
    const { message } = await company.isRefused(4, 'POST', path(tea), add(41))
    assert.match(message, /at most 100 filter tags/)
    assert.equal((await ada.opensChannel(tea)).channel.filter_tags?.length, 100)

    await ada.isRefused(17, 'POST', path(tea), { body: { add_filter_tags: ['mine'] } })
    await company.isRefused(4, 'POST', path(tea), { body: { add_filter_tags: [''] } })
    await company.isRefused(4, 'PATCH', path(tea), { body: { set: { filter_tags: 'warm' } } })
  })
})
