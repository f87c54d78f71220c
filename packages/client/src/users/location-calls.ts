/** Live locations that users share [messaging.md 5.12]. */
import type { Calling } from '../calling.ts'
import type { Answer, CallOptions } from '../shapes.ts'

export interface SharedLocation {
  channel_cid: string
  message_id: string
  user_id: string
  latitude: number
  longitude: number
  created_by_device_id: string
  /** When it stops being live. */
  end_at?: string
  created_at: string
  updated_at: string
}

/** The user's own live locations. */
export function getSharedLocations(
  client: Calling,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ active_live_locations: SharedLocation[] }>> {
  return client.request('GET', '/users/live_locations', { query: { user_id: userID }, ...call })
}

/** Updates the position, or ends it with an `end_at` in the past; others get `message.updated`. */
export function updateLocation(
  client: Calling,
  location: {
    message_id: string
    created_by_device_id: string
    latitude?: number
    longitude?: number
    end_at?: string
    user_id?: string
  },
  call: CallOptions = {},
): Promise<Answer<SharedLocation>> {
  return client.request('PUT', '/users/live_locations', { body: location, ...call })
}
