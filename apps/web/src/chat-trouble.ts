import type { ChatSettings } from './settings.ts'

/** Why the chat server is unusable, in one line that names the setting. */
export interface ChatTrouble {
  line: string
  /** It has responded and refuses us: waiting does not help. */
  isRefused: boolean
}

/** The error codes with which a chat server refuses a key, and a signature made with a wrong secret. */
const NO_SUCH_APP = 2
const NOT_SIGNED_BY_THE_APP = [5, 43]
const SIGNED_AT_ANOTHER_TIME = [40, 41, 42]
const OTHER_REGION = 69

export function chatTroubleOf(error: unknown, { url }: Pick<ChatSettings, 'url'>): ChatTrouble {
  const { code, status, cause } = error as { code?: unknown; status?: unknown; cause?: unknown }
  const refused = (line: string) => ({ line, isRefused: true })
  // The log never contains the key, which may be a misplaced secret.
  if (code === NO_SUCH_APP) return refused(`CHAT_API_KEY is no app of the chat server at CHAT_URL ${url}.`)
  if (NOT_SIGNED_BY_THE_APP.includes(code as number))
    return refused(`CHAT_API_SECRET is not the secret of the app CHAT_API_KEY at the chat server of CHAT_URL ${url}.`)
  if (code === OTHER_REGION)
    return refused(`CHAT_URL ${url} is a chat server in another region than the app CHAT_API_KEY.`)
  const waiting = (line: string) => ({ line: `${line} It is tried again.`, isRefused: false })
  if (SIGNED_AT_ANOTHER_TIME.includes(code as number))
    return waiting(`CHAT_URL ${url}: the clock of the chat server and the one here differ.`)
  if (code === 'ERR_NETWORK') return waiting(`CHAT_URL ${url} cannot be reached${inBrackets(reasonOf(cause))}.`)
  if (code === 'ECONNABORTED') return waiting(`CHAT_URL ${url} does not answer.`)
  if (typeof code === 'number') return waiting(`CHAT_URL ${url} answers: ${(error as Error).message.split('\n')[0]}.`)
  if (typeof status === 'number')
    return waiting(
      status >= 500
        ? `CHAT_URL ${url} answers with ${status}.`
        : `CHAT_URL ${url} is no chat server: it answers with ${status}.`,
    )
  return waiting(`CHAT_URL ${url}: the chat server could not be prepared: ${(error as Error).message.split('\n')[0]}.`)
}

/** Node reports it once for each address that it tried. */
function reasonOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : cause === undefined ? undefined : reasonOf(cause)
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? '' : ` (${text})`
}
