import type { Attachment, LocalMessage } from '@parley/client'
import { isDeleted } from '../messages/message-parts.ts'
import { safeLink } from '../messages/safe-link.ts'

/** The sides of the box of a single picture in a bubble, in px; and the ratio of one whose size is unknown. */
const PICTURE_PX_MAX = 360
const PICTURE_PX_MIN = 80
const UNKNOWN_RATIO = 4 / 3

/** One picture of a message. */
export interface Picture {
  /** of the message, and the index of the picture in it */
  key: string
  message: LocalMessage
  attachment: Attachment
  url: string
  /** the thumbnail, not animated */
  thumb: string
  name: string
  /** its description by the sender; empty if there is none */
  about: string
}

/** The attached pictures, in their order; the picture of a link preview is not included. */
export function picturesOf(message: LocalMessage): Picture[] {
  if (isDeleted(message)) return []
  return message.attachments.flatMap((attachment, place) => {
    const url = safeLink(attachment.image_url ?? attachment.thumb_url ?? '')?.href
    if (attachment.type !== 'image' || attachment.og_scrape_url || !url) return []
    const thumb = safeLink(attachment.thumb_url ?? '')?.href ?? url
    const name = attachment.title || attachment.fallback || ''
    return [{ key: `${message.id} ${place}`, message, attachment, url, thumb, name, about: altTextOf(attachment) }]
  })
}

/** The description of a picture by its sender; empty if there is none [ATT-19]. */
export function altTextOf({ alt_text }: Attachment): string {
  return typeof alt_text === 'string' ? alt_text : ''
}

/** Formats that few browsers draw, by type and by the end of the name. */
const DRAWN_BY_FEW = /^image\/(hei[cf]|tiff|jxl|jp2|vnd\.|x-)|\.(hei[cf]|tiff?|jxl|jp2|psd|dng|cr[23]|nef|arw)$/i

/** Whether another attempt to draw a picture would fail in the same browser as well. */
export function isDrawnByFew({ mime_type, title, fallback }: Attachment): boolean {
  return [mime_type, title, fallback].some((text) => typeof text === 'string' && DRAWN_BY_FEW.test(text))
}

/**
 * The box of a single picture in its bubble, in px, known before the picture loads, so that nothing moves when it does.
 */
export function boxOf({ original_width, original_height }: Attachment): { width: number; height: number } {
  if (!original_width || !original_height) return { width: PICTURE_PX_MAX, height: PICTURE_PX_MAX / UNKNOWN_RATIO }
  const scale = Math.min(1, PICTURE_PX_MAX / original_width, PICTURE_PX_MAX / original_height)
  const side = (original: number) => Math.max(PICTURE_PX_MIN, Math.round(original * scale))
  return { width: side(original_width), height: side(original_height) }
}
