import type { TextKey } from '../i18n/translate.ts'

/** Guests and apps, recognised by the role that the chat server or the product gives. */
const tags: Record<string, TextKey> = {
  guest: 'person.guest',
  anonymous: 'person.guest',
  /** a role of the product's own, for bots */
  bot: 'person.app',
}

/** The tag beside the name of a guest or an app; undefined for every other user [interface.md 7.27]. */
export function personTag({ role }: { role?: unknown }): TextKey | undefined {
  return typeof role === 'string' && Object.hasOwn(tags, role) ? tags[role] : undefined
}
