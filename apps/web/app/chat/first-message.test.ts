import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type CastName, castMember } from '../../src/demo/people.ts'
import { besideChat, type ChatServer } from '../../src/testing/a-chat-server.ts'
import { describeOnSqlite, type Open, type TestProduct } from '../../src/testing/a-product.ts'
import type { ChatService } from './chat-service.server.ts'
import { type StartChatAnswer, action as startNewChat } from './start-new-chat.ts'

const image = 'https://pictures.example/tea.png'
const guidelines = 'This message did not meet our content guidelines.'

describeOnSqlite('the first message of a chat', (open) => {
  let test: TestProduct
  let server: ChatServer
  let chat: ChatService
  besideChat(open, (opened, its) => {
    test = opened
    server = its
    chat = opened.product.chat!
  })

  const company = () => chat.newClient()
  beforeAll(async () => {
    await chat.setHouseRules()
    await company().createBlockList({ name: 'cakes', words: ['cream'] })
  })
  beforeEach(async () => {
    await company().updateChannelType('messaging', {
      ...{ commands: ['all'], max_message_length: 5_000, automod: 'disabled' as const },
      ...{ blocklist: null, blocklist_behavior: null, blocklists: null },
    })
    const { configs } = await company().moderation.queryConfigs()
    for (const { key } of configs) await company().moderation.deleteConfig(key)
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => complaints.mockRestore())
  })

  const group = (groupName: string, fields: Record<string, string> = {}) => ({
    ...{ type: 'group', groupName, ...fields },
    selectedUsers: JSON.stringify([
      { userId: castMember('bo').id, orgId: 'kiku' },
      { userId: castMember('dana').id, orgId: 'hansenvogt' },
    ]),
  })
  const direct = (name: CastName, orgId: string, fields: Record<string, string> = {}) => ({
    ...{ type: 'direct', userId: castMember(name).id, orgId, ...fields },
  })
  async function starts(form: Record<string, string>, key: string = randomUUID(), product = test) {
    const browser = await product.signedIn('ada')
    const headers = { 'idempotency-key': key }
    const answer = await browser.call(startNewChat, '/chat/api/startNewChat', { form, headers })
    const body: StartChatAnswer = await answer.json()
    return { status: answer.status, ...body }
  }
  /** The texts in each channel with this name. */
  async function made(name: string) {
    const channels = await company().queryChannels({ name }, [], { watch: false })
    return channels.map(({ state }) => state.messages.map(({ text }) => text))
  }
  const review = async () => (await company().moderation.queryReviewQueue()).items.map(({ entity_id }) => entity_id)

  const rules: Record<string, () => Promise<unknown>> = {
    'a block list of the channel type': () =>
      company().updateChannelType('messaging', { blocklist: 'cakes', blocklist_behavior: 'block' }),
    'one of several block lists': () =>
      company().updateChannelType('messaging', { blocklists: [{ blocklist: 'cakes', behavior: 'block' }] }),
    'a configuration that removes': () => configures('chat:messaging', 'remove'),
    'a configuration that bounces': () => configures('chat', 'bounce'),
  }
  const configures = (key: string, action: string, more: object = {}) =>
    company().moderation.upsertConfig({
      key,
      block_list_config: { rules: [{ name: 'cakes', action }], ...more },
    })

  it.each([
    ['a command', '/mute nobody', 'A first message cannot be a command. Start the chat, then use /mute in it.'],
    [
      'a command after white space',
      '  /giphy',
      'A first message cannot be a command. Start the chat, then use /giphy in it.',
    ],
    ['too long', 'ab'.repeat(3_000), 'A first message can have at most 5000 characters.'],
  ])('[NEW-62] that is %s is refused before a group is made', async (name, firstMessage, error) => {
    const answer = { status: 400, type: 'error', error, field: 'firstMessage' }
    expect(await starts(group(name, { firstMessage }))).toEqual(answer)
    expect(await made(name)).toEqual([])
    expect(await starts(direct('lucia', 'solviento', { firstMessage }))).toEqual(answer)
    expect(await chat.existingChat(castMember('ada').id, castMember('lucia').id)).toBeUndefined()
  })

  it.each(Object.keys(rules))('[NEW-62] that is stopped by %s is refused before a group is made', async (rule) => {
    await rules[rule]!()
    const form = group(rule, { firstMessage: 'Ice cream', firstMessageImageUrl: image })
    const key = randomUUID()
    expect(await starts(form, key)).toEqual({ status: 400, type: 'error', error: guidelines, field: 'firstMessage' })
    expect(await made(rule)).toEqual([])
    // Another text is fine, and there is one group.
    expect(await starts({ ...form, firstMessage: 'Ice' }, key)).toMatchObject({ status: 200, type: 'success' })
    expect(await made(rule)).toEqual([['Ice']])
  })

  it('[NEW-62] that is removed is shown to the moderators, and one that is bounced is not', async () => {
    const before = await review()
    await configures('chat', 'bounce')
    await starts(group('Bounced', { firstMessage: 'Cream' }))
    expect(await review()).toEqual(before)
    await configures('chat', 'remove')
    await starts(group('Removed', { firstMessage: 'Cream' }))
    expect(await review()).toHaveLength(before.length + 1)
  })

  it.each([
    ['after a slash', '/tea is ready', {}],
    ['as long as fits, in code points', '👩‍👩‍👧‍👦'.repeat(700), {}],
    ['with a listed word inside another', 'Screaming', {}],
    ['while the lists are off', 'Cream', { enabled: false }],
  ])('[NEW-62] that the chat server accepts is sent: %s', async (_, firstMessage, more) => {
    await configures('chat', 'remove', more)
    const name = `Fine ${randomUUID()}`
    expect(await starts(group(name, { firstMessage }))).not.toHaveProperty('unsent')
    expect(await made(name)).toEqual([[firstMessage]])
  })

  it('[NEW-63] that is stopped only when it is sent leaves the chat, and the answer says so', async () => {
    await configures('chat', 'bounce_remove')
    const key = randomUUID()
    const form = group('Stands', { firstMessage: 'Cream, please' })
    const first = await starts(form, key)
    const unsent = 'The chat was started, but your message did not meet our content guidelines and was not sent.'
    expect(first).toMatchObject({ status: 200, type: 'success', channelWithName: 'Stands', unsent })
    expect(await starts(form, key)).toEqual(first)
    expect(await made('Stands')).toEqual([[]])

    const pair = direct('mei', 'kiku', { firstMessage: 'Cream for you' })
    expect(await starts(pair)).toMatchObject({ status: 200, unsent })
    // The chat is there now, so this is only about the message.
    expect(await starts(pair)).toEqual({ status: 400, type: 'error', error: guidelines, field: 'firstMessage' })
  })

  it('[NEW-63] that its author may not send leaves the chat, and the answer says so', async () => {
    await company().updateChannelType('messaging', { grants: { channel_moderator: ['read-channel'] } })
    onTestFinished(() => chat.setHouseRules())
    const answer = await starts(group('No right', { firstMessage: 'Hello' }))
    const unsent = 'The chat was started, but your message was not sent.'
    expect(answer).toMatchObject({ status: 200, type: 'success', unsent })
    expect(await made('No right')).toEqual([[]])
  })

  it('[NEW-64] submitting a form again makes no second group, also with another text', async () => {
    const key = randomUUID()
    const form = group('Once', { firstMessage: 'Hello' })
    const [one, two] = await Promise.all([starts(form, key), starts(form, key)])
    expect(two).toEqual(one)
    expect(await made('Once')).toEqual([['Hello']])
    expect(await starts({ ...form, firstMessage: 'Hello again' }, key)).toEqual(one)
    expect(await made('Once')).toEqual([['Hello', 'Hello again']])
  })

  it('[NEW-64] lost answers of the chat server make no second group and no second message', async () => {
    const product = await behindALosingNetwork(open, server)
    const answer = await starts(group('Lost', { firstMessage: 'Hello' }), randomUUID(), product)
    expect(answer).toMatchObject({ status: 200, type: 'success' })
    expect(answer).not.toHaveProperty('unsent')
    expect(await made('Lost')).toEqual([['Hello']])
  })

  it('the founder of a group is subject to its block lists like every member', async () => {
    const started = await starts(group('Founded'))
    if (started.type !== 'success') throw new Error('The group should have started.')
    await company().updateChannelType('messaging', { blocklist: 'cakes', blocklist_behavior: 'block' })
    for (const name of ['ada', 'bo'] as const) {
      const id = castMember(name).id
      const unsent = await chat.say(started.channelId, id, { id: randomUUID(), text: 'Cream!' })
      expect([name, unsent]).toEqual([name, { reason: 'firstMessage.moderated' }])
    }
  })
})

/** A product that gets no first answer to making a channel and to sending a message, though both are carried out. */
async function behindALosingNetwork(open: Open, { settings }: ChatServer): Promise<TestProduct> {
  const lost = new Set<string>()
  const network = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    const body = await Buffer.concat(await request.toArray())
    const answer = await fetch(new URL(url, settings.CHAT_URL), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        name === 'connection' ? [] : [[name, String(value)]],
      ),
      ...(method !== 'GET' && { body }),
    })
    const [what] = /(message|query)(?=\?)/.exec(url) ?? []
    if (method === 'POST' && what && url.includes('/channels/') && !lost.has(what)) {
      lost.add(what)
      response.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((listening) => network.listen(0, '127.0.0.1', listening))
  const CHAT_URL = `http://127.0.0.1:${(network.address() as AddressInfo).port}`
  const product = await open({ chat: { ...settings, CHAT_URL } })
  onTestFinished(async () => {
    await product.close()
    network.close()
    expect([...lost].sort()).toEqual(['message', 'query'])
  })
  return product
}
