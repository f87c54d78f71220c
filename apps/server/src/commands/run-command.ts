import type { MessageRequest } from '@parley/protocol/messages'
import type { Access } from '../channels/channel-access.ts'
import { ChatError } from '../chat-error.ts'
import type { UserRow } from '../database/tables.ts'
import { banUser, checkMayBan, unbanUser } from '../moderation/ban.ts'
import { muteUsers, unmuteUsers } from '../moderation/mute.ts'
import type { Server } from '../server.ts'

/** What only the sender of a command is told. */
export interface CommandResult {
  type: 'ephemeral' | 'error'
  text: string
}

/** Acts for the sender upon the target; gives what to say about it. */
type Act = (server: Server, access: Access, sender: UserRow, target: UserRow, words: string) => Promise<string>

const acts: Record<string, Act> = {
  async ban(server, access, sender, target, reason) {
    const scope = { app: target.app, access }
    checkMayBan(scope, sender, false)
    await banUser(server, scope, target.id, sender, { shadow: false, ...(reason !== '' && { reason }) })
    return `${nameOf(target)} is banned from this channel.`
  },
  async unban(server, access, sender, target) {
    const scope = { app: target.app, access }
    checkMayBan(scope, sender, false)
    await unbanUser(server, scope, target.id, sender)
    return `${nameOf(target)} may write in this channel again.`
  },
  async mute(server, _, sender, target) {
    await muteUsers(server, { server: false }, sender, [target.id], undefined)
    return `${nameOf(target)} is muted for you.`
  },
  async unmute(server, _, sender, target) {
    await unmuteUsers(server, { server: false }, sender, [target.id])
    return `${nameOf(target)} is no longer muted for you.`
  },
}

/**
 * Runs a text that is one of the channel's slash commands; undefined for any other text [CMD-12]. Whatever comes
 * of it, failures too, is for the sender alone.
 *
 * @see messaging.md 5.8
 */
export async function runCommand(
  server: Server,
  access: Access,
  sender: UserRow,
  { text = '', mentioned_users = [] }: MessageRequest,
): Promise<CommandResult | undefined> {
  const [, name = '', words = ''] = /^\/([A-Za-z0-9_-]+)(?:\s+(.*))?$/s.exec(text.trim()) ?? []
  if (!access.config.commands.some((command) => command.name === name)) return undefined
  const act = acts[name]
  if (!act) return { type: 'error', text: 'No gif service is set up on this server.' }
  try {
    const id = mentioned_users[0] ?? /^@(\S+)/.exec(words)?.[1]
    const target = id === undefined ? undefined : await server.users.get(sender.app, id)
    if (!target) return { type: 'error', text: `Say whom: /${name} @somebody` }
    return { type: 'ephemeral', text: await act(server, access, sender, target, wordsAfter(target, words)) }
  } catch (error) {
    if (error instanceof ChatError) return { type: 'error', text: error.message }
    throw error
  }
}

/** What stands after the name of the target, which may have spaces in it. */
function wordsAfter(target: UserRow, words: string): string {
  const called = [target.name, target.id].find((name) => name !== null && words.startsWith(`@${name}`))
  return (called == null ? words.replace(/^@\S+/, '') : words.slice(called.length + 1)).trim()
}

function nameOf({ name, id }: UserRow): string {
  return name ?? id
}
