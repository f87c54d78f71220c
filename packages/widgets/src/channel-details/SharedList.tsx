import type { Channel } from '@parley/client'
import { FileName } from '../attachments/FileName.tsx'
import { fileSize } from '../attachments/file-words.ts'
import { factsOf, monthName } from '../i18n/format.ts'
import { fullTime, rowTime } from '../i18n/row-time.ts'
import { useTranslation } from '../i18n/translate.ts'
import { FileIcon, PlayIcon } from '../theme/more-icons.tsx'
import { PageEnd } from './PageEnd.tsx'
import { byMonth, type Shared, type SharedKind, useShared } from './use-shared.ts'

export interface SharedListProps {
  channel: Channel
  kind: SharedKind
  onJump: (messageId: string) => void
}

/** Photos or files of a channel, month by month; a press leads to their message. */
export function SharedList({ channel, kind, onJump }: SharedListProps) {
  const { language } = useTranslation()
  const { items: shared, at, hasMore, load } = useShared(channel, kind)
  return (
    <>
      {byMonth(shared).map(({ month, shared }) => (
        <section key={month.getTime()} aria-label={monthName(language, month)}>
          <h4 className="chat-people-title">{monthName(language, month)}</h4>
          <ul className={kind === 'media' ? 'chat-shared-media' : 'chat-people'}>
            {shared.map((one) => (
              <li key={one.key}>
                {kind === 'media' ? <Picture one={one} onJump={onJump} /> : <SharedFile one={one} onJump={onJump} />}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <PageEnd
        at={at}
        isEmpty={shared.length === 0}
        hasMore={hasMore}
        load={load}
        says={{
          loading: 'details.shared.loading',
          none: kind === 'media' ? 'details.media.none' : 'details.files.none',
          failed: 'details.shared.failed',
        }}
      />
    </>
  )
}

interface OneProps {
  one: Shared
  onJump: (messageId: string) => void
}

function Picture({ one, onJump }: OneProps) {
  const { t, language, locale } = useTranslation()
  const { attachment, by, sent, messageId } = one
  const picture = attachment.thumb_url ?? attachment.image_url
  const facts = [t(attachment.type === 'video' ? 'message.video' : 'message.photo'), by, fullTime(locale, sent)]
  return (
    <button
      type="button"
      className="chat-shared-picture"
      aria-label={factsOf(language, facts)}
      title={factsOf(language, facts)}
      onClick={() => onJump(messageId)}
    >
      {picture && <img src={picture} alt="" loading="lazy" decoding="async" />}
      {attachment.type === 'video' && <PlayIcon />}
    </button>
  )
}

function SharedFile({ one, onJump }: OneProps) {
  const { t, language, locale } = useTranslation()
  const { attachment, by, sent, messageId } = one
  const size = Number(attachment.file_size)
  const facts = [by, rowTime(locale, sent, new Date()), ...(size > 0 ? [fileSize(language, size)] : [])]
  return (
    <button type="button" className="chat-shared-file" onClick={() => onJump(messageId)}>
      <span className="chat-shared-icon">
        <FileIcon />
      </span>
      <span className="chat-member-words">
        <FileName name={attachment.title ?? attachment.fallback ?? t('message.attachment')} />
        <span className="chat-member-about">
          <bdi>{factsOf(language, facts)}</bdi>
        </span>
      </span>
    </button>
  )
}
