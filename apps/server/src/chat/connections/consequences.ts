import type { UserRow } from '../../platform/database/tables.ts'
import type { Change, Consequences } from '../../platform/realtime/after-commit.ts'
import type { Server } from '../../server.ts'
import { publishCapabilitiesIn, publishCapabilitiesOf } from '../channels/publish-capabilities.ts'
import { reloadUnreadStatesIn } from '../reads/counting.ts'
import { sendUserEvent } from '../users/own-user.ts'

/** What commits mean to connected clients: of changed rights they learn first, and then receive no more than these allow. */
export const consequences: Consequences = {
  async channelChanged(server, was) {
    await publishCapabilitiesIn(server, was)
    await reloadUnreadStatesIn(server, was)
  },
  async userChanged(server, user, change) {
    const shown = show(server, user, change)
    const ranked = change.ranked ? reloadRights(server, user) : undefined
    server.gateway.userChanged(user)
    await Promise.all([shown, ranked])
  },
}

/** Publishes the change to clients on this node that know the user; becoming invisible looks like leaving. */
async function show(server: Server, user: UserRow, { veiled }: Change) {
  const online = server.presence.isOnline(user.app, user.id)
  server.hub.setInvisible(user.app, user.id, user.invisible === 1)
  const at = server.clock.micros()
  await sendUserEvent(server, user, { type: 'user.updated', at: user.updated_at, online })
  if (veiled && online) await sendUserEvent(server, user, { type: 'user.presence.changed', at, online: true })
}

/** A user's lost rights are published first; in channels they may no longer read, they receive nothing else. */
async function reloadRights(server: Server, user: UserRow) {
  await publishCapabilitiesOf(server, user)
  await server.hub.reloadUnreadStatesOfUsers(user.app, [user.id])
}
