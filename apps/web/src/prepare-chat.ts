import { setTimeout } from 'node:timers/promises'
import { SettingError } from '../../process/settings.ts'
import { createChatService } from '../app/chat/chat-service.server.ts'
import type { Product } from '../app/product.server.ts'
import { EVENTS_PATH } from '../app/session/session.server.ts'
import { otherAddressOfChat } from './chat-address.ts'
import { chatTroubleOf } from './chat-trouble.ts'
import type { Settings } from './settings.ts'

/** The chat server may start at the same time, so calls are retried with a growing delay. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** The start waits no longer for a chat server that does not respond. */
const PROBE_MS = 3_000

/**
 * Checks whether the chat server accepts our key and secret. One that does not respond may start later; the log names
 * it.
 *
 * @throws SettingError — it has responded, and refuses us
 */
export async function demandChat({ chat: settings }: Pick<Settings, 'chat'>): Promise<void> {
  if (!settings) return
  const chat = createChatService(settings)
  const late = setTimeout(PROBE_MS, undefined, { ref: false })
  try {
    await Promise.race([chat.isOurs(), late])
  } catch (error) {
    const { line, isRefused } = chatTroubleOf(error, chat)
    if (isRefused) throw new SettingError(line, { cause: error })
  }
}

/**
 * Sets the product's permissions and webhook on the chat server. Until then everything works except those,
 * notifications, and new moderators for groups whose last one has left. A problem is logged once, and again when it
 * changes.
 */
export async function prepareChat({ chat }: Pick<Product, 'chat'>, url: string): Promise<void> {
  if (!chat) return
  let trouble: string | undefined
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await chat.setHouseRules()
      await chat.setWebhook(new URL(EVENTS_PATH, url).href)
      await warnOfAddress(chat.url)
      if (trouble !== undefined) console.log(`The chat server at CHAT_URL ${chat.url} answers.`)
      return
    } catch (error) {
      const { line } = chatTroubleOf(error, chat)
      if (line !== trouble) console.error(line)
      trouble = line
      await setTimeout(pause, undefined, { ref: false })
    }
  }
}

async function warnOfAddress(chatUrl: string) {
  const fault = await otherAddressOfChat(chatUrl).catch(() => undefined)
  if (fault) console.warn(fault)
}
