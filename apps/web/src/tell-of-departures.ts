import { setTimeout } from 'node:timers/promises'
import { forgetDeparted } from '../app/chat/forget-departed.server.ts'
import type { Product } from '../app/product.server.ts'

/** The chat server may be away when somebody deletes their account; this often it is told of those it has missed. */
const PAUSE_MS = 60_000

/** Tells the chat server, for as long as the product runs, of those who have gone while it was away. */
export async function tellOfDepartures(product: Product): Promise<void> {
  while (product.chat) {
    await forgetDeparted(product)
    await setTimeout(PAUSE_MS, undefined, { ref: false })
  }
}
