/**
 * A conversation of two users in a terminal.
 *
 *     node examples/terminal-chat/chat.ts ada bo
 */
import { createInterface } from 'node:readline'
import { ChatClient } from '@parley/client'
import { ChatClient as Company } from '@parley/client/server'

const { CHAT_URL: baseURL = 'http://localhost:3100', CHAT_KEY: key = '', CHAT_SECRET: secret = '' } = process.env
const [me, other] = process.argv.slice(2)
if (!me || !other) throw new Error('Say who you are and whom you talk to: node chat.ts ada bo')

// A real app would ask its own server for the token; the secret does not belong on a client.
const company = new Company(key, secret, { baseURL })
await company.upsertUsers([{ id: me }, { id: other }])
const client = new ChatClient(key, { baseURL })
await client.connectUser({ id: me }, () => company.createToken(me))

const channel = client.channel('messaging', { members: [me, other] })
await channel.watch()

const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: `${me}> ` })
const shown = new Map<string, string>()
channel.subscribe(show)
channel.typists.subscribe(() => {
  if (channel.typists.snapshot().length > 0) say(`… ${other} is typing`)
})
show()
lines.prompt()
lines.on('line', (text) => {
  const sent = text.trim() === '' ? undefined : channel.send({ text })
  sent?.then(({ status, error }) => status === 'failed' && say(`! not sent: ${error?.message}`))
  lines.prompt()
})
lines.on('close', async () => {
  await client.disconnectUser()
  process.exit()
})
process.stdin.on('keypress', () => void channel.keystroke())

/** Prints new and changed messages, and keeps the line being typed. */
function show() {
  for (const { id, user, text, type, status } of channel.state.messages) {
    const line = type === 'deleted' ? `${user.id}: (deleted)` : `${user.id}: ${text}`
    if (status !== 'received' || shown.get(id) === line) continue
    say(shown.has(id) ? `${line} (changed)` : line)
    shown.set(id, line)
  }
  if (channel.state.unreadCount > 0) channel.markRead()
}

function say(line: string) {
  process.stdout.write(`\r\x1b[K${line}\n`)
  lines.prompt(true)
}
