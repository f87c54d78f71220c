import type { ChatClient, LocalMessage } from '@parley/client'
import { showTranslation } from './translated.ts'

/** The text of a message in a language; undefined while it is not translated. */
export function translationOf({ i18n }: Pick<LocalMessage, 'i18n'>, language: string): string | undefined {
  return i18n?.[`${language}_text`]
}

/**
 * Shows a message in a language; the server translates it first if it has no translation yet.
 *
 * @returns the translation; undefined if the message is in that language already
 * @throws ChatError — it could not be translated
 */
export async function translate(
  client: ChatClient,
  message: LocalMessage,
  language: string,
): Promise<string | undefined> {
  const text =
    translationOf(message, language) ??
    translationOf((await client.translateMessage(message.id, language)).message, language)
  if (text !== undefined) showTranslation(message.id, true)
  return text
}
