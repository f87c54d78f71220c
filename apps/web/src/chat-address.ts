import type { Settings } from './settings.ts'

const ANSWERED_WITHIN_MS = 10_000

type Site = Pick<Settings, 'publicUrl' | 'chat'>

/**
 * What prevents browsers from reaching the chat server, as far as the settings show; one line each, which names the
 * setting. The web app itself may still reach it, and everything but chat works [APP-35].
 */
export function chatAddressFaults({ publicUrl, chat }: Site): string[] {
  if (!chat) return []
  const [page, server] = [new URL(publicUrl), new URL(chat.url)]
  if (isThisMachine(server) && !isThisMachine(page))
    return [
      `CHAT_URL is ${chat.url}, where browsers elsewhere find nothing. Set it to the address at which they reach the chat server, as PUBLIC_URL (${publicUrl}) is the one at which they reach the web app.`,
    ]
  if (page.protocol === 'https:' && server.protocol === 'http:' && !isThisMachine(server))
    return [
      `CHAT_URL is ${chat.url}, which browsers refuse on pages of ${publicUrl} (PUBLIC_URL). Put the chat server behind TLS, too, and set CHAT_URL to its https address.`,
    ]
  return []
}

/**
 * Fetches the chat server's own address, with which the URLs of its files begin.
 *
 * @returns a line that names the settings when it differs; undefined also when the server does not report it
 */
export async function otherAddressOfChat(chatUrl: string): Promise<string | undefined> {
  const answer = await fetch(`${chatUrl}/docs/json`, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) })
  const api = (answer.ok ? await answer.json() : {}) as { servers?: { url?: string }[] }
  const own = URL.parse(api.servers?.[0]?.url ?? '')?.origin
  if (own === undefined || own === new URL(chatUrl).origin) return undefined
  return `CHAT_URL is ${chatUrl}, but PUBLIC_URL of the chat server is ${own}. Set both to the address at which browsers reach the chat server, or pages do not load the files that people send.`
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}
