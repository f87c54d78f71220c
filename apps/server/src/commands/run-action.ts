import { splitCid } from '@parley/protocol/cid'
import type { Message, MessageRequest } from '@parley/protocol/messages'
import { type Access, accessChannel, notAllowed } from '../channels/channel-access.ts'
import { inputError } from '../chat-error.ts'
import type { EphemeralMessageRow, UserRow } from '../database/tables.ts'
import { actingUser, type Caller } from '../http/caller.ts'
import { accessMessage, missing } from '../messages/message-access.ts'
import { sendMessage } from '../messages/send-message.ts'
import { untold } from '../messages/untold.ts'
import type { Server } from '../server.ts'
import { ephemeralWire, tellSender, withoutActions } from './ephemeral.ts'
import { deleteEphemeral, ephemeralById, putEphemeral } from './ephemeral-store.ts'
import { giphyPreview } from './giphy-command.ts'

/** What was chosen among the actions of a message, by their names. */
export type FormData = Readonly<Record<string, unknown>>

/**
 * Does what its sender chose to do with the outcome of a command.
 *
 * @returns the message as it is now; undefined when it is gone
 * @throws ChatError DoesNotExistError (16) — no such message, or somebody else's that waits for their word
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
  const row = await ephemeralById(server.database.read, app.id, id, server.clock.now() * 1000)
  if (row === undefined) {
    await accessMessage(server, caller, id, 'run-message-action')
    throw noSuchAction()
  }
  if (row.user_id !== user.id) throw missing(id)
  const access = await accessChannel(server, caller, splitCid(row.cid), 'read-channel')
  // Whoever may act upon their own messages may act upon this one, which is nobody else's.
  if (!access.can('run-message-action') && !access.can('run-message-action-owner'))
    throw notAllowed(access, 'run-message-action')
  return decideOnGif(server, access, user, row, formData, caller.server)
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
        return untold(server, access.channel, user, { ...message, ...result }, row, row.created_at)
      const shuffled = { ...row, message_json: JSON.stringify({ ...message, ...result }) }
      await server.commit.write(app, [], async (batch) => {
        if (!(await ephemeralById(batch.db, app, id, batch.now()))) throw missing(id)
        await putEphemeral(batch.db, shuffled)
      })
      const shown = await ephemeralWire(server, access, user, shuffled)
      tellSender(server, access, 'message.updated', shown)
      return shown
    }
    case 'cancel':
      await forget(server, app, id)
      tellSender(server, access, 'message.deleted', await ephemeralWire(server, access, user, row))
      return undefined
    default:
      throw noSuchAction()
  }
}

function forget(server: Server, app: string, id: string): Promise<void> {
  return server.commit.write(app, [], (batch) => deleteEphemeral(batch.db, app, id))
}

function noSuchAction() {
  return inputError('form_data', 'the message has no such action')
}
