import { CallError, call } from '../http-client.ts'
import type { StartChatAnswer } from './start-new-chat.ts'

/**
 * Starts a chat.
 *
 * @param key  the idempotency key: repeating it does the work once
 * @throws CallError with the server's text [NEW-41]
 */
export async function startChat(fields: Record<string, string>, key: string) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  const headers = { 'idempotency-key': key }
  const answer = await call<StartChatAnswer>('/chat/api/startNewChat', { method: 'POST', body, headers })
  if (answer.type === 'error') throw new CallError(200, answer)
  return answer
}
