import type { MessageRequest } from '@parley/protocol/messages'
import type { SlashText } from '@parley/protocol/slash-text'
import { flag } from '../../administration/moderation/flag.ts'
import { actingUser, type Caller } from '../../chat/api/caller.ts'
import { banUser, checkMayBan, unbanUser } from '../../chat/bans/ban.ts'
import type { Access } from '../../chat/channels/channel-access.ts'
import { unpublishedError } from '../../chat/messages/unpublished-error.ts'
import { muteUsers, unmuteUsers } from '../../chat/mutes/mute.ts'
import { acquaintances } from '../../chat/users/user-access.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { isBuiltInCommand } from './change-commands.ts'
import { giphyPreview } from './giphy-command.ts'

/**
 * What a command makes of the message it came in; what it does not name stays. One of type `ephemeral` or `error` is
 * for the sender alone and is stored nowhere.
 */
export type CommandResult = Partial<MessageRequest>

/** Runs a command of the sender on the target; returns the text of the result. */
type Act = (server: Server, access: Access, caller: Caller, target: UserRow, words: string) => Promise<string>

const acts: Record<string, Act> = {
  async ban(server, access, caller, target, reason) {
    const sender = actingUser(caller)
    const scope = { app: target.app, access }
    await checkMayBan(server, scope, sender)
    await banUser(server, scope, target.id, sender, { shadow: false, ...(reason !== '' && { reason }) })
    return `${nameOf(target)} is banned from this channel.`
  },
  async unban(server, access, caller, target) {
    const sender = actingUser(caller)
    const scope = { app: target.app, access }
    await checkMayBan(server, scope, sender)
    await unbanUser(server, scope, target.id, sender)
    return `${nameOf(target)} may write in this channel again.`
  },
  async mute(server, _, caller, target) {
    await muteUsers(server, caller, actingUser(caller), [target.id], undefined)
    return `${nameOf(target)} is muted for you.`
  },
  async flag(server, _, caller, target) {
    await flag(server, caller, actingUser(caller), { target_user_id: target.id })
    return `${nameOf(target)} is reported to the moderators.`
  },
  async unmute(server, _, caller, target) {
    await unmuteUsers(server, caller, actingUser(caller), [target.id])
    return `${nameOf(target)} is no longer muted for you.`
  },
}

/**
 * Runs a command. Only the sender receives the result of moderation commands, including failures [CMD-12].
 *
 * @see messaging.md 5.8
 */
export async function runCommand(
  server: Server,
  access: Access,
  sender: UserRow,
  request: MessageRequest,
  { command, args }: SlashText,
): Promise<CommandResult> {
  if (!isBuiltInCommand(command)) return askHandler(server, access, sender, request, { command, args })
  if (command === 'giphy') return giphyPreview(server, args)
  const act = acts[command]
  if (!act) throw new Error(`Nobody knows how to run /${command}.`)
  try {
    const id = request.mentioned_users?.[0] ?? /^@(\S+)/.exec(args)?.[1]
    const caller = { app: server.apps.of(sender.app), server: false, user: sender, connectionId: undefined }
    const target = id === undefined ? undefined : (await acquaintances(server, caller, [id])).get(id)
    if (!target) return resultOf('error', `Say whom: /${command} @somebody`)
    return resultOf('ephemeral', await act(server, access, caller, target, wordsAfter(target, args)))
  } catch (error) {
    if (error instanceof ChatError) return resultOf('error', error.message)
    throw error
  }
}

async function askHandler(
  server: Server,
  { channel }: Access,
  sender: UserRow,
  request: MessageRequest,
  slash: SlashText,
): Promise<CommandResult> {
  const app = server.apps.of(channel.app)
  const message = await unpublishedError(
    server,
    channel,
    sender,
    { ...request, type: request.type ?? 'regular' },
    slash,
  )
  return server.commandHandlers.call(app, slash.command, { message, user: message.user })
}

function resultOf(type: 'ephemeral' | 'error', text: string): CommandResult {
  return { type, text, attachments: [] }
}

/** The text after the target's name, which may have spaces in it. */
function wordsAfter(target: UserRow, words: string): string {
  const called = [target.name, target.id].find((name) => name !== null && words.startsWith(`@${name}`))
  return (called == null ? words.replace(/^@\S+/, '') : words.slice(called.length + 1)).trim()
}

function nameOf({ name, id }: UserRow): string {
  return name ?? id
}
