import { randomUUID } from 'node:crypto'
import type { CheckPushRequest, Device, PushProvider } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { membershipsPage } from '../../chat/members/leaving.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { missing } from '../../chat/messages/message-access.ts'
import { eventViewerOf } from '../../chat/messages/message-wire.ts'
import { messageIn, newestMessageIn } from '../../chat/messages/newest-message.ts'
import { totalsOfUsers } from '../../chat/reads/counting.ts'
import { existingUser } from '../../chat/users/user-access.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { devicesOfUsers, disableDevice } from '../devices/own-devices.ts'
import { dataOf, type PushContext, type PushTexts, PushWriter, textsOf } from './push-content.ts'
import { pushFacts } from './push-facts.ts'
import { providerOf } from './pushed-events.ts'

/** Channels in which a message is looked for, when none is named. */
const CHANNELS = 100

/**
 * The content of a push about a message for a user, and why it does not arrive: it is sent to the user's devices once,
 * unless they are to be skipped. Errors are part of the answer, and the call succeeds [DEV-8, DEV-12].
 *
 * @throws ChatError DoesNotExistError (16) — no such message
 */
export async function checkPush(server: Server, app: App, request: CheckPushRequest) {
  const { user_id, skip_devices = false, event_type = 'message.new' } = request
  const user = await existingUser(server, app.id, user_id)
  const message = await messageFor(server, app, user.id, request.message_id)
  const isMeant = ({ type, name = '' }: { type: string; name?: string | undefined }) =>
    (request.push_provider_type ?? type) === type && (request.push_provider_name ?? name) === name
  const devices = (await devicesOfUsers(server, app.id, [user.id]))(user.id).filter((device) =>
    isMeant({ type: device.push_provider, name: device.push_provider_name }),
  )
  const general = [
    ...(app.pushProviders.size === 0 ? ['the app has no push provider'] : []),
    ...(devices.length === 0 ? [`user ${user.id} has no such device`] : []),
    ...(message ? [] : [`user ${user.id} has no channel with a message`]),
  ]
  const errors: Record<string, DeviceError> = {}
  const rendered: Record<string, string> = {}
  const context = message && (await contextFor(server, app, message, event_type, user.id))
  if (context) {
    const writer = new PushWriter()
    const textsFor = (provider: PushProvider) => ({
      ...textsOf(app, provider, event_type),
      ...templateTextsIn(request, provider.type),
    })
    for (const type of ['apn', 'firebase'] as const) {
      const texts = templateTextsIn(request, type)
      const provider = [...app.pushProviders.values()].find((one) => one.type === type && isMeant(one))
      if (!provider && Object.keys(texts).length === 0) continue
      const { content, problem } = writer.write(type, provider ? textsFor(provider) : texts, context)
      rendered[`rendered_${type}_template`] = JSON.stringify(content)
      if (problem) general.push(`the template for ${type} is not used: ${problem}`)
    }
    if (!skip_devices)
      await Promise.all(
        devices.map(async (device) => {
          const error_message = await deliver(
            server,
            app,
            device,
            (provider) => writer.write(provider.type, textsFor(provider), context).content,
          )
          const { push_provider: provider, push_provider_name: provider_name = '' } = device
          if (error_message !== undefined) errors[device.id] = { provider, provider_name, error_message }
        }),
      )
  }
  return {
    event_type,
    ...(skip_devices && { skip_devices }),
    ...(Object.keys(errors).length > 0 && { device_errors: errors }),
    ...(general.length > 0 && { general_errors: general }),
    ...rendered,
    ...(context && { rendered_message: dataOf(context) }),
  }
}

interface DeviceError {
  provider: string
  provider_name: string
  error_message: string
}

/** Templates to be tried, in place of those that are kept. */
function templateTextsIn(request: CheckPushRequest, type: PushProvider['type']): PushTexts {
  const { apn_template: apn, firebase_template: firebase, firebase_data_template: data } = request
  if (type === 'apn') return apn ? { apn } : {}
  return type === 'firebase' ? { ...(firebase && { firebase }), ...(data && { data }) } : {}
}

/** @returns why it did not arrive */
async function deliver(
  server: Server,
  app: App,
  device: Device,
  contentFor: (provider: PushProvider) => Record<string, unknown>,
): Promise<string | undefined> {
  const provider = providerOf(app, device)
  if (!provider) return `there is no push provider of type ${device.push_provider} for it`
  if (device.disabled) return device.disabled_reason
  const push = { id: randomUUID(), device: device.id, content: contentFor(provider) }
  const outcome = await server.push.send(app, provider, push)
  if (outcome === 'delivered') return undefined
  if (outcome.gone) await disableDevice(server, app.id, device, outcome.why)
  return outcome.why
}

async function messageFor(server: Server, app: App, userId: string, id: string | undefined) {
  if (id === undefined || id === '')
    return newestMessageIn(server, app.id, await membershipsPage(server, app.id, userId, CHANNELS))
  const message = await messageIn(server, app.id, id)
  if (!message) throw missing(id)
  return message
}

async function contextFor(
  server: Server,
  app: App,
  row: MessageRow,
  type: string,
  userId: string,
): Promise<PushContext> {
  const { read, dialect } = server.database
  const [message] = await composeMessages(server, app.id, [row], eventViewerOf(row))
  const event = { type, cid: row.cid, message: message!, ...(message!.user && { user: message!.user }) }
  const facts = await pushFacts(server, app, [event])
  return facts.context(event, userId, (await totalsOfUsers(read, dialect, app, [userId]))(userId))
}

/** The answer for queues: this server can write to none [DEV-9, DEV-10, DEV-12]. */
export const queueCheck = { status: 'error', error: 'not supported by this server', data: {} } as const
