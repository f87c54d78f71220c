/** Enough for an unedited phone photo. */
export const PICTURE_BYTES = 10 * 1_048_576

/** More pixels than a phone's camera has would only fill the memory. */
const MOST_PIXELS = 64_000_000

/** Twice the width of the largest avatar on any page. */
const WIDTH = 256
const RESIZE_SECONDS = 10

/** The first bytes of image files, whatever their name and type are. */
const beginnings: RegExp[] = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^GIF8[79]a/, /^RIFF.{4}WEBP/s, /^.{4}ftypavi[fs]/s]

/**
 * Makes a small square WebP of a picture. Metadata such as the location is dropped.
 *
 * @returns undefined when the file is not a picture that every browser can show
 */
export async function readPicture(file: Blob): Promise<Buffer | undefined> {
  const bytes = Buffer.from(await file.arrayBuffer())
  const beginning = bytes.subarray(0, 16).toString('latin1')
  if (!beginnings.some((known) => known.test(beginning))) return undefined
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize(WIDTH, WIDTH, { fit: 'cover' })
      .timeout({ seconds: RESIZE_SECONDS })
      .webp({ quality: 84 })
      .toBuffer()
  } catch {
    return undefined
  }
}
