import { setTimeout } from 'node:timers/promises'
import { purgeDeparted } from '../app/chat/purge-departed.server.ts'
import { shutOutNoted } from '../app/chat/revoke-chat.server.ts'
import { moveChatAccess } from '../app/members/chat-access.server.ts'
import type { Product } from '../app/product.server.ts'
import { purgeUnusedRateLimits } from '../app/rate-limit.server.ts'
import { dropEndedSessions } from '../app/session/ended-sessions.server.ts'

/** The chat server may be down when a user is deleted or loses chat access; this often the missed calls are retried. */
const DEPARTURES_MS = 60_000
const FORGETTING_MS = 3_600_000
/** Permissions that others grant on the chat server, against the product's, last no longer than this. */
const RULES_MS = 60_000

/** Starts the periodic maintenance jobs. */
export function startMaintenance(product: Product) {
  void again(DEPARTURES_MS, () => purgeDeparted(product))
  void again(DEPARTURES_MS, () => shutOutNoted(product))
  void again(FORGETTING_MS, () => dropEndedSessions(product.database, new Date()))
  void again(FORGETTING_MS, () => purgeUnusedRateLimits(product.database))
  // A web app of an earlier version that still runs beside this one adds members without it.
  void again(FORGETTING_MS, () => moveChatAccess(product.database))
  const keepsRules = rulesKeeper(product)
  // The start has set them already.
  void setTimeout(RULES_MS, undefined, { ref: false }).then(() => again(RULES_MS, keepsRules))
}

async function again(pauseMs: number, chore: () => Promise<void>) {
  for (;;) {
    await chore()
    await setTimeout(pauseMs, undefined, { ref: false })
  }
}

/** Restores the product's permissions on the chat server; logs a failure once, not each time. */
function rulesKeeper({ chat }: Pick<Product, 'chat'>) {
  let isFailing = false
  return async () => {
    try {
      await chat?.setHouseRules()
      isFailing = false
    } catch (error) {
      if (!isFailing)
        console.error('The rules of the product could not be set at the chat server; they are set later.', error)
      isFailing = true
    }
  }
}
