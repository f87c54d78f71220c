import { expect, it } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import { besideChat } from '../testing/a-chat-server.ts'
import { describeDatabases, type TestProduct } from '../testing/a-product.ts'
import { demoConversations } from './conversations.ts'
import { castMember, demoOrganizations, demoPeople } from './people.ts'
import { seedDemo } from './seed.ts'

it('the demo people have unique addresses, and ids that the chat server accepts', () => {
  const people = demoPeople()
  expect(new Set(people.map(({ id }) => id)).size).toBe(people.length)
  expect(new Set(people.map(({ email }) => email)).size).toBe(people.length)
  for (const { id } of people) expect(id).toMatch(/^[a-z0-9-]{1,64}$/)
  for (const organization of demoOrganizations) {
    const members = people.filter(({ memberships }) =>
      memberships.some(({ organizationId }) => organizationId === organization.id),
    )
    expect(members).toHaveLength(60)
  }
})

it('the demo has conversations of every kind', () => {
  const conversations = demoConversations()
  expect(conversations.filter(({ name }) => !name).length).toBeGreaterThanOrEqual(12)
  expect(conversations.filter(({ name }) => name).length).toBeGreaterThanOrEqual(6)
  expect(Math.max(...conversations.map(({ lines }) => lines.length))).toBeGreaterThanOrEqual(200)
})

describeDatabases('the demo', (open) => {
  let test: TestProduct
  besideChat(open, (opened) => {
    test = opened
  })

  it('sends everything once, also after an interrupted start', { timeout: 60_000 }, async () => {
    const { product } = test
    const client = product.chat!.newClient()
    const begun = client.channel('messaging', 'demo-quality', {
      members: [castMember('bo').id],
      created_by_id: castMember('bo').id,
    })
    await product.chat!.savePeople([{ ...castMember('bo'), organization: 'Kiku Robotics', organizationIds: ['kiku'] }])
    await begun.create()
    for (const number of [0, 1])
      await begun.sendMessage({ id: `demo-quality-${number}`, text: 'Said before', user_id: castMember('bo').id })

    expect(await seedDemo(product, now())).toBe(true)
    expect(await seedDemo(product, now())).toBe(true)

    const [quality] = await product.chat!.newClient().queryChannels({ id: 'demo-quality' }, [], {
      user_id: castMember('bo').id,
    })
    const ids = [0, 1, 2, 3, 4].map((number) => `demo-quality-${number}`)
    expect(quality?.state.messages.map(({ id }) => id)).toEqual(ids)

    const listed = await product.chat!.channelsOf(castMember('ada').id)
    expect(listed).toHaveLength(demoConversations().filter(({ members }) => members.includes('ada')).length)
    expect(listed.map(({ name }) => name)).toContain('Harbour log')
    expect(listed[0]?.name).toBe('Bo Nakamura')
  })

  it('shows every kind of message: pictures, a file, a poll with votes, a thread, a pinned one', async () => {
    const client = test.product.chat!.newClient()
    const named = (id: string) =>
      client.channel('messaging', `demo-${id}`).query({ state: true, messages: { limit: 30 } })
    const fair = await named('fair')
    const [poll] = fair.messages.flatMap(({ poll }) => poll ?? [])
    expect(poll?.vote_count).toBe(5)
    expect(fair.pinned_messages?.map(({ id }) => id)).toEqual(['demo-fair-10'])
    const supply = await named('supply')
    expect(supply.messages.map(({ reply_count }) => reply_count)).toContain(2)
    const { messages } = await client.channel('messaging', 'demo-wind').getMessagesById(['demo-wind-6'])
    const [picture] = messages[0]?.attachments ?? []
    expect(picture).toMatchObject({ type: 'image', original_width: 1200, original_height: 800 })
    expect((await fetch(String(picture?.image_url))).headers.get('content-type')).toBe('image/jpeg')
  })

  it('a product with its own users is left alone', async () => {
    const { product } = test
    await product.database.kysely.updateTable('organization').set({ metadata: null }).execute()
    expect(await seedDemo(product, now())).toBe(false)
  })
})
