import { ChatClient } from '@parley/client/server'

/** The token of the signed-in user: your application knows from its session who that is. Here it is always Ada. */
export function GET() {
  const { CHAT_URL = 'http://localhost:3100', CHAT_KEY = '', CHAT_SECRET = '' } = process.env
  const chat = new ChatClient(CHAT_KEY, CHAT_SECRET, { baseURL: CHAT_URL })
  return new Response(chat.createToken('ada'))
}

/** Made for each request, never when the application is built. */
export const dynamic = 'force-dynamic'
