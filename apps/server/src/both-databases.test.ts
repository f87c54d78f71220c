/**
 * Random operations and queries, on SQLite and on PostgreSQL at the same time: the responses are equal.
 * A seed that once failed stays in the list.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { it } from 'vitest'
import { Chance } from './testing/chance.ts'
import { onBothStorages } from './testing/fixture.ts'
import { path } from './testing/test-user.ts'

const STEPS = 150
const START = Date.parse('2031-03-04T05:06:07Z')
const seeds = [7, 8]

const names = ['ada', 'bo', 'Bo', 'cy'] as const
const texts = ['Tea', 'tea time', 'Zoë', 'zoe', 'STRASSE', 'straße', '100%', 'a_b', 'привет Мир', '世界', '🙂 nice']
const hats = [0, 1.5, 10, true, null, 'a', 'B', 'Zoë', ['a', 1], { x: 'B', a: 1 }]

interface Call {
  /** The tenant's own server. */
  who: (typeof names)[number] | 'appServer'
  method: string
  at: string
  body?: object
  query?: Record<string, string>
}
const call = (who: Call['who'], method: string, at: string, body: object): Call => ({ who, method, at, body })
const get = (who: Call['who'], at: string, query: Record<string, string> = {}): Call => ({
  who,
  method: 'GET',
  at,
  query,
})
const find = (who: Call['who'], at: string, asked: object) => get(who, at, { payload: JSON.stringify(asked) })

onBothStorages((onSqlite, onPostgres) => {
  for (const [day, seed] of seeds.entries())
    it(`whatever is done and asked (seed ${seed}), both databases give the same answers`, async () => {
      const fixtures = [onSqlite, onPostgres]
      for (const { clock } of fixtures) clock.stop(START + day * 86_400_000)
      const appServers = await Promise.all(fixtures.map((fixture) => fixture.createApp(...names)))
      const nameless = appServers.map(() => new Nameless())
      const town = new Town(new Chance(seed))
      for (let step = 0; step < STEPS; step++) {
        // PostgreSQL reads small analyzed tables in physical order.
        if (step === STEPS / 3) await sql`analyze`.execute(onPostgres.nodes[0]!.server.database.write)
        for (const { clock } of fixtures) clock.advance(1_000)
        const next = town.next()
        const answers = []
        for (const [i, appServer] of appServers.entries()) {
          const { who, method, at, ...said } = nameless[i]!.named(next)
          const { status, body } = await appServer[who].call(method, at, said)
          assert.notEqual(body.code, -1, `${method} ${at} → ${JSON.stringify(body)}`)
          answers.push({ status, ...nameless[i]!.of(body) })
        }
        assert.deepEqual(answers[1], answers[0], `step ${step}: ${JSON.stringify(next)}`)
        town.learn(answers[0] as Answer)
      }
    })
})

interface Answer {
  message?: { id: string; type: string }
  poll?: { id: string; options: { id: string }[] }
}

/** The existing objects, and the next operation or query of a user. */
class Town {
  #chance: Chance
  #made = 0
  #messages: string[] = []
  #options: string[] = []
  #rooms = ['messaging:tea', 'messaging:Tea', 'team:a_b']
  #founding = this.#rooms.map((room, i) => {
    const data = { members: names.slice(0, 4 - i), created_by_id: 'ada', name: texts[i], hat: hats[i] }
    return call('appServer', 'POST', `${path(room)}/query`, { data })
  })
  constructor(chance: Chance) {
    this.#chance = chance
    const options = texts.slice(0, 3).map((text) => ({ text }))
    this.#founding.push(call('ada', 'POST', '/polls', { id: 'lunch', name: 'Lunch?', options }))
    const message = { id: 'vote', text: 'Vote!', poll_id: 'lunch' }
    this.#founding.push(call('ada', 'POST', `${path(this.#rooms[0]!)}/message`, { message }))
  }

  learn({ message, poll }: Answer) {
    if (message && message.type !== 'deleted' && !this.#messages.includes(message.id)) this.#messages.push(message.id)
    for (const { id } of poll?.options ?? []) if (!this.#options.includes(id)) this.#options.push(id)
  }

  next(): Call {
    return this.#founding.shift() ?? (this.#chance.next() < 0.6 ? this.#does() : this.#asks())
  }

  #does(): Call {
    const [who, other, third] = [this.#who(), this.#who(), this.#who()]
    const [room, message, text, hat] = [this.#room(), this.#message(), this.#text(), this.#chance.oneOf(hats)]
    const set = { text, hat, 'box.x': hat }
    const remind_at = new Date(START + this.#chance.below(9) * 3_600_000).toISOString()
    const says = (fields: object = {}): Call => {
      const body = { message: { id: `${this.#chance.oneOf(['m', 'M'])}-${++this.#made}`, text, ...fields } }
      return call(who, 'POST', `${path(room)}/message`, body)
    }
    return this.#chance.oneOf<() => Call>([
      () => says(),
      () => says({ hat, mentioned_users: [other], silent: this.#chance.next() < 0.2 }),
      () => says({ parent_id: message }),
      () => says({ parent_id: message, show_in_channel: true, quoted_message_id: message }),
      () => call(who, 'PUT', `/messages/${message}`, { set }),
      () => call(who, 'PUT', `/messages/${message}`, { set: { pinned: this.#chance.next() < 0.8 } }),
      () => ({ who, method: 'DELETE', at: `/messages/${message}` }),
      () => call(who, 'POST', `/messages/${message}/reaction`, { reaction: { type: 'love', n: hat } }),
      () => call(who, 'POST', `/messages/${message}/reaction`, { reaction: { type: 'Love' } }),
      () => call(who, 'POST', `/messages/${message}/reminders`, { remind_at }),
      () => call(who, 'POST', '/messages/vote/polls/lunch/vote', { vote: { option_id: this.#option() } }),
      () => call(who, 'POST', `${path(room)}/read`, {}),
      () => call(who, 'POST', `${path(room)}/read`, { thread_id: message }),
      () => call(who, 'POST', `${path(room)}/unread`, { message_id: message }),
      () => call(who, 'POST', `${path(room)}/draft`, { message: { text, hat } }),
      () => call(who, 'POST', `${path(room)}/hide`, { clear_history: this.#chance.next() < 0.2 }),
      () => call(who, 'POST', '/moderation/mute', { target_ids: [other, third] }),
      () => call(who, 'POST', '/moderation/unmute', { target_ids: [other, third] }),
      () => call(who, 'POST', '/moderation/mute/channel', { channel_cid: room, expiration: 60_000 }),
      () => call(who, 'PATCH', `${path(room)}/member/${who}`, { set: { pinned: true, hat } }),
      () => call('appServer', 'PATCH', path(room), { set: { name: text, hat } }),
      () => call('appServer', 'POST', '/users', { users: { [who]: { id: who, name: text, hat, box: { x: hat } } } }),
      () => call('appServer', 'POST', path(room), { [this.#chance.oneOf(['add_members', 'remove_members'])]: [who] }),
    ])()
  }

  #asks(): Call {
    const [who, room, message] = [this.#who(), this.#room(), this.#message()]
    const filter = this.#filter()
    const sort = [{ field: this.#chance.oneOf(['created_at', 'hat', 'box.x']), direction: this.#chance.oneOf([1, -1]) }]
    const page = { sort, limit: 1 + this.#chance.below(9) }
    const mine = { members: { $in: [who] } }
    const [type, id] = room.split(':') as [string, string]
    return this.#chance.oneOf<() => Call>([
      () => find(who, '/users', { filter_conditions: filter, ...page }),
      () => find('appServer', '/users', { filter_conditions: { id: who } }),
      () => find(who, '/members', { type, id, filter_conditions: filter, ...page }),
      () => find(who, '/search', { filter_conditions: mine, query: this.#text(), limit: page.limit }),
      () => find(who, '/search', { filter_conditions: mine, message_filter_conditions: filter, ...page }),
      () => find(who, `${path(room)}/pinned_messages`, { filter, ...page }),
      () => call(who, 'POST', '/channels', { filter_conditions: { $and: [mine, filter] }, ...page, state: true }),
      () => call(who, 'POST', '/threads', { watch: false, reply_limit: 3 }),
      () => call(who, 'POST', '/threads', { filter, ...page, watch: false }),
      () => call(who, 'POST', `/messages/${message}/reactions`, { sort: [{ field: 'type' }], limit: page.limit }),
      () => call(who, 'POST', '/polls/lunch/votes', { limit: page.limit }),
      () => call(who, 'POST', '/drafts/query', {}),
      () => call(who, 'POST', '/reminders/query', {}),
      () => call(who, 'POST', '/sync', { channel_cids: this.#rooms, last_sync_at: new Date(START).toISOString() }),
      () => get(who, '/unread'),
      () => get(who, `/messages/${message}/replies`, { limit: `${page.limit}` }),
    ])()
  }

  #filter(): object {
    const hat = this.#chance.oneOf([0, 1.5, true, null, 'a', 'B', 'Zoë'])
    const field = this.#chance.oneOf(['hat', 'box.x'])
    const operator = this.#chance.oneOf(['$eq', '$ne', '$gt', '$lte', '$in', '$nin', '$exists', '$contains'])
    const value = operator.endsWith('in') ? [hat, 10] : operator === '$exists' ? hat === null : (hat ?? 'a')
    return this.#chance.next() < 0.3 ? {} : { [field]: { [operator]: value } }
  }

  #who = () => this.#chance.oneOf(names)
  #room = () => this.#chance.oneOf(this.#rooms)
  #text = () => this.#chance.oneOf(texts)
  #option = () => this.#chance.oneOf(this.#options) ?? 'none'
  #message = () => this.#chance.oneOf(this.#messages.slice(-12)) ?? 'none'
}

/** Replaces ids the server generates by placeholders that are the same for all. */
class Nameless {
  #words = new Map<string, string>()

  of(answer: object): object {
    const text = JSON.stringify(answer, (key, value) =>
      key === 'duration'
        ? undefined
        : (key === 'next' || key === 'prev') && typeof value === 'string'
          ? placeOf(value)
          : value,
    )
    const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
    return JSON.parse(text.replace(uuid, (id) => this.#words.getOrInsertComputed(id, () => `id-${this.#words.size}`)))
  }

  /** The call, with the ids of this server. */
  named(call: Call): Call {
    const ids = new Map([...this.#words].map(([id, word]) => [word, id]))
    return JSON.parse(JSON.stringify(call).replace(/id-\d+/g, (word) => ids.get(word) ?? word))
  }
}

/** The place that a cursor names, without the check that binds it to a list of this server's own app. */
function placeOf(cursor: string): unknown[] {
  const [, ...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  return place
}
