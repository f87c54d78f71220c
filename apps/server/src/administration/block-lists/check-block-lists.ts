import type { App } from '../../chat/apps/app.ts'
import { inputError } from '../../platform/chat-error.ts'

/** @throws ChatError InputError (4) — a named list does not exist */
export function checkBlockLists(
  app: App,
  { blocklist, blocklists }: { blocklist?: string | null; blocklists?: readonly { blocklist: string }[] | null },
) {
  for (const name of [...(blocklist ? [blocklist] : []), ...(blocklists ?? []).map((named) => named.blocklist)])
    if (!app.blockLists.has(name)) throw inputError('blocklist', `block list ${name} does not exist`)
}
