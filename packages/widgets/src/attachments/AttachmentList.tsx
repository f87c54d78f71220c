import type { Attachment, Channel, LocalMessage } from '@parley/client'
import { Suspense } from 'react'
import { lazyPart } from '../chat/lazy-part.tsx'
import { LazyGif } from '../giphy/LazyGif.tsx'
import { isPreview } from '../messages/message-parts.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { Gallery } from './Gallery.tsx'
import { LinkCard } from './LinkCard.tsx'
import { picturesOf } from './pictures.ts'

const AudioPlayer = lazyPart(() => import('./AudioPlayer.tsx'))
const FileCard = lazyPart(() => import('./FileCard.tsx'))
const VideoCard = lazyPart(() => import('./VideoCard.tsx'))

export interface AttachmentListProps extends RootProps<HTMLDivElement> {
  channel: Channel
  message: LocalMessage
  /** the reader entered the row with Enter: links and buttons are tab stops */
  entered: boolean
  onJump?: (messageId: string) => void
}

/**
 * The attachments of a message: pictures together, then each file by its type. Renders nothing without any.
 *
 * Style hooks: `.chat-gallery[data-count]`, `.chat-picture`, `.chat-file`, `.chat-video`, `.chat-audio[data-playing]`.
 */
export function AttachmentList({ channel, message, entered, onJump, ...given }: AttachmentListProps) {
  const pictures = picturesOf(message)
  const shown = new Set(pictures.map(({ attachment }) => attachment))
  const others = message.attachments.filter((one) => !isPreview(one) && !shown.has(one))
  if (pictures.length + others.length === 0) return null
  return (
    <div {...rootProps({ className: 'chat-attachments' }, given)}>
      {pictures.length > 0 && <Gallery channel={channel} pictures={pictures} entered={entered} onJump={onJump} />}
      {others.map((attachment, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no id of their own and keep their order.
        <Card key={place} channel={channel} message={message} attachment={attachment} entered={entered} />
      ))}
    </div>
  )
}

/** The link previews, below the text, if the reader's preference is on. */
export function LinkCards({ message, entered }: { message: LocalMessage; entered: boolean }) {
  const [{ previews }] = usePreferences()
  return (
    previews &&
    message.attachments
      .filter(isPreview)
      .map((attachment) => <LinkCard key={attachment.og_scrape_url} attachment={attachment} entered={entered} />)
  )
}

interface CardProps {
  channel: Channel
  message: LocalMessage
  attachment: Attachment
  entered: boolean
}

/** Each kind is loaded with the first attachment of that kind; until then it has an empty box. */
function Card({ channel, message, attachment, entered }: CardProps) {
  if (attachment.type === 'giphy') return <LazyGif attachment={attachment} entered={entered} />
  const { type, asset_url, original_width, original_height } = attachment
  const tabIndex = entered ? 0 : -1
  if (asset_url && (type === 'voiceRecording' || type === 'audio')) {
    return (
      <Suspense fallback={<div className="chat-audio" />}>
        <AudioPlayer said={{ channel, message }} attachment={attachment} tabIndex={tabIndex} />
      </Suspense>
    )
  }
  if (asset_url && type === 'video') {
    const ratio = original_width && original_height ? `${original_width} / ${original_height}` : undefined
    return (
      <Suspense fallback={<div className="chat-video" style={{ aspectRatio: ratio }} />}>
        <VideoCard attachment={attachment} ratio={ratio} tabIndex={tabIndex} />
      </Suspense>
    )
  }
  return (
    <Suspense fallback={<div className="chat-file" />}>
      <FileCard attachment={attachment} tabIndex={tabIndex} />
    </Suspense>
  )
}
