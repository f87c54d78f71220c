/** Users who keep chatting while servers fail, and the report of what became of their messages. */
import { setTimeout } from 'node:timers/promises'
import type { Channel, ChatClient } from '@parley/client'
import { ChatClient as Client } from '@parley/client'
import type { ChatClient as ServerClient } from '@parley/client/server'
import { MESSAGES_PAGE } from '@parley/protocol/limits'
import { until } from './chatter.ts'
import { ANSWERED_WITHIN_MS } from './stack.ts'

/** Pause between two messages of one user. */
const PAUSE_MS = 100
const PAGE = 300

interface Talker {
  id: string
  client: ChatClient
  channel: Channel
  /** How often each message was delivered. */
  told: Map<string, number>
}

export interface Account {
  acknowledged: number
  /** Calls that failed or got no answer. */
  failed: number
  /** Acknowledged messages that are missing. */
  lost: number
  /** Messages that were stored or delivered more than once. */
  doubled: number
  /** Users who see the messages in the wrong order. */
  misordered: number
  /** Users who see fewer or more messages than are stored. */
  behind: number
}

/** A report without any fault; only the number of failed calls varies. */
export const whole = { lost: 0, doubled: 0, misordered: 0, behind: 0 }

export class BusyRoom {
  #server: ServerClient
  #id: string
  #talkers: Talker[] = []
  #acknowledged = new Set<string>()
  failures: unknown[] = []
  #isOver = false
  #talking: Promise<void>[] = []
  private constructor(server: ServerClient, id: string) {
    this.#server = server
    this.#id = id
  }

  /** @param url where users and the app's server reach the chat servers */
  static async open(server: ServerClient, key: string, url: string, people: readonly string[]): Promise<BusyRoom> {
    await server.upsertUsers(people.map((id) => ({ id, name: id })))
    const id = `busy-${Math.random().toString(36).slice(2)}`
    await server.channel('messaging', id, { created_by_id: people[0]!, members: [...people] }).create()
    const room = new BusyRoom(server, id)
    for (const person of people) {
      const client = new Client(key, { baseURL: url, timeout: ANSWERED_WITHIN_MS })
      const told = new Map<string, number>()
      client.on((event) => {
        if (event.type === 'message.new') told.set(event.message.id, (told.get(event.message.id) ?? 0) + 1)
      })
      await client.connectUser({ id: person }, server.createToken(person))
      const channel = client.channel('messaging', id)
      await channel.watch()
      room.#talkers.push({ id: person, client, channel, told })
    }
    return room
  }

  begin() {
    this.#talking = this.#talkers.flatMap((talker) => [this.#talk(talker), this.#look(talker)])
  }

  /** Resolves when that many more messages were acknowledged: the fault is over. */
  async goesOn(more = 20) {
    const count = this.#acknowledged.size + more
    await until(`${more} more messages`, () => this.#acknowledged.size >= count)
  }

  /** Resolves when that many more calls have failed. */
  async failsOn(more = 5) {
    const count = this.failures.length + more
    await until(`${more} more failed calls`, () => this.failures.length >= count)
  }

  /** Ends the conversation, waits until every user has every message, and prints and returns the report's table row. */
  async accountOf(fault: string): Promise<Account> {
    const account = await this.#account()
    const { acknowledged, failed, lost, doubled, misordered, behind } = account
    console.log(`| ${fault} | ${[acknowledged, failed, lost, doubled, misordered, behind].join(' | ')} |`)
    return account
  }

  async #account(): Promise<Account> {
    this.#isOver = true
    await Promise.all(this.#talking)
    const ids = await this.#all()
    const texts = new Set(ids)
    const seen = ({ channel }: Talker) =>
      channel.snapshot().messages.flatMap(({ id, status }) => (status === 'received' ? id : []))
    // Without a gap, to the end; a client may have evicted older history, which it loads again on scrolling.
    const isUpToDate = (talker: Talker) => {
      const shown = new Set(seen(talker))
      const length = Math.max(shown.size, Math.min(MESSAGES_PAGE, ids.length))
      return shown.size === length && ids.slice(-length).every((id) => shown.has(id))
    }
    await until('everybody to be up to date', () => this.#talkers.every(isUpToDate)).catch(() => {})
    const order = new Map(ids.map((id, i) => [id, i]))
    const isInOrder = (talker: Talker) => {
      const places = seen(talker).map((id) => order.get(id) ?? -1)
      return places.every((place, i) => i === 0 || place > places[i - 1]!)
    }
    const twice = new Set(
      this.#talkers.flatMap(({ told }) => [...told].flatMap(([id, times]) => (times > 1 ? id : []))),
    )
    return {
      acknowledged: this.#acknowledged.size,
      failed: this.failures.length,
      lost: [...this.#acknowledged].filter((id) => !texts.has(id)).length,
      doubled: ids.length - texts.size + twice.size,
      misordered: this.#talkers.filter((talker) => !isInOrder(talker)).length,
      behind: this.#talkers.filter((talker) => !isUpToDate(talker)).length,
    }
  }

  async close() {
    this.#isOver = true
    await Promise.all(this.#talking)
    await Promise.all(this.#talkers.map(({ client }) => client.disconnectUser()))
  }

  async #talk({ id, channel }: Talker) {
    for (let i = 0; !this.#isOver; i++) {
      try {
        const { message } = await channel.sendMessage({ text: `${id} ${i}` })
        this.#acknowledged.add(message.id)
      } catch (error) {
        this.failures.push(error)
      }
      await setTimeout(PAUSE_MS)
    }
  }

  /** Keeps making read calls, too. */
  async #look({ client }: Talker) {
    while (!this.#isOver) {
      await client.getUnreadCount().catch((error) => this.failures.push(error))
      await setTimeout(3 * PAUSE_MS)
    }
  }

  /** The ids of all stored messages, oldest first, from the server. */
  async #all(): Promise<string[]> {
    const ids: string[] = []
    for (;;) {
      const body = { state: true, messages: { limit: PAGE, ...(ids[0] && { id_lt: ids[0] }) } }
      const answer = (await this.#server.request('POST', `/channels/messaging/${this.#id}/query`, { body })) as {
        messages: { id: string }[]
      }
      ids.unshift(...answer.messages.map(({ id }) => id))
      if (answer.messages.length < PAGE) return ids
    }
  }
}
