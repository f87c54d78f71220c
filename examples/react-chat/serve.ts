/** The page, and the two things only a server may provide: the chat's URL, and the user's token. */
import { createServer } from 'node:http'
import { ChatClient } from '@parley/client/server'
import { build, type Rolldown } from 'vite'

const { CHAT_URL: baseURL = 'http://localhost:3100', CHAT_KEY: key = '', CHAT_SECRET: secret = '' } = process.env
const port = Number(process.env.PORT ?? 5173)

const chat = new ChatClient(key, secret, { baseURL })
await chat.upsertUsers([
  { id: 'ada', name: 'Ada' },
  { id: 'bo', name: 'Bo' },
])
const tea = chat.channel('messaging', 'tea', { name: 'Tea', created_by_id: 'ada', members: ['ada', 'bo'] })
await tea.create()

const { output } = (await build({
  root: import.meta.dirname,
  logLevel: 'warn',
  build: { write: false },
})) as Rolldown.RolldownOutput
const files = new Map(output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]))

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/settings') return response.end(JSON.stringify({ key, baseURL }))
  // Your own sign-in identifies the user here; this example trusts every caller.
  if (pathname === '/token') return response.end(chat.createToken(searchParams.get('user') ?? ''))
  const file = files.get(pathname === '/' ? '/index.html' : pathname)
  if (file === undefined) return response.writeHead(404).end()
  response.setHeader('Content-Type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
  response.end(file)
}).listen(port, () => console.log(`http://localhost:${port}/?me=ada and http://localhost:${port}/?me=bo`))
