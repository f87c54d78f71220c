import Type, { type Static } from 'typebox'
import { answer } from './wire.ts'

/** Bytes of the largest file, unless the app's settings set a lower limit [ATT-13]. */
export const UPLOAD_BYTES = 104_857_600

/** What an image may be [ATT-15]; the app's settings can only narrow it. */
export const imageTypes = [
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heic-sequence',
  'image/heif',
  'image/heif-sequence',
  'image/svg+xml',
] as const

/** Width or height of a resized image, in pixels. */
export const RESIZED_PIXELS_MAX = 4_096
export const UPLOAD_SIZES_MAX = 10

/** `clip` fits into the box, `crop` fills it and cuts off, `scale` stretches, `fill` fits in and pads. */
export const Resize = Type.Enum(['clip', 'crop', 'scale', 'fill'])
export type Resize = Static<typeof Resize>
/** Which part stays when it is cropped. */
export const Crop = Type.Enum(['center', 'top', 'bottom', 'left', 'right'])
export type Crop = Static<typeof Crop>

const side = Type.Integer({ minimum: 1, maximum: RESIZED_PIXELS_MAX })

/** A size in which an image is wanted; on the image's address they are called `w`, `h`, `resize` and `crop`. */
export const ImageSize = Type.Object({
  width: Type.Optional(side),
  height: Type.Optional(side),
  resize: Type.Optional(Resize),
  crop: Type.Optional(Crop),
})
export type ImageSize = Static<typeof ImageSize>

/** The part `upload_sizes` of an image upload, as JSON. */
export const UploadSizes = Type.Array(ImageSize, { maxItems: UPLOAD_SIZES_MAX })

/**
 * The fields of an upload beside its file, each in a part of its own. The file's part is called `file` and has a file name
 * and a content type.
 */
export const UploadForm = Type.Object({
  file: Type.String({ format: 'binary' }),
  user: Type.Optional(Type.String({ description: 'server side: JSON {"id":…}' })),
  upload_sizes: Type.Optional(Type.String({ description: 'JSON [{"width","height","resize","crop"}], images only' })),
})

/** Addresses are signed and expire; they are renewed wherever they are given again [ATT-16]. */
export const UploadAnswer = answer({
  file: Type.String({ description: 'the address of the file' }),
  thumb_url: Type.Optional(Type.String({ description: 'a small picture of it' })),
  rendition_url: Type.Optional(Type.String({ description: 'of sound: an MP3, which every browser plays' })),
  upload_sizes: Type.Optional(
    Type.Array(Type.Object({ ...ImageSize.properties, url: Type.String() }), { description: 'the sizes asked for' }),
  ),
  original_width: Type.Optional(Type.Integer({ description: 'pixels, upright' })),
  original_height: Type.Optional(Type.Integer()),
})
export type UploadAnswer = Static<typeof UploadAnswer>

export const FileQuery = Type.Object({ url: Type.String({ minLength: 1 }) })

export const LinkQuery = Type.Object({ url: Type.Optional(Type.String()) })

const text = Type.Optional(Type.String())

/** The preview of a link is an attachment like any other; `og_scrape_url` marks it [messaging.md 5.4]. */
export const LinkPreview = Type.Object({
  og_scrape_url: Type.String({ description: 'the address that was asked for' }),
  type: Type.Optional(Type.Enum(['image', 'video', 'audio'])),
  title: text,
  title_link: text,
  text,
  image_url: text,
  thumb_url: text,
  asset_url: text,
  author_name: text,
  author_link: text,
  author_icon: text,
  original_width: Type.Optional(Type.Integer()),
  original_height: Type.Optional(Type.Integer()),
})
export type LinkPreview = Static<typeof LinkPreview>
export const LinkPreviewAnswer = answer(LinkPreview.properties)
