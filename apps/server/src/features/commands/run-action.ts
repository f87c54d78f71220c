import { splitCid } from '@parley/protocol/cid'
import type { Message, MessageRequest } from '@parley/protocol/messages'
import { actingUser, type Caller } from '../../chat/api/caller.ts'
import { checkWriter } from '../../chat/bans/banned.ts'
import { type Access, accessChannel, notAllowed } from '../../chat/channels/channel-access.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { editMessage } from '../../chat/messages/edit-message.ts'
import { accessMessage, missing } from '../../chat/messages/message-access.ts'
import { sendMessage } from '../../chat/messages/send-message.ts'
import { unpublishedError } from '../../chat/messages/unpublished-error.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { EphemeralMessageRow, MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { isBuiltInCommand } from './change-commands.ts'
import { ephemeralWire, sendToSender, withoutActions } from './ephemeral.ts'
import { deleteEphemeral, ephemeralById, putEphemeral } from './ephemeral-store.ts'
import { giphyPreview } from './giphy-command.ts'

/** What was chosen among the actions of a message, by their names. */
export type FormData = Readonly<Record<string, unknown>>

/**
 * Runs the action that the sender chose on a command's result.
 *
 * @returns the message as it is now; undefined when it is gone
 * @throws ChatError DoesNotExistError (16) — no such message, or another user's ephemeral one
 * @throws ChatError InputError (4) — it has no such action
 */
export async function runAction(
  server: Server,
  caller: Caller,
  id: string,
  formData: FormData,
): Promise<Message | undefined> {
  const user = actingUser(caller)
  const { app } = caller
  const row = await ephemeralById(server.database.read, app.id, id, server.clock.micros())
  if (row === undefined) {
    const { message, access } = await accessMessage(server, caller, id, 'run-message-action')
    return actOnStored(server, caller, access, user, message, formData)
  }
  if (row.user_id !== user.id) throw missing(id)
  const access = await accessChannel(server, caller, splitCid(row.cid), 'read-channel')
  // A user who may act upon their own messages may act upon this one, which is their own.
  if (!access.can('run-message-action') && !access.can('run-message-action-owner'))
    throw notAllowed(access, 'run-message-action')
  return isBuiltInCommand(row.command)
    ? decideOnGif(server, access, user, row, formData, caller.server)
    : actOnKept(server, caller, access, user, row, formData)
}

/** Sends the chosen action to the app's handler, which decides what becomes of the message [administration.md 4.3]. */
async function actOnKept(
  server: Server,
  caller: Caller,
  access: Access,
  user: UserRow,
  row: EphemeralMessageRow,
  formData: FormData,
): Promise<Message> {
  const { app, id, command, args } = row
  const shown = await ephemeralWire(server, access, user, row)
  const changed = await server.commandHandlers.call(caller.app, command, {
    message: shown,
    user: shown.user,
    form_data: formData,
  })
  const message: MessageRequest = { ...JSON.parse(row.message_json), ...changed }
  if (message.type === 'error') return unpublishedError(server, access.channel, user, message, row, row.created_at)
  if (message.type === 'ephemeral') {
    const after = { ...row, message_json: JSON.stringify(message) }
    await keep(server, after)
    const wire = await ephemeralWire(server, access, user, after)
    sendToSender(server, access, 'message.updated', wire)
    return wire
  }
  const sent = await sendMessage(server, access, user, message, {
    fromServer: caller.server,
    command: { command, args },
  })
  if (sent.type !== 'error') await forget(server, app, id)
  return sent
}

/** A message that all members see may have actions too; they all see the result. */
async function actOnStored(
  server: Server,
  caller: Caller,
  access: Access,
  user: UserRow,
  row: MessageRow,
  formData: FormData,
): Promise<Message> {
  const { command } = row
  await checkWriter(server, user, access)
  if (command === null || row.deleted_at !== null) throw noSuchAction()
  // Sent already, by a call whose answer was lost.
  if (command === 'giphy' && row.user_id === user.id)
    throw new ChatError('InputError', `a message with ID ${row.id} already exists`)
  if (isBuiltInCommand(command)) throw noSuchAction()
  const [message] = await composeMessages(server, row.app, [row], user.id)
  const userSummary = await userSummariesOf(server, row.app, [user.id])
  const changed = await server.commandHandlers.call(caller.app, command, {
    message: message!,
    user: userSummary.of(user.id),
    form_data: formData,
  })
  // Whether a message is silent is decided once, when it is sent.
  const { type, i18n, silent: _, ...set } = changed
  if (type === 'ephemeral' || type === 'error') {
    // A message of its own, beside the one with the actions.
    return unpublishedError(server, access.channel, user, {
      ...set,
      ...(i18n && { i18n }),
      type,
      parent_id: row.parent_id,
    })
  }
  if (Object.keys(set).length === 0 && !i18n) return message!
  return editMessage(server, access, row, { patch: { set } }, undefined, { i18n })
}

async function decideOnGif(
  server: Server,
  access: Access,
  user: UserRow,
  row: EphemeralMessageRow,
  formData: FormData,
  fromServer: boolean,
): Promise<Message | undefined> {
  const { app, id, command, args } = row
  const message = JSON.parse(row.message_json) as MessageRequest & { attachments: [{ title_link?: string }] }
  switch (formData.image_action) {
    case 'send': {
      const { type: _, ...request } = { ...message, attachments: withoutActions(message.attachments) }
      const sent = await sendMessage(server, access, user, request, { fromServer, command: { command, args } })
      // One that was not sent, since the channel is frozen now, may be sent when it is not.
      if (sent.type !== 'error') await forget(server, app, id)
      return sent
    }
    case 'shuffle': {
      const result = await giphyPreview(server, args, message.attachments[0])
      if (result.type === 'error')
        return unpublishedError(server, access.channel, user, { ...message, ...result }, row, row.created_at)
      const shuffled = { ...row, message_json: JSON.stringify({ ...message, ...result }) }
      await keep(server, shuffled)
      const shown = await ephemeralWire(server, access, user, shuffled)
      sendToSender(server, access, 'message.updated', shown)
      return shown
    }
    case 'cancel':
      await forget(server, app, id)
      sendToSender(server, access, 'message.deleted', await ephemeralWire(server, access, user, row))
      return undefined
    default:
      throw noSuchAction()
  }
}

/** @throws ChatError DoesNotExistError (16) — it was sent or taken back meanwhile */
function keep(server: Server, row: EphemeralMessageRow): Promise<void> {
  return server.commit.write(row.app, [], async (batch) => {
    if (!(await ephemeralById(batch.db, row.app, row.id, batch.now()))) throw missing(row.id)
    await putEphemeral(batch.db, row)
  })
}

function forget(server: Server, app: string, id: string): Promise<void> {
  return server.commit.write(app, [], (batch) => deleteEphemeral(batch.db, app, id))
}

function noSuchAction() {
  return inputError('form_data', 'the message has no such action')
}
