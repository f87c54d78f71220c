import type { Connection } from './connection.ts'

/** Where a connected user stands in one channel. */
export interface Standing {
  /** Event number this was read at; older events have no further effect on it. */
  seq: number
  /** Ordinal of the last message the user has read. */
  ordinal: number
  unread: number
  /** A pending invitee, or a channel without read events: nothing counts. */
  counts: boolean
}

/**
 * A user with at least one connection here: the connections, the channels, and the unread totals.
 *
 * The totals are read once, at connect, and then follow the events, so that sending a message costs no
 * query per receiver [design.md 5].
 */
export class OnlineUser {
  readonly app: string
  readonly id: string
  readonly connections = new Set<Connection>()
  readonly channels = new Map<string, Standing>()
  totals = { unread: 0, channels: 0 }
  constructor(app: string, id: string) {
    this.app = app
    this.id = id
  }

  enter(cid: string, standing: Standing) {
    this.leave(cid)
    this.channels.set(cid, standing)
    this.totals.unread += standing.unread
    if (standing.unread > 0) this.totals.channels += 1
  }

  leave(cid: string) {
    this.setUnread(cid, 0)
    this.channels.delete(cid)
  }

  setUnread(cid: string, unread: number) {
    const standing = this.channels.get(cid)
    if (!standing || standing.unread === unread) return
    if (standing.unread === 0) this.totals.channels += 1
    if (unread === 0) this.totals.channels -= 1
    this.totals.unread += unread - standing.unread
    standing.unread = unread
  }
}
