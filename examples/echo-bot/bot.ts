/** Repeats every message it gets. */
import { type Channel, ChatClient } from '@parley/client'
import { ChatClient as Company } from '@parley/client/server'

const { CHAT_URL: baseURL = 'http://localhost:3100', CHAT_KEY: key = '', CHAT_SECRET: secret = '' } = process.env

const company = new Company(key, secret, { baseURL })
await company.upsertUser({ id: 'echo', name: 'Echo' })

const client = new ChatClient(key, { baseURL })
await client.connectUser({ id: 'echo' }, () => company.createToken('echo'))

// A message in an unwatched channel announces a new conversation; from then on the bot watches it.
client.on('notification.message_new', ({ channel, message }) =>
  follow(client.channel(channel.type, channel.id), message),
)
client.on('message.new', ({ cid, message }) => answer(client.channel(...named(cid)), message))
for (const channel of await client.queryChannels({ members: { $in: ['echo'] } }))
  console.log(`listening in ${channel.cid}`)
console.log('ready')

async function follow(channel: Channel, message: Said) {
  await channel.watch()
  await answer(channel, message)
}

type Said = { user: { id: string }; text: string; type: string }

async function answer(channel: Channel, { user, text, type }: Said) {
  if (user.id === 'echo' || type === 'system') return
  await channel.send({ text: text === '' ? '(nothing to repeat)' : `${text}?` })
}

function named(cid: string): [type: string, id: string] {
  const [type = '', id = ''] = cid.split(':')
  return [type, id]
}

process.once('SIGTERM', async () => {
  await client.disconnectUser()
  process.exit()
})
