import type { Server } from '../../server.ts'
import { userWire } from '../users/user-wire.ts'
import { channelEvent } from './channel-wire.ts'

/** Above this many watchers, start and stop events are combined into one event every 5 s [messaging.md 2.6]. */
const GATHER_ABOVE = 100
const GATHER_MS = 5_000

/** Publishes to a channel's watchers when a user starts or stops watching [CHN-46, CHN-47]. */
export class Watching {
  #server: () => Server
  #failed: (error: unknown) => void
  #gathered = new Map<string, { userId: string; watching: boolean }>()
  constructor(server: () => Server, failed: (error: unknown) => void) {
    this.#server = server
    this.#failed = failed
  }

  changed(app: string, cid: string, userId: string, watching: boolean) {
    const key = `${app}|${cid}`
    if (this.#gathered.has(key)) {
      this.#gathered.set(key, { userId, watching })
      return
    }
    const { hub, clock } = this.#server()
    this.#publish(app, cid, userId, watching).catch(this.#failed)
    if (hub.watcherCount(app, cid) <= GATHER_ABOVE) return
    this.#gathered.set(key, { userId: '', watching })
    clock.after(GATHER_MS, () => {
      const last = this.#gathered.get(key)
      this.#gathered.delete(key)
      if (last && last.userId !== '') this.changed(app, cid, last.userId, last.watching)
    })
  }

  async #publish(app: string, cid: string, userId: string, watching: boolean) {
    const { apps, hub, clock, channels, users, presence } = this.#server()
    const [channel, user] = await Promise.all([channels.get(app, cid), users.get(app, userId)])
    if (!channel || !user || !apps.of(app).configOf(channel).connect_events) return
    const at = clock.micros()
    const type = watching ? 'user.watching.start' : 'user.watching.stop'
    const body = channelEvent(channel, type, at, {
      user: userWire(user, presence.isOnline(app, userId)),
      watcher_count: hub.watcherCount(app, cid),
    })
    // Each node publishes to its own watchers: it has seen the change itself.
    hub.sendToWatchers(app, cid, body, watching ? userId : undefined)
  }
}
