import { PAYLOAD_BYTES } from '@parley/protocol/limits'
import { MESSAGE_ENTITY, type ModerationPayload, USER_ENTITY } from '@parley/protocol/review'
import type { Reported } from '../../chat/messages/text-moderation.ts'
import { teamsOf } from '../../chat/users/teams.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'

/** An entity that can be reported: a message, a user, or a custom entity of the app. */
export interface Reportable {
  app: string
  /** Its key in flags. */
  subject: string
  type: string
  id: string
  creatorId: string | null
  cid: string | null
  /** The teams whose moderators may review it. */
  teams: readonly string[]
  payload: ModerationPayload
}

const aliases: Readonly<Record<string, string>> = { message: MESSAGE_ENTITY, user: USER_ENTITY }

/** Messages and users also have short type names. */
export function entityTypeOf(given: string): string {
  return Object.hasOwn(aliases, given) ? aliases[given]! : given
}

export function subjectOf(type: string, id: string): string {
  if (type === MESSAGE_ENTITY) return `message:${id}`
  if (type === USER_ENTITY) return `user:${id}`
  return `entity:${encodeURIComponent(type.toWellFormed())}:${id}`
}

export async function messageEntity(server: Server, message: Reported, text = message.text): Promise<Reportable> {
  const { app, id, cid, user_id, attachments_json = null } = message
  const channel = await server.channels.get(app, cid)
  return {
    app,
    id,
    cid,
    subject: subjectOf(MESSAGE_ENTITY, id),
    type: MESSAGE_ENTITY,
    creatorId: user_id,
    teams: channel?.team == null ? [] : [channel.team],
    payload: { ...(text && { texts: [text] }), ...mediaIn(attachments_json) },
  }
}

export function userEntity(user: UserRow): Reportable {
  const { app, id } = user
  return {
    app,
    id,
    cid: null,
    subject: subjectOf(USER_ENTITY, id),
    type: USER_ENTITY,
    creatorId: id,
    teams: teamsOf(user),
    payload: {},
  }
}

/**
 * A custom entity of the app.
 *
 * @throws ChatError InputError (4) — no creator is named; PayloadTooBigError (22)
 */
export async function ownEntity(
  server: Server,
  app: string,
  {
    type,
    id,
    creatorId,
    payload,
  }: { type: string; id: string; creatorId: string | undefined; payload: ModerationPayload | undefined },
): Promise<Reportable> {
  if (creatorId === undefined) throw inputError('entity_creator_id', 'entity_creator_id is a required field')
  const creator = await server.users.get(app, creatorId)
  return {
    app,
    id,
    type,
    creatorId,
    cid: null,
    subject: subjectOf(type, id),
    teams: creator ? teamsOf(creator) : [],
    payload: payloadOf(payload),
  }
}

/** @throws ChatError PayloadTooBigError (22) */
export function payloadOf(payload: ModerationPayload = {}): ModerationPayload {
  const bytes = Buffer.byteLength(JSON.stringify(payload))
  if (bytes > PAYLOAD_BYTES)
    throw new ChatError('PayloadTooBigError', `moderation_payload has ${bytes} bytes, at most ${PAYLOAD_BYTES} fit`)
  const { texts, images, videos, audios, other_media, custom } = payload
  return {
    ...(texts && { texts }),
    ...(images && { images }),
    ...(videos && { videos }),
    ...(audios && { audios }),
    ...(other_media && { other_media }),
    ...(custom && { custom: customOf(custom, new Set()) }),
  }
}

const kinds: Readonly<Record<string, 'images' | 'videos' | 'audios'>> = {
  image: 'images',
  video: 'videos',
  audio: 'audios',
  voiceRecording: 'audios',
}

function mediaIn(attachmentsJson: string | null): ModerationPayload {
  const media: ModerationPayload = {}
  const attachments: Record<string, unknown>[] = attachmentsJson === null ? [] : JSON.parse(attachmentsJson)
  for (const { type, image_url, asset_url, thumb_url } of attachments) {
    const url = [image_url, asset_url, thumb_url].find((address) => typeof address === 'string' && address !== '')
    if (url === undefined) continue
    const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type]! : 'other_media'
    media[kind] = [...(media[kind] ?? []), url as string]
  }
  return media
}
