import { ChatClient } from '@parley/client'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { type CastName, castMember } from '../../src/demo/people.ts'
import { besideChat } from '../../src/testing/a-chat-server.ts'
import { describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { spend } from '../rate-limit.server.ts'
import type { SessionData } from '../session/session-data.server.ts'
import { loader as sessionData } from '../session/session-data.ts'
import { ADDED_MEMBERS } from './add-members.server.ts'
import { type AddMembersAnswer, action as addMembers } from './add-members.ts'
import { GROUP_CHANGES } from './change-group.server.ts'
import { type ChangeGroupAnswer, action as changeGroup } from './change-group.ts'
import { action as channels } from './channels.ts'
import type { ProductChannel } from './chat-service.server.ts'
import { NEW_CHATS } from './start-new-chat.server.ts'
import { type StartChatAnswer, action as startNewChat } from './start-new-chat.ts'

const image = 'https://pictures.example/tea.png'

describeDatabases('starting chats', (open) => {
  let test: TestProduct
  const clients: ChatClient[] = []

  besideChat(open, (opened) => {
    test = opened
  })
  // A user may have few connections at a time.
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.disconnectUser()))
  })

  async function starts(name: CastName, form: Record<string, string>, key?: string): Promise<StartChatAnswer> {
    const browser = await test.signedIn(name)
    const headers = key ? { 'idempotency-key': key } : undefined
    return (await browser.call(startNewChat, '/chat/api/startNewChat', { form, headers })).json()
  }

  /** Connects with the session data, as a browser does. */
  async function connects(name: CastName): Promise<ChatClient> {
    const session: SessionData = await (await (await test.signedIn(name)).call(sessionData, '/session')).json()
    const client = new ChatClient(session.chatServer!.key, { baseURL: session.chatServer!.url })
    clients.push(client)
    await client.connectUser({ id: session.chatUser!.id }, session.chatUser!.token)
    return client
  }

  /** The texts of a channel as a user sees them, with their authors. */
  async function reads(client: ChatClient, channelId: string) {
    const [type, id] = channelId.split(':') as [string, string]
    const channel = client.channel(type, id)
    await channel.watch()
    return {
      members: Object.keys(channel.state.members).sort(),
      messages: channel.state.messages.map(({ user, text, attachments }) => ({
        by: user?.id,
        text,
        images: (attachments ?? []).map(({ image_url }) => image_url),
      })),
      name: channel.data?.name,
    }
  }

  const direct = (name: CastName, orgId: string) => ({ type: 'direct', userId: castMember(name).id, orgId })
  const group = (groupName: string, ...people: [CastName, string][]) => ({
    type: 'group',
    groupName,
    selectedUsers: JSON.stringify(people.map(([name, orgId]) => ({ userId: castMember(name).id, orgId }))),
  })

  it('[APP-4] [APP-13] [APP-32] the session data contains credentials that connect', async () => {
    const client = await connects('ada')
    expect(client.userID).toBe(castMember('ada').id)
  })

  it('[APP-1] [NEW-39] [NEW-40] [NEW-43] [NEW-52] a direct chat reaches a person of another organization', async () => {
    const answer = await starts('ada', { ...direct('bo', 'kiku'), firstMessage: 'Tea?', firstMessageImageUrl: image })
    expect(answer).toEqual({
      type: 'success',
      channelWithName: 'Bo Nakamura',
      channelId: expect.stringMatching(/^messaging:/),
    })
    if (answer.type !== 'success') return
    const { messages, members } = await reads(await connects('bo'), answer.channelId)
    expect(members).toEqual([castMember('ada').id, castMember('bo').id].sort())
    expect(messages).toEqual([{ by: castMember('ada').id, text: 'Tea?', images: [image] }])
  })

  it('a person of two organizations keeps both, whichever of them a chat was started through', async () => {
    for (const orgId of ['solviento', 'hansenvogt']) {
      const started = await starts('ada', direct('chloe', orgId))
      if (started.type !== 'success') throw new Error('The chat should have started.')
      const [type = '', id = ''] = started.channelId.split(':')
      const channel = (await connects('ada')).channel(type, id)
      await channel.watch()
      expect(channel.state.members[castMember('chloe').id]?.user).toMatchObject({
        organization: 'Hansen & Vogt Logistik, Sol y Viento Energía',
        organization_ids: ['hansenvogt', 'solviento'],
      })
    }
  })

  it('[NEW-50] [NEW-52] a direct chat started again, from either side, is the same one', async () => {
    const first = await starts('mei', direct('dana', 'hansenvogt'))
    const again = await starts('dana', { ...direct('mei', 'kiku'), firstMessage: 'Hallo!' })
    expect(first.type === 'success' && again.type === 'success' && again.channelId === first.channelId).toBe(true)
    if (again.type !== 'success') return
    const { messages } = await reads(await connects('mei'), again.channelId)
    expect(messages.map(({ text }) => text)).toEqual(['Hallo!'])
  })

  it('[APP-2] [NEW-51] a group is a new channel with its name and its creator', async () => {
    const people: [CastName, string][] = [
      ['bo', 'kiku'],
      ['lucia', 'solviento'],
    ]
    const one = await starts('ada', group('Tea ☕', ...people))
    const two = await starts('ada', group('Tea ☕', ...people))
    expect(one).toMatchObject({ type: 'success', channelWithName: 'Tea ☕' })
    if (one.type !== 'success' || two.type !== 'success') throw new Error('Both groups should have started.')
    expect(two.channelId).not.toBe(one.channelId)

    const { name, members, messages } = await reads(await connects('lucia'), one.channelId)
    expect(name).toBe('Tea ☕')
    expect(members).toEqual([castMember('ada').id, castMember('bo').id, castMember('lucia').id].sort())
    expect(messages).toEqual([])

    const ada = await connects('ada')
    const [type = '', id = ''] = one.channelId.split(':')
    await ada.channel(type, id).watch()
    expect(ada.channel(type, id).data.own_capabilities).toContain('ban-channel-members')
  })

  it('[APP-29] an owner of an organization has no extra permissions in chat', async () => {
    const started = await starts('dana', group('Level', ['ada', 'northwind'], ['mei', 'kiku']))
    if (started.type !== 'success') throw new Error('The group should have started.')
    const [type = '', id = ''] = started.channelId.split(':')
    const mayIn = async (name: CastName) => {
      const client = await connects(name)
      const channel = client.channel(type, id)
      await channel.watch()
      return [client.user?.role, channel.data.own_capabilities?.toSorted()]
    }
    const [owner, member] = [await mayIn('ada'), await mayIn('mei')]
    expect(owner).toEqual(member)
    expect(owner[0]).toBe('user')
    expect(owner[1]).not.toContain('ban-channel-members')
  })

  it('a call repeated with the same key does its work once', async () => {
    const form = { ...group('Once', ['bo', 'kiku'], ['dana', 'hansenvogt']), firstMessage: 'Only once' }
    const one = await starts('ada', form, 'key-1')
    const again = await starts('ada', form, 'key-1')
    expect(again).toEqual(one)
    if (again.type !== 'success') throw new Error('The group should have started.')
    const { messages } = await reads(await connects('bo'), again.channelId)
    expect(messages.map(({ text }) => text)).toEqual(['Only once'])
  })

  it.each([
    ['somebody unknown', { type: 'direct', userId: 'nobody', orgId: 'kiku' }],
    ['somebody who is not in that organization', direct('bo', 'solviento')],
    ['a colleague', direct('priya', 'northwind')],
    ['oneself', direct('ada', 'northwind')],
    ['oneself in a group', group('Me', ['ada', 'northwind'], ['bo', 'kiku'])],
  ])('[NEW-41] [NEW-53] refuses %s', async (_, form) => {
    expect(await starts('ada', form as Record<string, string>)).toEqual({ type: 'error', error: expect.any(String) })
  })

  it('[NEW-52] the first message is sent with the permissions of the starter, not of the product', async () => {
    const lucia = castMember('lucia').id
    const company = test.product.chat!.newClient()
    await company.createBlockList({ name: 'first-words', words: ['balderdash'] })
    await company.updateChannelType('messaging', {
      commands: ['all'],
      blocklist: 'first-words',
      blocklist_behavior: 'block',
    })
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => complaints.mockRestore())
    const says = (firstMessage: string) => starts('ada', { ...direct('lucia', 'solviento'), firstMessage })
    expect(await says('What balderdash')).toMatchObject({ type: 'error' })
    await says(`/ban @${lucia}`)
    const started = await says('Hola')
    if (started.type !== 'success') throw new Error('The chat should have started.')

    const { messages } = await reads(await connects('lucia'), started.channelId)
    expect(messages.map(({ text }) => text)).toEqual(['Hola'])
    const [type = '', id = ''] = started.channelId.split(':')
    const { members } = await company.channel(type, id).queryMembers({ id: lucia })
    expect(members[0]?.banned ?? false).toBe(false)
  })

  it('[NEW-53] refuses a person without chat access', async () => {
    expect(await starts('bo', direct('cleo', 'northwind'))).toEqual({
      type: 'error',
      error: 'This person cannot be reached through chat.',
    })
  })

  it('[NEW-23] [NEW-25] [NEW-41] reports errors in the words of the specification', async () => {
    const nameless = await starts('ada', group(' ', ['bo', 'kiku'], ['dana', 'hansenvogt']))
    expect(nameless).toEqual({ type: 'error', error: 'Group name is required' })
    const small = await starts('ada', group('Two', ['bo', 'kiku']))
    expect(small).toEqual({ type: 'error', error: 'You must select at least 2 users' })
  })

  it('[NEW-53] only people with whom its moderator may chat can be added to a group', async () => {
    const started = await starts('ada', group('Guests', ['bo', 'kiku'], ['dana', 'hansenvogt']))
    if (started.type !== 'success') throw new Error('The group should have started.')
    const { channelId } = started
    const brings = async (
      name: CastName,
      people: [userId: string, orgId: string][],
      fields: Record<string, string> = {},
    ) => {
      const selectedUsers = JSON.stringify(people.map(([userId, orgId]) => ({ userId, orgId })))
      const browser = await test.signedIn(name)
      const answer = await browser.call(addMembers, '/chat/api/addMembers', {
        form: { channelId, selectedUsers, ...fields },
      })
      return (await answer.json()) as AddMembersAnswer
    }
    const adds = (name: CastName, ...people: [userId: string, orgId: string][]) => brings(name, people)
    const mei = castMember('mei').id
    const incomplete = { type: 'error', error: 'This request is not complete. Reload the page and try again.' }
    for (const odd of ['', 'messaging', 'messaging:../app'])
      expect(await brings('ada', [[mei, 'kiku']], { channelId: odd })).toEqual(incomplete)
    expect(await adds('ada', ['\0', 'kiku'])).toEqual(incomplete)
    expect(await adds('ada', [mei, 'ki\0ku'])).toEqual(incomplete)
    // One forbidden person blocks the others, too.
    for (const [userId, orgId] of [
      ['nobody', 'kiku'],
      [mei, 'solviento'],
      [castMember('priya').id, 'northwind'],
    ] as const)
      expect(await adds('ada', [mei, 'kiku'], [userId, orgId])).toMatchObject({ type: 'error' })
    expect(await adds('bo', [mei, 'kiku'])).toEqual({
      type: 'error',
      error: 'Only a moderator of the group can add people.',
    })
    const before = [castMember('ada').id, castMember('bo').id, castMember('dana').id].sort()
    expect((await reads(await connects('dana'), channelId)).members).toEqual(before)

    expect(await adds('ada', [mei, 'kiku'])).toEqual({ type: 'success' })
    expect((await reads(await connects('mei'), channelId)).members).toEqual([...before, mei].sort())

    // An invited user joins by accepting, and sees the inviter.
    const lucia = castMember('lucia').id
    expect(await brings('ada', [[lucia, 'solviento']], { ask: 'true' })).toEqual({ type: 'success' })
    const [type = '', id = ''] = channelId.split(':')
    const asked = (await connects('lucia')).channel(type, id)
    await asked.watch()
    expect(asked.state.membership).toMatchObject({ status: 'pending', invited_by: castMember('ada').id })
  })

  it("[NEW-56] a group's moderators change it through the product, other members cannot, and no user changes a direct chat", async () => {
    const { channelId } = (await starts('ada', {
      ...group('Harbour', ['bo', 'kiku'], ['dana', 'hansenvogt']),
    })) as { channelId: string }
    const changes = async (name: CastName, form: Record<string, string>) => {
      const browser = await test.signedIn(name)
      const answer = await browser.call(changeGroup, '/chat/api/changeGroup', { form: { channelId, ...form } })
      return { status: answer.status, ...((await answer.json()) as ChangeGroupAnswer) }
    }
    const { ada, bo, dana, mei } = Object.fromEntries(
      (['ada', 'bo', 'dana', 'mei'] as const).map((name) => [name, castMember(name).id]),
    ) as Record<'ada' | 'bo' | 'dana' | 'mei', string>
    const everyChange: Record<string, string>[] = [
      { do: 'rename', name: 'Taken over' },
      { do: 'picture', image },
      { do: 'promote', userId: bo },
      { do: 'demote', userId: ada },
      { do: 'remove', userId: dana },
      { do: 'delete' },
    ]
    const now = async () => {
      const [type = '', id = ''] = channelId.split(':')
      const channel = test.product.chat!.newClient().channel(type, id)
      await channel.watch({ watch: false })
      const roles = Object.values(channel.state.members).map(({ user_id, channel_role }) => [user_id, channel_role])
      return { name: channel.data?.name, image: channel.data?.image, roles: roles.sort() }
    }
    const before = await now()
    for (const change of everyChange)
      for (const name of ['bo', 'mei'] as const) expect(await changes(name, change)).toMatchObject({ status: 403 })
    expect(await changes('cleo', { do: 'delete' })).toMatchObject({ status: 403 })
    for (const [form, error] of [
      [{ do: 'rename', name: ' ' }, 'Group name is required'],
      [{ do: 'rename', name: 'x'.repeat(256) }, expect.stringContaining('255')],
      [{ do: 'picture', image: 'http://pictures.example/tea.png' }, expect.stringContaining('https://')],
      [{ do: 'promote' }, expect.stringContaining('not complete')],
      [{ do: 'freeze' }, expect.stringContaining('not complete')],
      [{ do: 'rename', name: 'Odd', channelId: 'nowhere' }, expect.stringContaining('not complete')],
    ] as const)
      expect(await changes('ada', form as Record<string, string>)).toMatchObject({ status: 400, error })
    // Only members of the group can become moderators.
    expect(await changes('ada', { do: 'promote', userId: mei })).toMatchObject({ status: 403 })
    expect(await now()).toEqual(before)

    const changed: Record<string, string>[] = [
      { do: 'rename', name: ' Tea time ' },
      { do: 'picture', image },
      { do: 'promote', userId: bo },
    ]
    for (const change of changed) expect(await changes('ada', change)).toMatchObject({ status: 200 })
    expect(await changes('bo', { do: 'remove', userId: dana })).toMatchObject({ status: 200 })
    expect(await now()).toMatchObject({
      ...{ name: 'Tea time', image },
      roles: [
        [ada, 'channel_moderator'],
        [bo, 'channel_moderator'],
      ],
    })
    expect(await changes('ada', { do: 'picture', image: '' })).toMatchObject({ status: 200 })
    expect((await now()).image).toBeUndefined()
    expect(await changes('bo', { do: 'delete' })).toMatchObject({
      error: 'Only the person who founded the group can delete it for everybody.',
    })
    expect(await changes('ada', { do: 'demote', userId: bo })).toMatchObject({ status: 200 })
    expect(await changes('bo', { do: 'rename', name: 'Mine' })).toMatchObject({ status: 403 })

    // A direct chat has no moderator, whatever role a user once had.
    const { channelId: pair } = (await starts('ada', direct('bo', 'kiku'))) as { channelId: string }
    await test.product.chat!.makeModerator(pair, ada)
    for (const change of everyChange)
      expect(await changes('ada', { ...change, channelId: pair })).toMatchObject({ status: 403 })
    const selectedUsers = JSON.stringify([{ userId: mei, orgId: 'kiku' }])
    const browser = await test.signedIn('ada')
    const added = await browser.call(addMembers, '/chat/api/addMembers', { form: { channelId: pair, selectedUsers } })
    expect(added.status).toBe(403)

    expect(await changes('ada', { do: 'delete' })).toMatchObject({ status: 200 })
    expect(await changes('ada', { do: 'rename', name: 'Gone' })).toMatchObject({ type: 'error' })
  })

  it('[NEW-61] adding people and changing groups is rate-limited', async () => {
    const { channelId } = (await starts('samir', {
      ...group('Harbour', ['bo', 'kiku'], ['ada', 'northwind']),
    })) as { channelId: string }
    const { database } = test.product
    const samir = await test.signedIn('samir')
    const selectedUsers = JSON.stringify([{ userId: castMember('mei').id, orgId: 'kiku' }])
    const call = { form: { channelId, selectedUsers } }
    expect(await spend(database, ADDED_MEMBERS, castMember('samir').id, ADDED_MEMBERS.atOnce)).toBe(true)
    const added = await samir.call(addMembers, '/chat/api/addMembers', call)
    expect([added.status, await added.json()]).toEqual([
      429,
      {
        type: 'error',
        error:
          'Sie haben in kurzer Zeit viele Personen hinzugefügt. Warten Sie einige Minuten und versuchen Sie es erneut.',
      },
    ])
    expect(await spend(database, GROUP_CHANGES, castMember('samir').id, GROUP_CHANGES.atOnce)).toBe(true)
    const changed = await samir.call(changeGroup, '/chat/api/changeGroup', {
      form: { channelId, do: 'rename', name: 'Again' },
    })
    expect(changed.status).toBe(429)
  })

  it('starting chats is rate-limited, for each user separately', async () => {
    const tom = await test.signedIn('tom')
    const asks = (form: Record<string, string>) => tom.call(startNewChat, '/chat/api/startNewChat', { form })
    for (let count = 1; count < NEW_CHATS.atOnce; count++)
      await spend(test.product.database, NEW_CHATS, castMember('tom').id)
    // A failed start does not count.
    expect((await asks(direct('bo', 'nowhere'))).status).toBe(400)
    expect((await asks(direct('bo', 'kiku'))).status).toBe(200)

    const refused = await asks(direct('mei', 'kiku'))
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({
      type: 'error',
      error: 'You have started many chats in a short time. Wait a minute and try again.',
    })
    expect(await starts('samir', direct('bo', 'kiku'))).toMatchObject({ type: 'success' })
    // An existing chat does not count as new.
    for (const message of ['Still there?', ''])
      expect((await asks({ ...direct('bo', 'kiku'), firstMessage: message })).status).toBe(200)
  })

  it('[APP-6] a user without chat access cannot start a chat', async () => {
    expect(await starts('cleo', direct('bo', 'kiku'))).toMatchObject({ type: 'error' })
  })

  it("[NEW-45] the channel list has the user's channels, with a name each", async () => {
    await starts('rui', { ...direct('tom', 'northwind'), firstMessage: 'Olá!' })
    const rui = await test.signedIn('rui')
    const answer = await rui.call(channels, '/chat/api/channels', { form: {} })
    const { channels: listed }: { channels: ProductChannel[] } = await answer.json()
    expect(listed.map(({ name }) => name)).toEqual(['Tom Hadley'])
    expect(listed[0]?.face.id).toBe(castMember('tom').id)
    expect(listed[0]?.lastMessageAt).toMatch(/Z$/)
  })
})
