/** Translates new messages automatically where the channel or the app enables it [messaging.md 5.2]. */

import { inTime } from '../../platform/clock.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Translator } from '../../platform/translation/translator.ts'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { membersOfChannels } from '../members/members-of-channels.ts'
import { withExtras } from './extras.ts'
import { messageById } from './message-store.ts'
import { changePending } from './pending-store.ts'
import { i18nOf, publishTranslations, type Translations, textKey, translatable } from './translate-message.ts'

/** A message waits this long for its translations. Later ones follow as an event. */
const WAIT_MS = 2_000
/** The most members whose languages count, newest first, and the most languages for one message. */
const MEMBERS_ASKED = 100
const LANGUAGES_MAX = 10

/** The translations of a message, or the promise of them if they did not come in time. */
export interface AutoTranslation {
  now?: Translations | undefined
  later?: Promise<Translations | undefined>
}

/**
 * Translates a text into the channel's language, or, if none is set, into those of its members. A text that cannot
 * be translated stays as it is.
 */
export async function autoTranslationOf(server: Server, { channel }: Access, text: string): Promise<AutoTranslation> {
  const { translator, clock } = server
  const { auto_translation_enabled: everywhere } = server.apps.of(channel.app).settings
  if (!translator || !(channel.auto_translation_enabled || everywhere)) return {}
  if (!translatable(text)) return {}
  const { app, cid, auto_translation_language: named } = channel
  const languages = named === null ? await languagesSpoken(server, app, cid) : [named]
  if (languages.length === 0) return {}
  const translated = inLanguages(translator, text, languages).then((i18n) => {
    // One of the fields names the language of the text itself.
    if (i18n) server.usage.translated(channel, Object.keys(i18n).length - 1)
    return i18n
  })
  return inTime(clock, WAIT_MS, translated)
}

/**
 * Adds translations that came after the sender's wait, once the message is stored or pending, unless its text has
 * changed by then.
 *
 * @param stored resolves when the message is committed
 */
export function addLateTranslation(
  server: Server,
  { app, cid, id }: { app: string; cid: string; id: string },
  text: string,
  { later }: AutoTranslation,
  stored: Promise<unknown>,
) {
  if (!later) return
  const add = (i18n: Translations) =>
    server.commit.write(app, [cid], async (batch) => {
      const says = (row: MessageRow) => row.deleted_at === null && row.text === text
      const row = await messageById(batch.db, app, id)
      if (!row)
        return changePending(batch.db, app, id, (held) =>
          says(held) ? { extras_json: withExtras(held, { i18n: { ...i18nOf(held), ...i18n } }) } : undefined,
        )
      if (says(row) && batch.channel(app, cid))
        await publishTranslations(server, batch, row, { ...i18nOf(row), ...i18n })
    })
  void Promise.all([later, stored])
    .then(([i18n]) => i18n && add(i18n))
    // The sender already got the error if the message was not stored; lost translations alone need no report.
    .catch(() => {})
}

async function languagesSpoken(server: Server, app: string, cid: string): Promise<string[]> {
  const members = await membersOfChannels(server, app, [cid], { limit: MEMBERS_ASKED, offset: 0 })
  const users = await server.users.getAll(
    app,
    members.map((member) => member.user_id),
  )
  const languages = [...users.values()].map((user) => user.language).filter((language) => language !== '')
  return [...new Set(languages)].slice(0, LANGUAGES_MAX)
}

/** Undefined if every translation failed. */
async function inLanguages(
  translator: Translator,
  text: string,
  languages: readonly string[],
): Promise<Translations | undefined> {
  const said = await Promise.allSettled(languages.map((language) => translator.translate(text, language)))
  const found: Translations = {}
  for (const [i, outcome] of said.entries()) {
    if (outcome.status === 'rejected') continue
    found.language = outcome.value.language
    if (outcome.value.language !== languages[i]) found[textKey(languages[i]!)] = outcome.value.text
  }
  return found.language === undefined ? undefined : found
}
