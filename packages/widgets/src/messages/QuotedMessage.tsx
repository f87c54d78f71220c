import type { LocalMessage } from '@parley/client'
import { useFetched } from '../attachments/use-fetched.ts'
import { hueOf } from '../avatar/avatar-look.ts'
import { truncate } from '../i18n/graphemes.ts'
import { useTranslate } from '../i18n/translate.ts'
import { QUOTE_CHARS } from '../limits.ts'
import { nameOf } from './message-name.ts'
import type { Summarized } from './message-summary.ts'
import { messageSummary } from './message-summary.ts'
import { safeLink } from './safe-link.ts'

export interface QuotedMessageProps {
  /** this part is read out after the text of the row */
  id: string
  /** nothing if the message is missing, or hidden from this reader */
  quoted: (Summarized & { id: string; user: LocalMessage['user'] }) | null | undefined
  entered: boolean
  onJump?: (messageId: string) => void
}

/** The quoted message, in two lines; pressing it goes to the message [MSG-31]. */
export function QuotedMessage({ id, quoted, entered, onJump }: QuotedMessageProps) {
  const t = useTranslate()
  const fetched = useFetched()
  if (!quoted || quoted.type === 'deleted' || quoted.deleted_at) {
    return (
      <p className="chat-quote chat-tombstone" id={id}>
        {t(quoted ? 'quote.deleted' : 'message.unavailable')}
      </p>
    )
  }
  const picture = quoted.attachments.find(({ type }) => type === 'image')
  const thumbnail = picture?.thumb_url ?? picture?.image_url
  const author = nameOf(t, quoted)
  const text = truncate(messageSummary(t, quoted), QUOTE_CHARS)
  return (
    <button
      type="button"
      className="chat-quote"
      style={{ '--chat-avatar-hue': hueOf(quoted.user.id) } as React.CSSProperties}
      tabIndex={entered ? 0 : -1}
      title={onJump ? t('quote.jump', { author }) : t('quote.to', { author, text })}
      disabled={!onJump}
      onClick={() => onJump?.(quoted.id)}
    >
      <span className="chat-hidden" id={id}>
        {t('quote.to', { author, text })}
      </span>
      {fetched !== 'asked' && thumbnail && safeLink(thumbnail) && (
        <img className="chat-quote-picture" src={thumbnail} alt="" loading="lazy" decoding="async" />
      )}
      <span className="chat-quote-words" aria-hidden="true">
        <bdi className="chat-quote-author">{author}</bdi>
        <span className="chat-quote-text" dir="auto">
          {text}
        </span>
      </span>
    </button>
  )
}
