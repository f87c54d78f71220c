import type { Attachment } from '@parley/client'
import { GifPicture } from '../giphy/GifPicture.tsx'
import { gifOf } from '../giphy/gif.ts'
import { useTranslate } from '../i18n/translate.ts'
import { FileIcon } from '../theme/icons.tsx'
import { safeLink } from './safe-link.ts'

/** The largest picture in a bubble, and the ratio of one whose size is unknown. */
const PICTURE_PX = 360
const UNKNOWN_RATIO = 4 / 3

/** Pictures in a box of their final size, everything else as a line that opens it. */
export function AttachmentList({ attachments, entered }: { attachments: readonly Attachment[]; entered: boolean }) {
  if (attachments.length === 0) return null
  return (
    <div className="chat-attachments">
      {attachments.map((attachment, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no id of their own and keep their order.
        <AttachmentCard key={place} attachment={attachment} entered={entered} />
      ))}
    </div>
  )
}

function AttachmentCard({ attachment, entered }: { attachment: Attachment; entered: boolean }) {
  const t = useTranslate()
  const gif = gifOf(attachment)
  if (gif) return <GifPicture gif={gif} entered={entered} />
  const picture = attachment.image_url ?? attachment.thumb_url
  const link = safeLink(attachment.asset_url ?? attachment.title_link ?? attachment.og_scrape_url ?? picture ?? '')
  const name = attachment.title ?? attachment.fallback ?? t('message.attachment')
  if (attachment.type === 'image' && picture && link) {
    const { width, height } = pictureSize(attachment)
    return (
      <a
        className="chat-picture"
        href={link.href}
        target="_blank"
        rel="noopener noreferrer"
        tabIndex={entered ? 0 : -1}
        aria-label={t('message.openPhoto', { name })}
      >
        <img src={picture} alt={name} width={width} height={height} loading="lazy" decoding="async" />
      </a>
    )
  }
  const words = (
    <>
      <FileIcon />
      <bdi>{name}</bdi>
    </>
  )
  if (!link) return <span className="chat-file">{words}</span>
  return (
    <a className="chat-file" href={link.href} target="_blank" rel="noopener noreferrer" tabIndex={entered ? 0 : -1}>
      {words}
    </a>
  )
}

/** The box is laid out before the picture arrives, so nothing moves when it does. */
function pictureSize({ original_width, original_height }: Attachment): { width: number; height: number } {
  if (!original_width || !original_height) return { width: PICTURE_PX, height: PICTURE_PX / UNKNOWN_RATIO }
  const scale = Math.min(1, PICTURE_PX / original_width, PICTURE_PX / original_height)
  return { width: Math.round(original_width * scale), height: Math.round(original_height * scale) }
}
