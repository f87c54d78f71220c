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

/** The further lines of a message are indented, so that none of them can look like a message of its own. */
const INDENT = '    '
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
/** Letters of right-to-left scripts. */
const TO_THE_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}]/u
/** Characters that some file system forbids in a name, and the spaces beside them. */
const NOT_IN_NAMES = /[\s\p{Cc}<>:"/\\|?*]+/gu

/** The reader's language and formats. */
interface Reader {
  t: Translate
  /** for dates and times, in the reader's time zone */
  locale: string
}

export interface ConversationTextOptions extends Reader {
  /** the title of the conversation */
  name: string
  now: Date
  /** cancels the export */
  signal: AbortSignal
  /** the number of messages so far */
  onCount: (count: number) => void
}

/**
 * A conversation as plain text: all messages its reader may read, oldest first. It is loaded from the newest page back,
 * without the channel's state, and only the text is kept.
 *
 * @throws ChatError — a page could not be loaded; ERR_CANCELED if it was cancelled
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
      // A message hidden from other members is visible to its author only.
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

/** The file name of an exported conversation: "Rack planning 2026-06-03.txt". */
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

/** The quote, text and attachments of a message, each on lines of its own. */
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

/**
 * One line that reads the same in any context: it contains no characters that change the text direction, or control a
 * terminal.
 */
function cleaned(text: string): string {
  const line = plainName(text).replace(/\p{Cc}|\p{Zl}|\p{Zp}/gu, ' ')
  return TO_THE_LEFT.test(line) ? `\u2068${line}\u2069` : line
}
