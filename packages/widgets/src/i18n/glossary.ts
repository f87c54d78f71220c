/** What a thing is called: in the English texts, and in those of every other language. */
export interface Term {
  /** Where the English text has this, the translation has the word of its language. */
  english: RegExp
  /** The beginning of the word, in all its forms. */
  words: Record<string, RegExp>
}

export type TermName =
  | 'conversation'
  | 'thread'
  | 'pin'
  | 'mute'
  | 'ban'
  | 'block'
  | 'report'
  | 'draft'
  | 'archive'
  | 'read-only'

/**
 * The glossary of the kit and the product: one word per thing and language, also where English has two ("ban" and
 * "block" are never the same word). A change here changes every text; the test names those that lack the word.
 */
export const glossary: Record<TermName, Term> = {
  conversation: {
    english: /\bconversations?\b/i,
    words: {
      de: /chat/i,
      es: /conversaci[oó]n/i,
      fr: /conversation/i,
      hi: /चैट/,
      it: /chat|conversazion/i,
      ja: /チャット/,
      ko: /채팅|대화/,
      nl: /gesprek/i,
      pt: /conversa/i,
      ru: /чат|разговор/i,
      tr: /sohbet/i,
    },
  },
  thread: {
    english: /\bthreads?\b/i,
    words: {
      de: /thread/i,
      es: /hilo/i,
      fr: /fils? de discussion/i,
      hi: /थ्रेड/,
      it: /thread/i,
      ja: /スレッド/,
      ko: /스레드/,
      nl: /thread/i,
      pt: /tópico/i,
      ru: /вет(ка|ке|ки|ку|ок)/i,
      tr: /konu/i,
    },
  },
  pin: {
    english: /\b(un)?pin(s|ned|ning)?\b/i,
    words: {
      de: /heft|loslös|losgelöst/i,
      es: /fij/i,
      fr: /pingl/i,
      hi: /पिन/,
      it: /fiss/i,
      ja: /ピン留め/,
      ko: /고정/,
      nl: /vast|losma|losgemaakt/i,
      pt: /fix/i,
      ru: /(за|от)креп/i,
      tr: /sabitle/i,
    },
  },
  mute: {
    english: /\b(un)?mut(e|es|ed|ing)\b/i,
    words: {
      de: /stumm/i,
      es: /silenci/i,
      fr: /sourdine/i,
      hi: /म्यूट/,
      it: /silenzi/i,
      ja: /ミュート/,
      // A person is muted; of a conversation, the notifications are turned off.
      ko: /뮤트|알림/,
      nl: /demp/i,
      pt: /silenci/i,
      // The messages of a person are hidden; the notifications of a conversation are off.
      ru: /сообщени|скры|без звука|уведомлени|отключ/i,
      tr: /sessiz|sesi/i,
    },
  },
  ban: {
    english: /\b(un)?ban(s|ned|ning)?\b/i,
    words: {
      de: /sperr/i,
      es: /\bvet/i,
      fr: /bann/i,
      hi: /बैन/,
      it: /\bban/i,
      ja: /禁止/,
      ko: /금지/,
      nl: /verban/i,
      pt: /bani/i,
      ru: /запре[тщ]/i,
      tr: /yasa[kğ]/i,
    },
  },
  block: {
    english: /\b(un)?block(s|ed|ing)?\b/i,
    words: {
      de: /block/i,
      es: /bloque/i,
      fr: /bloqu/i,
      hi: /ब्लॉक/,
      it: /blocc/i,
      ja: /ブロック/,
      ko: /차단/,
      nl: /blokk/i,
      pt: /bloque/i,
      ru: /блокир/i,
      tr: /engel/i,
    },
  },
  report: {
    english: /\breport(s|ed|ing)?\b/i,
    words: {
      de: /meld/i,
      es: /denunci/i,
      fr: /signal/i,
      hi: /रिपोर्ट/,
      it: /segnal/i,
      ja: /報告/,
      ko: /신고/,
      nl: /meld/i,
      pt: /den[uú]nci/i,
      ru: /жалоб|жалова/i,
      tr: /şikayet/i,
    },
  },
  draft: {
    english: /\bdrafts?\b/i,
    words: {
      de: /entw[uü]rf/i,
      es: /borrador/i,
      fr: /brouillon/i,
      hi: /ड्राफ़्ट/,
      it: /bozz/i,
      ja: /下書き/,
      ko: /임시 저장/,
      nl: /concept/i,
      pt: /rascunho/i,
      ru: /черновик/i,
      tr: /tasla[kğ]/i,
    },
  },
  archive: {
    english: /archiv/i,
    words: {
      de: /archiv/i,
      es: /archiv/i,
      fr: /archiv/i,
      hi: /आर्काइव/,
      it: /archivi/i,
      ja: /アーカイブ/,
      ko: /보관/,
      nl: /archiv/i,
      pt: /arquiv/i,
      ru: /архив/i,
      tr: /arşiv/i,
    },
  },
  'read-only': {
    english: /\bread-only\b/i,
    words: {
      de: /schreib(schutz|geschützt)/i,
      es: /solo lectura/i,
      fr: /lecture seule/i,
      hi: /सिर्फ़ पढ़ने/,
      it: /sola lettura/i,
      ja: /閲覧のみ/,
      ko: /읽기 전용/,
      nl: /alleen-lezen/i,
      pt: /somente leitura/i,
      ru: /только (для )?чтени/i,
      tr: /salt okunur/i,
    },
  },
}

/** Two things that users would mistake for each other if a text of one had the word of the other. */
const confusable = [
  ['ban', 'block'],
  ['block', 'ban'],
] as const

const TURNED_ON = 'the opposite of muting notifications is turning them on'
const TALK = 'on the first page a conversation is people who talk, not an entry of the list'

/** Texts that lack the word of a term, by language, and why that is right. */
export const exceptions: Record<string, Record<string, string>> = {
  de: { 'details.unmute': TURNED_ON, 'welcome.lead': TALK, 'welcome.slide.together': TALK },
  es: { 'details.unmute': TURNED_ON },
  fr: { 'details.unmute': TURNED_ON, 'actions.thread': 'a menu entry has no room for "de discussion"' },
  hi: { 'welcome.lead': TALK, 'welcome.slide.together': TALK },
  it: { 'details.unmute': TURNED_ON },
  ja: { 'welcome.lead': TALK, 'welcome.slide.together': TALK },
  nl: { 'details.unmute': TURNED_ON },
  pt: { 'details.unmute': TURNED_ON },
  tr: { 'details.unmute': TURNED_ON },
}

/** The translations that lack the word of a term, or that have the word for "block" where "ban" is meant, or the reverse. */
export function strayWords(
  language: string,
  english: Record<string, string>,
  translated: Record<string, string>,
  left = exceptions,
): string[] {
  const terms = Object.entries(glossary)
  return Object.entries(translated).flatMap(([key, text]) => {
    if (left[language]?.[key]) return []
    const inEnglish = withoutNames(english[key]!)
    const meant = terms.filter(([, term]) => term.english.test(inEnglish))
    const lacking = meant.filter(([, { words }]) => !words[language]!.test(text)).map(([name]) => name)
    const confused = confusable
      .filter(([one, other]) => meant.some(([name]) => name === one) && !meant.some(([name]) => name === other))
      .filter(([, other]) => glossary[other].words[language]!.test(text))
      .map(([, other]) => `not ${other}`)
    return [...lacking, ...confused].map((fault) => `${key}: ${fault}: ${text}`)
  })
}

/** A text without the names of its placeholders, which are English in every language. */
export function withoutNames(text: string): string {
  return text.replace(/\{\w+[,}]/g, '')
}
