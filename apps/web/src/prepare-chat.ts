import { setTimeout } from 'node:timers/promises'
import type { Product } from '../app/product.server.ts'
import { EVENTS_PATH } from '../app/session/session.server.ts'
import { otherAddressOfChat } from './chat-address.ts'

/** The chat server may start at the same time, so it is waited for; later it is asked again now and then. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000

/**
 * Has the chat server keep the rules of the product, and tell this web app what happens. Without it everything works
 * but that, notifications, and groups that whoever keeps order in them has left.
 */
export async function prepareChat({ chat }: Pick<Product, 'chat'>, url: string): Promise<void> {
  if (!chat) return
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await chat.setHouseRules()
      await chat.tellEventsTo(new URL(EVENTS_PATH, url).href)
      await warnOfAddress(chat.url)
      return
    } catch (error) {
      if (pause === LONGEST_PAUSE_MS) console.error('The chat server could not be prepared for the product.', error)
      await setTimeout(pause, undefined, { ref: false })
    }
  }
}

async function warnOfAddress(chatUrl: string) {
  const fault = await otherAddressOfChat(chatUrl).catch(() => undefined)
  if (fault) console.warn(fault)
}
