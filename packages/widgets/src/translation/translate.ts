import type { ChatClient, LocalMessage } from '@parley/client'
import { showTranslation } from './translated.ts'

/** What a message says in a language; undefined while it has not been translated. */
export function translationOf({ i18n }: Pick<LocalMessage, 'i18n'>, language: string): string | undefined {
  return i18n?.[`${language}_text`]
}

/**
 * Shows a message in a language; it is translated first where nobody has asked for that before.
 *
 * @returns the translation; undefined where the message turns out to be in that language already
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
