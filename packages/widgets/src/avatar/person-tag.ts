import type { TextKey } from '../i18n/translate.ts'

/** Who is no ordinary person of the product, by the role that the chat server or the product gives. */
const tags: Record<string, TextKey> = {
  guest: 'person.guest',
  anonymous: 'person.guest',
  /** a role of the product's own, for what speaks without being somebody */
  bot: 'person.app',
}

/** The word beside the name of a guest or an app; undefined for everybody else [interface.md 7.27]. */
export function personTag({ role }: { role?: unknown }): TextKey | undefined {
  return typeof role === 'string' && Object.hasOwn(tags, role) ? tags[role] : undefined
}
