import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChatServer, startChatServer } from '../testing/a-chat-server.ts'
import { describeDatabases, type TestProduct } from '../testing/a-product.ts'
import { demoConversations } from './conversations.ts'
import { castMember, demoOrganizations, demoPeople } from './people.ts'
import { seedDemo } from './seed.ts'

it('the demo people have addresses and ids of their own that the chat server takes', () => {
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
  expect(Math.max(...conversations.map(({ lines }) => lines.length))).toBeGreaterThanOrEqual(300)
})

describeDatabases('the demo', (open) => {
  let server: ChatServer
  let test: TestProduct
  beforeAll(async () => {
    server = await startChatServer()
    test = await open({ ...server.settings })
  })
  afterAll(async () => {
    await test.close()
    await server.stop()
  })

  it('says everything once, however often it is started', async () => {
    const { product } = test
    const now = new Date()
    expect(await seedDemo(product, now)).toBe(true)
    expect(await seedDemo(product, now)).toBe(true)

    // A crash in the middle leaves the mark of the beginning behind; the next start then does all of it again.
    await product.database.kysely
      .updateTable('organization')
      .set({ metadata: JSON.stringify({ demo: 'people' }) })
      .execute()
    expect(await seedDemo(product, now)).toBe(true)

    const [harbour] = await product.chat!.newClient().queryChannels({ id: 'demo-harbour' }, [], {
      user_id: castMember('ada').id,
      message_limit: 300,
    })
    expect(harbour?.data).toMatchObject({ name: 'Harbour log' })
    const listed = await product.chat!.channelsOf(castMember('ada').id)
    const names = demoConversations().filter(({ members }) => members.includes('ada'))
    expect(listed).toHaveLength(names.length)
    expect(listed[0]?.name).toBe('Bo Nakamura')
  })

  it('a product that has people of its own is left alone', async () => {
    const { product } = test
    await product.database.kysely.updateTable('organization').set({ metadata: null }).execute()
    expect(await seedDemo(product, new Date())).toBe(false)
  })
})
