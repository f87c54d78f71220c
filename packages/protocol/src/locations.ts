import Type, { type Static } from 'typebox'
import { actor, answer, Time } from './wire.ts'

const place = {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
}

/** A user's location; live until `end_at`, where it has one [messaging.md 5.12]. */
export const SharedLocation = Type.Object({
  channel_cid: Type.String(),
  message_id: Type.String(),
  user_id: Type.String(),
  ...place,
  created_by_device_id: Type.String(),
  end_at: Type.Optional(Time),
  created_at: Time,
  updated_at: Time,
})
export type SharedLocation = Static<typeof SharedLocation>

/** The location of its author that a message shares. */
export const LocationRequest = Type.Object({
  ...place,
  created_by_device_id: Type.String({ minLength: 1 }),
  end_at: Type.Optional(Time),
})
export type LocationRequest = Static<typeof LocationRequest>

export const UpdateLocationRequest = Type.Object({
  message_id: Type.String(),
  ...Type.Partial(LocationRequest).properties,
  created_by_device_id: Type.String({ minLength: 1 }),
  ...actor,
})
export const SharedLocationAnswer = answer(SharedLocation.properties)
export const LiveLocationsAnswer = answer({ active_live_locations: Type.Array(SharedLocation) })
