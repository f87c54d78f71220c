import type { CheckPushRequest } from '@parley/protocol/devices'
import type { App } from '../apps/app.ts'
import type { MessageRow } from '../database/tables.ts'
import { membershipsPage } from '../members/leaving.ts'
import { missing } from '../messages/message-access.ts'
import { messageIn, newestMessageIn } from '../messages/newest-message.ts'
import type { Server } from '../server.ts'
import { existingUser } from '../users/user-access.ts'
import { devicesOfUsers } from './own-devices.ts'
import { hasProvider } from './push-providers.ts'

/** Channels in which a message is looked for, when none is named. */
const CHANNELS = 100

/**
 * What a push about a message would carry to a user, and why it would not arrive: what is wrong is part of the answer
 * and fails nothing [DEV-8, DEV-12].
 *
 * @throws ChatError DoesNotExistError (16) — no such message
 */
export async function checkPush(server: Server, app: App, request: CheckPushRequest) {
  const { user_id, skip_devices = false, event_type = 'message.new' } = request
  const user = await existingUser(server, app.id, user_id)
  const message = await messageFor(server, app, user.id, request.message_id)
  const devices = (await devicesOfUsers(server, app.id, [user.id]))(user.id).filter(
    ({ push_provider, push_provider_name = '' }) =>
      (request.push_provider_type ?? push_provider) === push_provider &&
      (request.push_provider_name ?? push_provider_name) === push_provider_name,
  )
  const errors = devices.map(({ id, push_provider: provider, push_provider_name = '' }) => {
    const isSetUp = hasProvider(app, provider, push_provider_name || null)
    const error_message = isSetUp ? notSent(provider) : `there is no push provider of type ${provider} for it`
    return [id, { provider, provider_name: push_provider_name, error_message }]
  })
  const hasTemplate = request.apn_template || request.firebase_template || request.firebase_data_template
  const general = [
    ...(hasTemplate ? ['this server renders no templates'] : []),
    ...(app.pushProviders.size === 0 ? ['the app has no push provider'] : []),
    ...(devices.length === 0 ? [`user ${user.id} has no such device`] : []),
    ...(message ? [] : [`user ${user.id} has no channel with a message`]),
  ]
  return {
    event_type,
    ...(skip_devices && { skip_devices }),
    ...(!skip_devices && errors.length > 0 && { device_errors: Object.fromEntries(errors) }),
    ...(general.length > 0 && { general_errors: general }),
    ...(message && { rendered_message: dataOf(message, event_type, user.id) }),
  }
}

/** Who brings messages to phones is asked by nobody here; the web app has the push services of the browsers. */
function notSent(provider: string): string {
  return `this server does not push to ${provider}; event hooks tell the app's own server whom to notify`
}

async function messageFor(server: Server, app: App, userId: string, id: string | undefined) {
  if (id === undefined || id === '')
    return newestMessageIn(server, app.id, await membershipsPage(server, app.id, userId, CHANNELS))
  const message = await messageIn(server, app.id, id)
  if (!message) throw missing(id)
  return message
}

/** The data of a push; clients check `version` and `sender` [administration.md 8.4]. */
function dataOf({ id, cid }: MessageRow, type: string, receiver: string): Record<string, string> {
  const colon = cid.indexOf(':')
  return {
    ...{ version: 'v2', sender: 'stream.chat', type, id, message_id: id },
    ...{ channel_type: cid.slice(0, colon), channel_id: cid.slice(colon + 1), cid, receiver_id: receiver },
  }
}

/** Why a queue would be told nothing: this server can write to none [DEV-9, DEV-10, DEV-12]. */
export const queueCheck = { status: 'error', error: 'not supported by this server', data: {} } as const
