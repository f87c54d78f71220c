import type { Attachment } from '@parley/client'
import { Suspense } from 'react'
import { lazyPart } from '../chat/lazy-part.tsx'
import { gifOf } from './gif.ts'

const GifPicture = lazyPart(() => import('./GifPicture.tsx'))

/** An animation, with a placeholder until its component is loaded; nothing for any other attachment. */
export function LazyGif({ attachment, entered }: { attachment: Attachment; entered: boolean }) {
  const gif = gifOf(attachment)
  if (!gif) return null
  const { width, height } = gif
  return (
    <Suspense fallback={<div className="chat-gif" style={{ inlineSize: width, blockSize: height }} />}>
      <GifPicture gif={gif} entered={entered} mine={'actions' in attachment} />
    </Suspense>
  )
}
