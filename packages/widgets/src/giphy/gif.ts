import type { Attachment } from '@parley/client'

/** One size of an animation; on the wire all are strings [messaging.md 5.4]. */
interface Rendition {
  url: string
  width: string
  height: string
}

/** An animation as displayed, in px. */
export interface Gif {
  title: string
  url: string
  /** its first frame; undefined if there is none */
  still: string | undefined
  width: number
  height: number
}

/** The largest side in a bubble. */
const SIDE_PX = 280
const UNKNOWN_SIDE_PX = 200

/** Undefined for any other attachment, one without a picture included. */
export function gifOf(attachment: Attachment): Gif | undefined {
  if (attachment.type !== 'giphy') return undefined
  const renditions = (attachment.giphy ?? {}) as Partial<Record<string, Rendition>>
  const shown = renditions.fixed_height ?? renditions.original
  const url = shown?.url ?? attachment.thumb_url
  if (!url) return undefined
  const width = Number(shown?.width) || UNKNOWN_SIDE_PX
  const height = Number(shown?.height) || UNKNOWN_SIDE_PX
  const scale = Math.min(1, SIDE_PX / width, SIDE_PX / height)
  return {
    title: attachment.title || attachment.fallback || '',
    url,
    still: renditions.fixed_height_still?.url,
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  }
}

interface GifOrNot {
  command?: string
  attachments: readonly Attachment[]
}

/** The text of such a message is its command; it adds nothing to the picture. */
export function isGif({ command, attachments }: GifOrNot): boolean {
  return command === 'giphy' && attachments[0]?.type === 'giphy'
}
