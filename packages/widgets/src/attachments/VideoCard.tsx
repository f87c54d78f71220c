import type { Attachment } from '@parley/client'
import { useState } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { safeLink } from '../messages/safe-link.ts'
import FileCard from './FileCard.tsx'
import { playsAlone } from './playing.ts'
import { useFetched } from './use-fetched.ts'

export interface VideoCardProps {
  attachment: Attachment
  /** ratio of width to height, as a CSS value; undefined if unknown */
  ratio: string | undefined
  tabIndex: number
}

/**
 * A video with the browser's own controls, in a box of its final size. One that cannot be played can still be saved.
 */
export default function VideoCard({ attachment, ratio, tabIndex }: VideoCardProps) {
  const t = useTranslate()
  const [broken, setBroken] = useState(false)
  const link = safeLink(attachment.asset_url ?? '')
  const fetched = useFetched()
  if (broken || !link) return <FileCard attachment={attachment} tabIndex={tabIndex} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: sent videos have no captions.
    <video
      className="chat-video"
      controls
      playsInline
      preload={fetched === 'small' || fetched === 'asked' ? 'none' : 'metadata'}
      src={link.href}
      poster={fetched === 'asked' ? undefined : safeLink(attachment.thumb_url ?? '')?.href}
      aria-label={attachment.title || t('message.video')}
      tabIndex={tabIndex}
      style={{ aspectRatio: ratio }}
      onPlay={(event) => playsAlone(event.currentTarget)}
      onError={() => setBroken(true)}
    />
  )
}
