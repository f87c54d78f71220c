import type { Connection } from '@parley/client'

/** The state of the connection as shown to the user. */
export type ConnectionView = 'fine' | 'reconnecting' | 'offline' | 'fatal'

/**
 * @param online         the last announced state: the loss is announced 5 s late, the reconnect at once
 * @param deviceOffline  the device itself has no network
 */
export function connectionView(connection: Connection, online: boolean, deviceOffline: boolean): ConnectionView {
  // Closed with an error is final: the client does not reconnect until the page is reloaded [TOA-8].
  if (connection.at === 'closed' && connection.error) return 'fatal'
  if (online) return 'fine'
  return deviceOffline ? 'offline' : 'reconnecting'
}
