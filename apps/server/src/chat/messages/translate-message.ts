import { LANGUAGE } from '@parley/protocol/channels'
import type { Message, MessageExtras } from '@parley/protocol/messages'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { type Access, stillThere } from '../channels/channel-access.ts'
import { composeMessages } from './compose-messages.ts'
import { withExtras } from './extras.ts'
import { missing } from './message-access.ts'
import { changeExtras } from './message-extras.ts'
import { messageById } from './message-store.ts'
import { publishUpdated } from './publish-updated.ts'

/** The most characters of a text that can be translated [messaging.md 5.7]. */
const TEXT_CHARS = 5_000
const isLanguage = new RegExp(LANGUAGE)

/** `language` is the language of the text, `<code>_text` the text in another language. */
export type Translations = Record<string, string>

/**
 * Adds a translation to a message and publishes it to the watchers. An existing translation is not requested again; an
 * edit of the text removes all translations.
 *
 * @throws ChatError InputError (4) — no service is set up or it fails, or the message has no translatable text
 */
export async function translateMessage(
  server: Server,
  { channel }: Access,
  row: MessageRow,
  language: string,
  viewer: UserRow | undefined,
): Promise<Message> {
  const { app, cid } = channel
  const { translator } = server
  if (!translator) throw new ChatError('InputError', 'translation is not configured')
  if (!isLanguage.test(language)) throw inputError('language', 'language must be the code of a language')
  if (row.deleted_at !== null || !translatable(row.text))
    throw new ChatError('InputError', `message ${row.id} has no text, or more than ${TEXT_CHARS} characters`)
  const before = i18nOf(row)
  if (before.language === language || before[textKey(language)] !== undefined) {
    const [known] = await composeMessages(server, app, [row], viewer?.id)
    return known!
  }
  const said = await translator.translate(row.text, language).catch((error: unknown) => {
    throw new ChatError('InputError', `the text could not be translated to ${language}`, { cause: error })
  })
  server.usage.translated(channel, 1)
  return server.commit.write(app, [cid], async (batch) => {
    stillThere(batch, channel)
    const now = await messageById(batch.db, app, row.id)
    if (!now || now.deleted_at !== null) throw missing(row.id)
    if (now.text !== row.text) throw new ChatError('InputError', `message ${row.id} was changed meanwhile`)
    const i18n = { ...i18nOf(now), language: said.language, [textKey(language)]: said.text }
    const changed = await publishTranslations(server, batch, now, i18n)
    const [message] = await composeMessages(server, app, [changed], viewer?.id, batch.db)
    return message!
  })
}

/** Stores the translations of a message and publishes them to the watchers. */
export async function publishTranslations(
  server: Server,
  batch: Batch,
  row: MessageRow,
  i18n: Translations,
): Promise<MessageRow> {
  const changed = await changeExtras(batch, row, withExtras(row, { i18n }))
  await publishUpdated(server, batch, changed)
  return changed
}

/** Whether a text is not blank and not too long. */
export function translatable(text: string): boolean {
  return text.trim() !== '' && [...text].length <= TEXT_CHARS
}

/** The field with the text in a language. */
export function textKey(language: string): string {
  return `${language}_text`
}

export function i18nOf({ extras_json }: MessageRow): Translations {
  return (extras_json === null ? {} : (JSON.parse(extras_json) as MessageExtras)).i18n ?? {}
}
