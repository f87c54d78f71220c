import { PICTURE_QUALITY, PICTURE_SIDE_PX_MAX } from '../limits.ts'

/** Image formats have their signature in the first bytes; metadata of a camera may be at the end. */
const HEAD_BYTES = 262_144
const TAIL_BYTES = 65_536

/** The formats a browser can both read and write. */
const DRAWN = ['image/jpeg', 'image/png', 'image/webp']

/**
 * A picture prepared for upload: no larger than it is displayed, and without the camera's metadata, above all the place
 * [ATT-20]. A picture that needs neither stays as it is, and so do animations and other files.
 */
export async function preparePicture(file: File): Promise<File> {
  if (!DRAWN.includes(file.type)) return file
  const marks = await marksOf(file)
  if (marks.isAnimated) return file
  const picture = await createImageBitmap(file)
  try {
    const scale = Math.min(1, PICTURE_SIDE_PX_MAX / Math.max(picture.width, picture.height))
    if (scale === 1 && !marks.tellsMore) return file
    const drawn = await redrawn(picture, scale, file.type)
    // A smaller picture in a larger file helps no user.
    if (!drawn || (!marks.tellsMore && drawn.size >= file.size)) return file
    return new File([drawn], file.name, { type: file.type, lastModified: file.lastModified })
  } finally {
    picture.close()
  }
}

/** Undefined if this browser cannot write the format. */
async function redrawn(picture: ImageBitmap, scale: number, type: string): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return undefined
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, type, PICTURE_QUALITY))
  return blob?.type === type ? blob : undefined
}

interface Marks {
  isAnimated: boolean
  /** it has metadata: when, where and by what camera it was taken */
  tellsMore: boolean
}

async function marksOf(file: File): Promise<Marks> {
  const [head, tail] = await Promise.all([
    letters(file.slice(0, HEAD_BYTES)),
    letters(file.slice(Math.max(HEAD_BYTES, file.size - TAIL_BYTES))),
  ])
  const has = (mark: string) => head.includes(mark) || tail.includes(mark)
  const tellsMore = ['Exif\0\0', 'EXIF', 'eXIf', 'http://ns.adobe.com/xap', 'XML:com.adobe.xmp', 'XMP '].some(has)
  return { tellsMore, isAnimated: ['acTL', 'ANIM'].some((mark) => head.includes(mark)) && file.type !== 'image/jpeg' }
}

/** Each byte as one letter, so that the names of chunks can be searched. */
async function letters(part: Blob): Promise<string> {
  return new TextDecoder('latin1').decode(await part.arrayBuffer())
}
