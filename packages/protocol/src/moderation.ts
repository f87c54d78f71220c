import Type, { type Static } from 'typebox'
import { MUTES_PER_CALL } from './limits.ts'
import { ChannelMute, Mute, OwnUser } from './users.ts'
import { actor, answer } from './wire.ts'

const several = Type.Array(Type.String(), { minItems: 1, maxItems: MUTES_PER_CALL })

/** Users are muted for minutes, channels for milliseconds; without a time, for ever [administration.md 6.6, 6.7]. */
export const MuteRequest = Type.Object({
  target_id: Type.Optional(Type.String()),
  target_ids: Type.Optional(several),
  timeout: Type.Optional(Type.Integer({ minimum: 0 })),
  ...actor,
})
export const MuteAnswer = answer({
  mute: Type.Optional(Mute),
  mutes: Type.Optional(Type.Array(Mute)),
  own_user: OwnUser,
  non_existing_users: Type.Optional(Type.Array(Type.String())),
})
export const UnmuteAnswer = answer({ non_existing_users: Type.Optional(Type.Array(Type.String())) })

export const MuteChannelRequest = Type.Object({
  channel_cid: Type.Optional(Type.String()),
  channel_cids: Type.Optional(several),
  expiration: Type.Optional(Type.Integer({ minimum: 0 })),
  ...actor,
})
export const MuteChannelAnswer = answer({
  channel_mute: Type.Optional(ChannelMute),
  channel_mutes: Type.Optional(Type.Array(ChannelMute)),
  own_user: OwnUser,
})
export type MuteChannelRequest = Static<typeof MuteChannelRequest>
