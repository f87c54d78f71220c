import type { Attachment, Channel, LocalMessage } from '@parley/client'
import { lazy, Suspense } from 'react'
import { GifPicture } from '../giphy/GifPicture.tsx'
import { gifOf } from '../giphy/gif.ts'
import { FileCard } from './FileCard.tsx'
import { Gallery } from './Gallery.tsx'
import { LinkCard } from './LinkCard.tsx'
import { picturesOf } from './pictures.ts'
import { VideoCard } from './VideoCard.tsx'

const AudioPlayer = lazy(() => import('./AudioPlayer.tsx'))

export interface AttachmentListProps {
  channel: Channel
  message: LocalMessage
  /** the reader went inside the row: links and buttons are tab stops */
  entered: boolean
  onJump?: (messageId: string) => void
}

/** What people sent with their words: pictures together, then each file as what it is. */
export function AttachmentList({ channel, message, entered, onJump }: AttachmentListProps) {
  const pictures = picturesOf(message)
  const shown = new Set(pictures.map(({ attachment }) => attachment))
  const others = message.attachments.filter((one) => !one.og_scrape_url && !shown.has(one))
  if (pictures.length + others.length === 0) return null
  return (
    <div className="chat-attachments">
      {pictures.length > 0 && <Gallery channel={channel} pictures={pictures} entered={entered} onJump={onJump} />}
      {others.map((attachment, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no id of their own and keep their order.
        <Card key={place} attachment={attachment} entered={entered} />
      ))}
    </div>
  )
}

/** What the links in the words lead to, below the words. */
export function LinkCards({ message, entered }: { message: LocalMessage; entered: boolean }) {
  return message.attachments
    .filter((attachment) => attachment.og_scrape_url)
    .map((attachment) => <LinkCard key={attachment.og_scrape_url} attachment={attachment} entered={entered} />)
}

function Card({ attachment, entered }: { attachment: Attachment; entered: boolean }) {
  const gif = gifOf(attachment)
  if (gif) return <GifPicture gif={gif} entered={entered} />
  const { type, asset_url } = attachment
  if (asset_url && (type === 'voiceRecording' || type === 'audio')) {
    return (
      <Suspense fallback={<div className="chat-audio" />}>
        <AudioPlayer attachment={attachment} tabIndex={entered ? 0 : -1} />
      </Suspense>
    )
  }
  if (asset_url && type === 'video') return <VideoCard attachment={attachment} entered={entered} />
  return <FileCard attachment={attachment} entered={entered} />
}
