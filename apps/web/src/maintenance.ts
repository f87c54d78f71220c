import { setTimeout } from 'node:timers/promises'
import { purgeDeparted } from '../app/chat/forget-departed.server.ts'
import { shutOutNoted } from '../app/chat/shut-out.server.ts'
import { moveChatAccess } from '../app/members/chat-access.server.ts'
import type { Product } from '../app/product.server.ts'
import { purgeUnusedRateLimits } from '../app/rate-limit.server.ts'
import { dropEndedSessions } from '../app/session/ended-sessions.server.ts'

/** The chat server may be away when somebody goes or loses chat; this often it is told of those it has missed. */
const DEPARTURES_MS = 60_000
const FORGETTING_MS = 3_600_000
/** What others grant at the chat server against the rules of the product holds no longer than this. */
const RULES_MS = 60_000

/** Begins what the product does again and again, for as long as it runs. */
export function startMaintenance(product: Product) {
  void again(DEPARTURES_MS, () => purgeDeparted(product))
  void again(DEPARTURES_MS, () => shutOutNoted(product))
  void again(FORGETTING_MS, () => dropEndedSessions(product.database, new Date()))
  void again(FORGETTING_MS, () => purgeUnusedRateLimits(product.database))
  // A web app of an earlier version, still running beside this one, lets people in without it.
  void again(FORGETTING_MS, () => moveChatAccess(product.database))
  const keepsRules = rulesKeeper(product)
  // At the start they are set anyway.
  void setTimeout(RULES_MS, undefined, { ref: false }).then(() => again(RULES_MS, keepsRules))
}

async function again(pauseMs: number, chore: () => Promise<void>) {
  for (;;) {
    await chore()
    await setTimeout(pauseMs, undefined, { ref: false })
  }
}

/** Sets the rules of the product at the chat server again; says once that it cannot, and not each time. */
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
