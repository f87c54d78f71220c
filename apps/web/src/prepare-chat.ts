import { setTimeout } from 'node:timers/promises'
import { SettingError } from '../../process/settings.ts'
import { createChatService } from '../app/chat/chat-service.server.ts'
import type { Product } from '../app/product.server.ts'
import { EVENTS_PATH } from '../app/session/session.server.ts'
import { otherAddressOfChat } from './chat-address.ts'
import { chatTroubleOf } from './chat-trouble.ts'
import type { Settings } from './settings.ts'

/** The chat server may start at the same time, so it is waited for; later it is asked again now and then. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** A start waits no longer for a chat server that says nothing. */
const PROBE_MS = 3_000

/**
 * Asks the chat server whether it takes our key and secret. One that does not answer may come later; it is named in the
 * log.
 *
 * @throws SettingError — it has answered, and refuses us
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
 * Has the chat server keep the rules of the product, and tell this web app what happens. Without it everything works
 * but that, notifications, and groups that whoever keeps order in them has left. What is in the way is said once, and
 * again when it is something else.
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
