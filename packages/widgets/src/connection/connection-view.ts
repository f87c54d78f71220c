import type { Connection } from '@parley/client'

/** What people are told about the connection. */
export type ConnectionView = 'fine' | 'reconnecting' | 'offline' | 'fatal'

/**
 * @param online         what was announced last: the loss is announced 5 s late, the return at once
 * @param deviceOffline  the device itself has no network
 */
export function connectionView(connection: Connection, online: boolean, deviceOffline: boolean): ConnectionView {
  // Closed with an error is closed for good: nothing will be tried again until the page is loaded anew [TOA-8].
  if (connection.at === 'closed' && connection.error) return 'fatal'
  if (online) return 'fine'
  return deviceOffline ? 'offline' : 'reconnecting'
}
