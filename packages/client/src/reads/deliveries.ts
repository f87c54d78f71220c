/** Delivery receipts; loaded when a channel first needs them [client.md 5.5]. */
import { DELIVERED_PER_CALL } from '@parley/protocol/limits'
import type { Channel } from '../channels/channel.ts'
import { own } from '../channels/channel-state.ts'
import type { ClientContext } from '../client-context.ts'
import { DELIVERIES_EVERY_MS } from '../limits.ts'

export class Deliveries {
  #context: ClientContext
  /** The newest message of each channel still to be reported as delivered. */
  #arrived = new Map<string, string>()
  /** The newest message reported of each channel. */
  #reported = new Map<string, string>()
  #cancel: (() => void) | undefined
  constructor(context: ClientContext) {
    this.#context = context
  }

  /** Called when a channel may have new messages. The user's own messages and known ones are not reported. */
  look(channel: Channel) {
    const me = this.#context.client.userID
    const newest = channel.lastMessage()
    if (me === undefined || newest?.status !== 'received' || newest.user.id === me) return
    if (this.#reported.get(channel.cid) === newest.id) return
    const known = own(channel.state.read, me)?.last_delivered_at
    if (known && known >= newest.created_at) return
    this.#arrived.set(channel.cid, newest.id)
    this.#reportSoon()
  }

  forget() {
    this.#cancel?.()
    this.#cancel = undefined
    this.#arrived.clear()
    this.#reported.clear()
  }

  #reportSoon() {
    this.#cancel ??= this.#context.clock.after(DELIVERIES_EVERY_MS, () => this.#report())
  }

  #report() {
    this.#cancel = undefined
    const messages = [...this.#arrived].slice(0, DELIVERED_PER_CALL).map(([cid, id]) => ({ cid, id }))
    for (const { cid, id } of messages) {
      this.#reported.set(cid, id)
      this.#arrived.delete(cid)
    }
    if (this.#arrived.size > 0) this.#reportSoon()
    const { client, log } = this.#context
    // Not `markChannelsDelivered`, which would have to be loaded for this.
    const body = { latest_delivered_messages: messages }
    client.request('POST', '/channels/delivered', { body }).catch((error) => {
      log('warn', 'Deliveries were not sent.', error)
      // The next check of the channel reports it again.
      for (const { cid, id } of messages) if (this.#reported.get(cid) === id) this.#reported.delete(cid)
    })
  }
}
