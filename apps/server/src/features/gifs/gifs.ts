import type { Attachment } from '@parley/protocol/messages'

/** An animation in a message, without its query terms [messaging.md 5.4]. */
export interface Gif {
  /** The alternative text. */
  title: string
  title_link: string
  thumb_url: string
  giphy: Record<Rendition, RenditionFile>
}

export const renditions = [
  'original',
  'fixed_height',
  'fixed_height_still',
  'fixed_height_downsampled',
  'fixed_width',
  'fixed_width_still',
  'fixed_width_downsampled',
] as const
export type Rendition = (typeof renditions)[number]

/** All fields are strings on the wire. */
export interface RenditionFile {
  url: string
  width: string
  height: string
  size: string
  frames: string
}

/** A source of animations. */
export interface Gifs {
  /**
   * A random animation for the query; undefined when none is found or the service failed.
   *
   * @param shown `title_link` of the one shown already: another one is returned, if there is one
   */
  find(words: string, shown: string | undefined): Promise<Gif | undefined>
}

export function gifAttachment(words: string, { title, ...gif }: Gif): Attachment {
  return { type: 'giphy', title: words || title, fallback: title, ...gif }
}
