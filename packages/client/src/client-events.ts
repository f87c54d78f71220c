/**
 * How the client handles each event, and a restored connection; loaded while a page connects.
 * @see client.md 1.4, 1.5, 3.5
 */
import type { Channel } from './channels/channel.ts'
import type { ChannelContext } from './channels/channel-context.ts'
import { ended } from './channels/channel-state.ts'
import { receive } from './channels/receive.ts'
import { ownMuted } from './channels/state-changes.ts'
import type { ClientContext } from './client-context.ts'
import { Recovery } from './connection/recovery.ts'
import type { ChatEvent } from './events.ts'
import { Deliveries } from './reads/deliveries.ts'
import type { OwnUser } from './shapes.ts'
import type { ThreadsHandle } from './threads/threads.ts'
import { ownNow } from './users/public-user.ts'

export class ClientEvents {
  #context: ClientContext
  #threads: ThreadsHandle
  #recovery: Recovery
  #deliveries: Deliveries
  constructor(context: ClientContext, threads: ThreadsHandle) {
    this.#context = context
    this.#threads = threads
    this.#recovery = new Recovery(context)
    this.#deliveries = new Deliveries(context)
  }

  /**
   * First the state, then the listeners, then follow-up work: no listener gets an event before the state has changed.
   */
  dispatch(event: ChatEvent) {
    const cid = 'cid' in event && typeof event.cid === 'string' ? event.cid : undefined
    const active = cid === undefined ? undefined : this.#context.active.get(cid)
    const everywhere = isForAll(event)
    const reached = active ? [active] : everywhere ? [...this.#context.active.values()] : []
    // Also for a channel that is not known yet: a pending answer may have it.
    if (cid !== undefined || everywhere) for (const events of this.#context.noted) events.push(event)
    this.#receive(event)
    this.#threads.list?.receive(event)
    for (const context of reached) receive(context, event)
    this.#threads.list?.settle()
    this.#context.listeners.tell(event)
    active?.tell(event)
    if (cid === undefined) return
    this.#afterwards(event, cid)
    this.#threads.list?.settle()
    if (active && event.type === 'message.new') this.arrived(active.channel)
  }

  /** Sends delivery receipts, in channels that support them and unless the user has turned them off. */
  arrived(channel: Channel) {
    const { delivery_receipts } = this.#context.me()?.privacy_settings ?? {}
    const wanted = channel.data.own_capabilities?.includes('delivery-events') && delivery_receipts?.enabled !== false
    if (wanted) this.#deliveries.look(channel)
  }

  /** @param readsAgain  whether the client reloads its channels; otherwise the application does */
  async recover(readsAgain: boolean) {
    const generation = this.#context.generation()
    if (!readsAgain) this.#recovery.leave()
    else if (!(await this.#recovery.run())) return
    if (generation === this.#context.generation()) this.#context.tell({ type: 'connection.recovered' })
  }

  /** Called when a channel is watched, or is not to be watched any more. */
  settled(active: ChannelContext, isWatched: boolean) {
    this.#recovery.settled(active, isWatched)
  }

  cancel() {
    this.#recovery.cancel()
  }

  forget() {
    this.#recovery.forget()
    this.#deliveries.forget()
  }

  /** Applies an event to the user's state. */
  #receive(event: ChatEvent) {
    const { active, client, eventContext, merge, muteOf } = this.#context
    switch (event.type) {
      case 'notification.mutes_updated':
        merge({ mutes: event.me.mutes })
        break
      case 'notification.channel_mutes_updated':
        merge({ channel_mutes: event.me.channel_mutes })
        for (const { channel, change } of active.values())
          change((state) => ownMuted(state, muteOf(channel.cid), eventContext(channel.cid)))
        break
      case 'user.updated':
      case 'user.presence.changed':
      case 'user.deleted':
        if (event.user.id === client.userID) merge(ownNow(client.user, event.user))
        break
    }
    merge(countsIn(event))
  }

  #afterwards(event: ChatEvent, cid: string) {
    const active = this.#context.active.get(cid)
    if (!active) return
    switch (event.type) {
      case 'channel.deleted':
      case 'notification.channel_deleted':
        return this.#evict(active)
      case 'notification.removed_from_channel':
        if (!event.member || event.member.user_id === this.#context.client.userID) this.#evict(active)
        return
      case 'notification.message_new':
        // A watched channel would have got `message.new`: the server no longer watches it.
        if (!active.channel.initialized) return
        return void this.#watchAgain(active)
    }
  }

  async #watchAgain(active: ChannelContext) {
    const connection = this.#context.connectionID()
    try {
      await active.channel.watch()
    } catch (error) {
      this.#context.log('warn', `${active.channel.cid} could not be watched again.`, error)
      // The next connection reloads everything itself.
      if (connection === this.#context.connectionID()) this.#recovery.again(active)
    }
  }

  #evict(active: ChannelContext) {
    active.change(ended)
    this.settled(active, false)
    this.#context.active.delete(active.channel.cid)
  }
}

/** An event without a channel goes to all channels, except a read event of something else. */
function isForAll(event: ChatEvent): boolean {
  return !('cid' in event && event.cid) && !(event.type === 'notification.mark_read' && event.unread_channels)
}

/** The user's total counts, if an event has them; 0 is a valid count. */
function countsIn(event: ChatEvent): Partial<OwnUser> {
  const { total_unread_count, unread_channels, unread_threads } = event as unknown as Partial<OwnUser>
  return {
    ...(total_unread_count !== undefined && { total_unread_count, unread_count: total_unread_count }),
    ...(unread_channels !== undefined && { unread_channels }),
    ...(unread_threads !== undefined && { unread_threads }),
  }
}
