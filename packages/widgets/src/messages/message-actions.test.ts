import type { Channel, LocalMessage } from '@parley/client'
import { describe, expect, it } from 'vitest'
import { defaults } from '../preferences/preferences.ts'
import type { Pressed, ShortcutsSet } from '../shortcuts/shortcuts.ts'
import { offeredActions } from './message-actions.ts'
import { actionsOfKey } from './message-keys.ts'

const everything = [
  'send-message',
  'send-reaction',
  'quote-message',
  'update-own-message',
  'update-any-message',
  'pin-message',
  'read-events',
  'delete-own-message',
  'delete-any-message',
  'ban-channel-members',
]

const said = (who: string, fields: Partial<LocalMessage> = {}) =>
  ({
    id: who,
    user: { id: who },
    created_at: new Date('2026-06-10T09:00:00Z'),
    type: 'regular',
    status: 'received',
    text: 'Hi',
    attachments: [],
    pinned: false,
    ...fields,
  }) as LocalMessage

function offered(message: LocalMessage, capabilities: string[], newer = 0, waiting: LocalMessage[] = []) {
  const members = { ada: { user: { id: 'ada' } }, bo: { user: { id: 'bo' } } }
  const sent = (id: string) => said('bo', { id, created_at: new Date('2026-06-10T10:00:00Z') })
  const messages = [message, ...Array.from({ length: newer }, (_, i) => sent(`newer-${i}`))]
  const channel = {
    snapshot: () => ({
      data: { id: 'x', own_capabilities: capabilities },
      members,
      messages,
      sets: [{ messages, latest: true }],
      pending_messages: waiting,
    }),
  } as unknown as Channel
  return offeredActions('ada', channel, message, { threads: true })
}
/** In a conversation without any other member. */
function offeredTo(messages: LocalMessage[], message: LocalMessage) {
  const sets = [{ messages, latest: true }]
  const state = {
    data: { id: 'x', own_capabilities: everything },
    members: {},
    messages,
    sets,
    pending_messages: [],
  }
  const channel = { snapshot: () => state } as unknown as Channel
  return offeredActions('ada', channel, message).map(({ action }) => action)
}
const names = (...given: Parameters<typeof offered>) => offered(...given).map(({ action }) => action)

describe('[PERM-5] the menu of a message', () => {
  it('to a member: all of one’s own, and to reply to, pin and mark those of others', () => {
    const member = everything.filter((capability) => !/any|ban/.test(capability))
    expect(names(said('ada'), member)).toEqual(['react', 'reply', 'edit', 'copy', 'pin', 'pinFor', 'delete'])
    expect(names(said('bo'), member)).toEqual(['react', 'reply', 'copy', 'pin', 'pinFor', 'markUnread', 'mute'])
  })

  it('to the author of a link: to remove its preview, and to no other user', () => {
    const link = { attachments: [{ og_scrape_url: 'https://example.com', title: 'Tea' }] }
    expect(names(said('ada', link), everything)).toContain('dropPreview')
    expect(names(said('bo', link), everything)).not.toContain('dropPreview')
    expect(names(said('ada', { attachments: [{ type: 'file', title: 'Tea' }] }), everything)).not.toContain(
      'dropPreview',
    )
  })

  it('to a moderator: also to delete messages of others, for good if need be', () => {
    expect(names(said('bo'), everything)).toEqual([
      'react',
      'reply',
      'copy',
      'pin',
      'pinFor',
      'markUnread',
      'mute',
      'ban',
      'delete',
      'deleteForGood',
    ])
  })

  it('of a message held back by the app’s server: to copy and to delete it', () => {
    const message = said('ada')
    expect(names(message, everything, 0, [message])).toEqual(['copy', 'deleteForGood'])
  })

  it('without capabilities: to copy, and to mute the author', () => {
    expect(names(said('bo'), [])).toEqual(['copy', 'mute'])
    expect(names(said('ada'), [])).toEqual(['copy'])
  })

  it.each([
    ['react', 'send-reaction'],
    ['reply', 'quote-message'],
    ['thread', 'send-reply'],
    ['pin', 'pin-message'],
    ['pinFor', 'pin-message'],
    ['markUnread', 'read-events'],
    ['flag', 'flag-message'],
    ['ban', 'ban-channel-members'],
    ['delete', 'delete-any-message'],
    ['deleteForGood', 'delete-any-message'],
  ] as const)('%s needs %s', (action, capability) => {
    expect(names(said('bo'), ['send-message', capability])).toContain(action)
    const others = [...everything, 'send-reply', 'flag-message'].filter((one) => one !== capability)
    expect(names(said('bo'), others)).not.toContain(action)
    expect(names(said('bo'), [])).not.toContain(action)
  })

  it('where sending is forbidden: no reply and no edit', () => {
    const all = everything.filter((capability) => capability !== 'send-message')
    for (const who of ['ada', 'bo']) {
      expect(names(said(who), all)).not.toContain('reply')
      expect(names(said(who), all)).not.toContain('edit')
    }
    // The other one is deleted.
    const gone = said('bo', { user: { id: 'bo', deleted_at: '2026-01-05T08:30:17Z' } } as Partial<LocalMessage>)
    expect(offeredTo([gone], said('ada'))).not.toContain('edit')
  })

  it('of a deleted message: only to delete its placeholder, and the actions on its author', () => {
    const all = [...everything, 'send-reply', 'flag-message']
    expect(names(said('bo', { type: 'deleted' }), all)).toEqual(['mute', 'ban', 'deleteForGood'])
    expect(names(said('ada', { type: 'deleted' }), all)).toEqual(['deleteForGood'])
  })

  it('of a message that was never sent: to retry unless that is hopeless, to edit, and to drop it', () => {
    const failed = { status: 'failed', attempt: 'send' } as const
    expect(names(said('ada', failed), everything)).toEqual(['retry', 'resend', 'copy', 'delete'])
    const refused = { ...failed, error: { status: 403, message: 'No.', retry: false } }
    expect(names(said('ada', refused), everything)).toEqual(['resend', 'copy', 'delete'])
  })
})

describe('about the author', () => {
  const state = (banned: boolean) => ({
    data: { id: 'x', own_capabilities: ['ban-channel-members'] },
    messages: [],
    sets: [],
    pending_messages: [],
    members: { bo: { user_id: 'bo', banned } },
  })
  const about = (banned: boolean, mutedIds: string[]) =>
    offeredActions('ada', { snapshot: () => state(banned) } as unknown as Channel, said('bo'), { mutedIds })
      .map(({ action }) => action)
      .filter((action) => action !== 'copy')

  it('[MOD-15][MOD-16] offers an action that is not done yet, else its inverse', () => {
    expect(about(false, [])).toEqual(['mute', 'ban'])
    expect(about(true, ['bo'])).toEqual(['unmute', 'unban'])
  })
})

it('[READ-17] only one of the newest 100 messages can be marked unread; the others give the reason', () => {
  const unread = (newer: number) =>
    offered(said('bo'), everything, newer).find(({ action }) => action === 'markUnread')?.tooOld
  expect(unread(99)).toBeUndefined()
  expect(unread(100)).toBe(true)
})

it('[READ-17] a message whose age is not known is left to the server', () => {
  const old = said('bo')
  const sets = [
    { messages: [old], latest: false, current: true },
    { messages: [said('cy', { created_at: new Date('2026-06-10T11:00:00Z') })], latest: true, current: false },
  ]
  const state = {
    data: { id: 'x', own_capabilities: everything },
    members: {},
    messages: [],
    sets,
    pending_messages: [],
  }
  const channel = { snapshot: () => state } as unknown as Channel
  const [offer] = offeredActions('ada', channel, old).filter(({ action }) => action === 'markUnread')
  expect(offer).toEqual({ action: 'markUnread' })
})

it('a letter alone runs its action, by the character and not with Ctrl', () => {
  const asks = (key: string, fields: Partial<Pressed> = {}, set: ShortcutsSet = defaults) =>
    actionsOfKey({ code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...fields, key }, set)
  expect(asks('R')).toEqual(['reply'])
  expect(asks('к', { code: 'KeyR' })).toEqual(['reply'])
  expect(asks('+', { shiftKey: true })).toEqual(['react'])
  expect(asks('R', { ctrlKey: true })).toEqual([])
  expect(asks('R', { metaKey: true })).toEqual([])
  expect(asks('R', { altKey: true })).toEqual([])
  expect(asks('x', {}, { shortcuts: true, keys: { pin: 'X' } })).toEqual(['pin', 'unpin'])
  expect(asks('p', {}, { shortcuts: true, keys: { pin: '' } })).toEqual([])
  const asked = ['t', 'e', '+', 'p', 'u', 'c', 'l', 'f', 'Delete', 'x'].map((key) => asks(key))
  const actions = [['thread'], ['edit'], ['react'], ['pin', 'unpin'], ['markUnread'], ['copy'], ['copyLink'], ['flag']]
  expect(asked).toEqual([...actions, ['delete'], []])
})
