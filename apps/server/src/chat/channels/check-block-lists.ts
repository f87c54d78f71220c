import { inputError } from '../../platform/chat-error.ts'
import type { App } from '../apps/app.ts'

/** The built-in list of profanities, which cannot be changed [administration.md 5.1]. */
export const BUILT_IN_LIST = 'profanity_en_2020_v1'

/** @throws ChatError InputError (4) — a named list does not exist */
export function checkBlockLists(
  app: App,
  { blocklist, blocklists }: { blocklist?: string | null; blocklists?: readonly { blocklist: string }[] | null },
) {
  for (const name of [...(blocklist ? [blocklist] : []), ...(blocklists ?? []).map((named) => named.blocklist)])
    if (name !== BUILT_IN_LIST && !app.rulesOf('block_list').some((rule) => rule.name === name))
      throw inputError('blocklist', `block list ${name} does not exist`)
}
