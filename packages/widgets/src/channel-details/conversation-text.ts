import type { Answer, Attachment, Channel, ChannelStateAnswer, ChatClient, Message } from '@parley/client'
import { plainName } from '../attachments/file-words.ts'
import { outcomeOf } from '../commands/outcome.ts'
import { isGif } from '../giphy/gif.ts'
import { dateAndTime } from '../i18n/format.ts'
import { truncate } from '../i18n/graphemes.ts'
import { dateFormat } from '../i18n/row-time.ts'
import type { Translate } from '../i18n/translate.ts'
import { FILE_NAME_CHARS, QUOTE_CHARS, SAVED_PAGE } from '../limits.ts'
import { isoDay } from '../message-list/day-name.ts'
import { sameDay } from '../message-list/message-rows.ts'
import { nameOf } from '../messages/message-name.ts'
import { isPreview } from '../messages/message-parts.ts'
import { messageSummary } from '../messages/message-summary.ts'

/** Lines after the first of a message stand further in, so that none of them can pass for a message of its own. */
const INDENT = '    '
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
/** Letters that are written from right to left. */
const TO_THE_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}]/u
/** What some file system does not take in a name, and the spaces beside it. */
const NOT_IN_NAMES = /[\s\p{Cc}<>:"/\\|?*]+/gu

/** How somebody reads. */
interface Reader {
  t: Translate
  /** for dates and times, which are those of the reader’s time zone */
  locale: string
}

export interface ConversationTextOptions extends Reader {
  /** what the conversation is called */
  name: string
  now: Date
  /** gives it up */
  signal: AbortSignal
  /** how many messages have come so far */
  onCount: (count: number) => void
}

/**
 * A conversation as plain text: all that its reader may read of it, oldest first. It is read from the newest page back
 * and past the state of the channel, and of what was read only the text is kept.
 *
 * @throws ChatError — a page did not come; ERR_CANCELED when it was given up
 */
export async function conversationText(
  client: ChatClient,
  { type, id }: Channel,
  { name, now, signal, onCount, ...reader }: ConversationTextOptions,
): Promise<Blob> {
  const path = `/channels/${type}/${encodeURIComponent(id ?? '')}/query`
  const newestFirst: string[] = []
  let count = 0
  let day: Date | undefined
  let page: readonly Message[] = []
  do {
    const asked = { limit: SAVED_PAGE, id_lt: page[0]?.id }
    const body = { state: true, watch: false, presence: false, messages: asked }
    page = (await client.request<Answer<ChannelStateAnswer>>('POST', path, { body, signal })).messages
    for (const message of page.toReversed()) {
      // What is kept from everybody else, its author sees alone.
      if (message.shadowed && message.user?.id !== client.userID) continue
      const sent = new Date(message.created_at)
      if (day && !sameDay(sent, day)) newestFirst.push(dayLine(day, reader))
      day = sent
      newestFirst.push(messageLines(message, sent, reader))
      count += 1
    }
    onCount(count)
  } while (page.length >= SAVED_PAGE)
  if (day) newestFirst.push(dayLine(day, reader))
  newestFirst.push(`${cleaned(name)}\n${reader.t('details.save.at', { time: dateAndTime(reader.locale, now) })}\n`)
  return new Blob(newestFirst.reverse(), { type: 'text/plain;charset=utf-8' })
}

/** What the file of a conversation is called: "Rack planning 2026-06-03.txt". */
export function conversationFile(t: Translate, name: string, now: Date): string {
  const named = truncate(
    plainName(name)
      .replace(NOT_IN_NAMES, ' ')
      .replace(/^[ .]+/, ''),
    FILE_NAME_CHARS,
  ).trim()
  return `${named || t('channels.unnamed')} ${isoDay(now)}.txt`
}

function dayLine(day: Date, { locale }: Reader): string {
  return `\n${dateFormat(locale, 'day in full', { dateStyle: 'full' }).format(day)}\n\n`
}

function messageLines(message: Message, sent: Date, { t, locale }: Reader): string {
  const said = linesOf(t, message).map(cleaned).join(`\n${INDENT}`)
  const author = message.type === 'system' ? '' : `${cleaned(nameOf(t, message))}: `
  return `${dateAndTime(locale, sent)}  ${author}${said}\n`
}

/** What a message answers, says and carries, each on lines of its own. */
function linesOf(t: Translate, message: Message): string[] {
  const { type, deleted_at, parent_id, quoted_message_id, quoted_message, attachments = [], poll } = message
  const whole = { ...message, attachments }
  if (type === 'deleted' || deleted_at) return [t('message.deleted')]
  const gif = isGif(whole)
  const words = gif ? messageSummary(t, whole) : (outcomeOf(t, message)?.text ?? message.text)
  return [
    ...(parent_id ? [`(${t('thread.inChannel')})`] : []),
    ...(quoted_message_id ? [`(${quoteOf(t, quoted_message)})`] : []),
    ...(words ? words.split(LINE_END) : []),
    ...(poll ? [t('message.poll', { question: poll.name })] : []),
    ...attachments.filter((one) => !gif && !isPreview(one)).map((one) => `[${attachmentName(t, one)}]`),
  ]
}

function quoteOf(t: Translate, quoted: Message | null | undefined): string {
  if (!quoted) return t('message.unavailable')
  if (quoted.type === 'deleted' || quoted.deleted_at) return t('quote.deleted')
  const text = messageSummary(t, { ...quoted, attachments: quoted.attachments ?? [] })
  return t('quote.to', { author: nameOf(t, quoted), text: truncate(text, QUOTE_CHARS) })
}

function attachmentName(t: Translate, attachment: Attachment): string {
  const { title, fallback } = attachment
  return title || fallback || messageSummary(t, { type: 'regular', text: '', attachments: [attachment] })
}

/** One line that says what it says wherever it stands: nothing in it turns what is around it, or steers a terminal. */
function cleaned(text: string): string {
  const line = plainName(text).replace(/\p{Cc}|\p{Zl}|\p{Zp}/gu, ' ')
  return TO_THE_LEFT.test(line) ? `\u2068${line}\u2069` : line
}
