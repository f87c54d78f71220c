import { describe, expect, it } from 'vitest'
import { groupNameError, LONGEST_GROUP_NAME, MINIMUM_SELECTED, readStartChat, selectionError } from './start-chat.ts'

const chatUrl = 'http://127.0.0.1:3100'

const pairs = [
  { userId: 'bo', orgId: 'kiku' },
  { userId: 'dana', orgId: 'hansenvogt' },
]

function form(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

function group(fields: Record<string, string> = {}) {
  return readStartChat(
    form({ type: 'group', groupName: 'Tea', selectedUsers: JSON.stringify(pairs), ...fields }),
    chatUrl,
  )
}

describe('the payload of a direct chat', () => {
  it('[NEW-15] [NEW-16] [NEW-17] contains the person, the organization and the first message', () => {
    const image = 'https://pictures.example/tea.png'
    const fields = { type: 'direct', userId: 'bo', orgId: 'kiku', firstMessage: 'Hi!', firstMessageImageUrl: image }
    expect(readStartChat(form(fields), chatUrl)).toEqual({
      ok: true,
      value: { type: 'direct', userId: 'bo', orgId: 'kiku', firstMessage: 'Hi!', firstMessageImageUrl: image },
    })
  })

  it.each([undefined, 'broadcast'])('[NEW-15] [NEW-18] is neither direct nor a group, and refused: %s', (type) => {
    const fields = { userId: 'bo', orgId: 'kiku', groupName: 'Tea', selectedUsers: JSON.stringify(pairs) }
    expect(readStartChat(form({ ...fields, ...(type && { type }) }), chatUrl)).toEqual({
      ok: false,
      error: { reason: 'startChat.payload' },
    })
  })

  it.each([
    { type: 'direct', orgId: 'kiku' },
    { type: 'direct', userId: 'bo' },
    { type: 'direct', userId: ' ', orgId: 'kiku' },
  ])('[NEW-22] is refused without a person or an organization: %o', (fields) => {
    expect(readStartChat(form(fields as Record<string, string>), chatUrl)).toEqual({
      ok: false,
      error: { reason: 'startChat.payload' },
    })
  })

  it.each(['javascript:alert(1)', 'http://elsewhere.example/tea.png', 'http://127.0.0.1:3100@evil.example/tea.png'])(
    'is refused with a picture that is neither uploaded nor under https: %s',
    (firstMessageImageUrl) => {
      const fields = { type: 'direct', userId: 'bo', orgId: 'kiku', firstMessageImageUrl }
      expect(readStartChat(form(fields), chatUrl)).toEqual({ ok: false, error: { reason: 'startChat.image' } })
    },
  )

  it('accepts a picture uploaded to the chat server, whatever its address', () => {
    const firstMessageImageUrl = `${chatUrl}/files/abc/tea.png?Expires=1`
    const fields = { type: 'direct', userId: 'bo', orgId: 'kiku', firstMessageImageUrl }
    expect(readStartChat(form(fields), chatUrl)).toMatchObject({ ok: true, value: { firstMessageImageUrl } })
  })
})

describe('the payload of a group', () => {
  it('[NEW-18] [NEW-19] [NEW-20] [NEW-21] contains a name, the pairs as JSON and the first message', () => {
    const image = 'https://pictures.example/tea.png'
    expect(group({ firstMessage: 'Hi all', firstMessageImageUrl: image })).toEqual({
      ok: true,
      value: {
        type: 'group',
        groupName: 'Tea',
        selectedUsers: pairs,
        firstMessage: 'Hi all',
        firstMessageImageUrl: image,
      },
    })
  })

  it.each(['', ' \t\u2003'])('[NEW-23] [NEW-30] is refused without a name: "%s"', (groupName) => {
    expect(group({ groupName })).toEqual({ ok: false, error: { reason: 'group.nameRequired' } })
  })

  it('[NEW-24] [NEW-30] counts the name in graphemes', () => {
    const family = '👩‍👩‍👧‍👦'
    expect(groupNameError(family.repeat(LONGEST_GROUP_NAME))).toBeUndefined()
    expect(groupNameError(family.repeat(LONGEST_GROUP_NAME + 1))).toEqual({ reason: 'group.nameTooLong', max: 255 })
  })

  it('[NEW-25] [NEW-26] needs two people besides its creator', () => {
    expect(MINIMUM_SELECTED).toBe(2)
    expect(group({ selectedUsers: JSON.stringify(pairs.slice(1)) })).toEqual({
      ok: false,
      error: { reason: 'group.minimum', min: 2 },
    })
    expect(selectionError(2)).toBeUndefined()
  })

  it.each([
    '',
    'bo,dana',
    '{"userId":"bo"}',
    '[["bo","kiku"]]',
    '[{"userId":"bo"}]',
    '[null,null]',
    '[{"userId":"\\u0000","orgId":"kiku"}]',
  ])('[NEW-53] is refused when the selection is not JSON of pairs: %s', (selectedUsers) => {
    expect(group({ selectedUsers })).toEqual({ ok: false, error: { reason: 'startChat.payload' } })
  })

  it('[NEW-53] is refused when a person is selected twice, even through two organizations', () => {
    const twice = [...pairs, { userId: 'bo', orgId: 'northwind' }]
    expect(group({ selectedUsers: JSON.stringify(twice) })).toEqual({ ok: false, error: { reason: 'startChat.twice' } })
  })
})
