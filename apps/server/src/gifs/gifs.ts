import type { Attachment } from '@parley/protocol/messages'

/** An animation as a message shows it, without the words it was found by [messaging.md 5.4]. */
export interface Gif {
  /** What one sees, for those who do not. */
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

/** All are texts on the wire. */
export interface RenditionFile {
  url: string
  width: string
  height: string
  size: string
  frames: string
}

/** Where animations come from. */
export interface Gifs {
  /**
   * An animation at random that fits the words; undefined when there is none, or when it could not be asked for.
   *
   * @param shown `title_link` of the one that is shown already: another one comes, if there is one
   */
  find(words: string, shown: string | undefined): Promise<Gif | undefined>
}

export function gifAttachment(words: string, { title, ...gif }: Gif): Attachment {
  return { type: 'giphy', title: words || title, fallback: title, ...gif }
}
