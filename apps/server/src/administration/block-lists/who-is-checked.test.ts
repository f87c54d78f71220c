import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { onSqlite } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

/** A list of each kind, with a text that it matches. */
const kinds = {
  word: { words: ['contraband'], text: 'Cheap contraband!' },
  regex: { words: ['con.?tra.?band'], text: 'Cheap con-tra-band!' },
  domain: { words: ['contraband.example'], text: 'See https://shop.contraband.example/new' },
  email: { words: ['contraband.example'], text: 'Write to ann@contraband.example' },
} as const
type Kind = keyof typeof kinds

/** Who writes, and whether block lists apply to them [administration.md 5.2]. */
const writers = {
  guest: true,
  user: true,
  'founder of the channel': true,
  channel_moderator: false,
  moderator: false,
  admin: false,
  'the app’s server, for a user': false,
} as const
type Writer = keyof typeof writers

const behaviors = ['flag', 'shadow_block', 'block'] as const
type Behavior = (typeof behaviors)[number]

const acts = ['message', 'reply', 'edit', 'first message of a new group'] as const
type Act = (typeof acts)[number]

/** Edits have been read before, so whatever does not just flag them stops them. */
function expected(writer: Writer, behavior: Behavior, act: Act): string {
  if (!writers[writer]) return 'sent'
  if (behavior === 'flag') return 'sent and flagged'
  return behavior === 'block' || act === 'edit' ? 'stopped and flagged' : 'sent to its author alone and flagged'
}

onSqlite((fixture) => {
  it.each(behaviors)(
    '[BLK-5] who writes decides whether a list applies, and not what is written where: %s',
    async (behavior) => {
      const { appServer, bo, ...people } = await fixture.createApp(
        'bo',
        'ada',
        'founder',
        'lead',
        'mo',
        'max',
        'gus',
        'una',
      )
      const { ada, founder, lead, mo, max, gus, una } = people
      const roles = { mo: 'moderator', max: 'admin', gus: 'guest' }
      const users = Object.entries(roles).map(([id, role]) => [id, { id, role }])
      await appServer.does('POST', '/users', { body: { users: Object.fromEntries(users) } })
      for (const [type, { words }] of Object.entries(kinds))
        await appServer.does('POST', '/blocklists', { body: { name: type, type, words } })
      const blocklists = Object.keys(kinds).map((blocklist) => ({ blocklist, behavior }))
      await appServer.does('PUT', '/channeltypes/messaging', { body: { blocklists } })

      const everybody = [bo, ada, founder, mo, max, gus, una].map(({ id }) => ({ user_id: id }))
      const leads = (user: TestUser) => ({ user_id: user.id, channel_role: 'channel_moderator' })
      const opens = async (creator: TestUser, members: object[]) => {
        const body = { data: { created_by_id: creator.id, members } }
        return (await appServer.does('POST', `/channels/messaging/${crypto.randomUUID()}/query`, { body })).channel.cid
      }
      const room: string = await opens(founder, [...everybody, leads(lead)])
      const author: Record<Writer, TestUser> = {
        guest: gus,
        user: ada,
        'founder of the channel': founder,
        channel_moderator: lead,
        moderator: mo,
        admin: max,
        'the app’s server, for a user': una,
      }

      for (const writer of Object.keys(writers) as Writer[])
        for (const kind of Object.keys(kinds) as Kind[])
          for (const act of acts) {
            // Guests may not edit by default.
            if (writer === 'guest' && act === 'edit') continue
            const user = author[writer]
            const isServer = writer === 'the app’s server, for a user'
            const by = isServer ? { who: appServer, as: { user_id: user.id } } : { who: user, as: {} }
            const sends = async (cid: string, text: string, fields: object = {}): Promise<Message> =>
              (await by.who.does('POST', `${path(cid)}/message`, { body: { message: { text, ...fields, ...by.as } } }))
                .message
            const { text } = kinds[kind]
            let cid = room
            let message: Message
            if (act === 'message') message = await sends(room, text)
            else if (act === 'reply') message = await sends(room, text, { parent_id: (await sends(room, 'Fine')).id })
            else if (act === 'edit') {
              const { id } = await sends(room, 'Fine')
              message = (await by.who.does('PUT', `/messages/${id}`, { body: { set: { text }, ...by.as } })).message
            } else {
              const own = writer === 'channel_moderator' ? leads(user) : { user_id: user.id }
              cid = await opens(user, [own, { user_id: bo.id }])
              message = await sends(cid, text)
            }
            const outcome = [
              await outcomeOf(message, text, bo),
              (await isFlagged(appServer, cid, message)) && 'flagged',
            ]
            assert.equal(
              outcome.filter(Boolean).join(' and '),
              expected(writer, behavior, act),
              `${writer}, ${kind}, ${act}`,
            )
          }
    },
    120_000,
  )
})

async function outcomeOf({ id, type, text: now }: Message, text: string, other: TestUser): Promise<string> {
  const seen = await other.call('GET', `/messages/${id}`)
  const isSeen = seen.status === 200 && seen.body.message.text === text
  if (type === 'error') return isSeen ? 'stopped, but seen' : 'stopped'
  assert.equal(now, text)
  return isSeen ? 'sent' : 'sent to its author alone'
}

/** Whether moderators find it; what was stopped is not stored, as what was deleted. */
async function isFlagged(appServer: AppServer, cid: string, { id }: Message): Promise<boolean> {
  const payload = JSON.stringify({ filter_conditions: { channel_cid: cid }, limit: 100, show_deleted_messages: true })
  const { flags } = await appServer.does('GET', '/moderation/flags/message', { query: { payload } })
  return flags.some((flag: { target_message_id: string }) => flag.target_message_id === id)
}
