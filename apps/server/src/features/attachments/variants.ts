import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Crop, type ImageSize, RESIZED_PIXELS_MAX, Resize } from '@parley/protocol/attachments'
import type { SharpConstructor } from 'sharp'
import { inputError } from '../../platform/chat-error.ts'
import type { FileRow, FileVariantRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { addVariant, fileById, variantsOf } from './file-store.ts'
import type { Files } from './files.ts'

/** Maximum pixels of a picture that is resized [messaging.md 4.14]; larger ones are served as they are. */
const SOURCE_PIXELS = 16_800_000
/** Maximum variants per file; a request for more gets the file itself. */
const VARIANTS_PER_FILE = 16
const RESIZE_SECONDS = 10
/** Maximum size of sound that is converted. */
const SOUND_BYTES = 20 * 1_048_576
const SOUND_SECONDS = 600
const SOUND_MADE_MS = 60_000

/** The size of a picture in lists. */
export const thumbnail: ImageSize = { width: 480, height: 480, resize: 'clip' }

/** A variant of a file: a picture in another size, or sound that every browser plays. */
export type Variant = { size: ImageSize } | 'mp3'

/** The formats sharp reads, and what it makes of them. Animations become still pictures. */
const pictures: Record<string, { type: string; as: 'jpeg' | 'png' | 'webp' }> = {
  'image/jpeg': { type: 'image/jpeg', as: 'jpeg' },
  'image/png': { type: 'image/png', as: 'png' },
  'image/webp': { type: 'image/webp', as: 'webp' },
  'image/avif': { type: 'image/webp', as: 'webp' },
  'image/gif': { type: 'image/png', as: 'png' },
}

/** Types of sound and ffmpeg's names for them: with the name given, it probes for no other format. */
const sounds: Record<string, string> = {
  'audio/webm': 'matroska',
  'audio/ogg': 'ogg',
  'audio/mp4': 'mov',
  'audio/x-m4a': 'mov',
  'audio/aac': 'aac',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/amr': 'amr',
}

/** Whether `makeVariant` could make a variant of a file. */
export function canBecome({ ffmpeg }: Files, file: FileRow, variant: Variant): boolean {
  if (variant === 'mp3')
    return ffmpeg !== undefined && Object.hasOwn(sounds, file.mime_type) && file.size <= SOUND_BYTES
  return (
    Object.hasOwn(pictures, file.mime_type) &&
    file.width !== null &&
    file.height !== null &&
    file.width * file.height <= SOURCE_PIXELS
  )
}

/**
 * The variant that the query of a file's address asks for; undefined for the file as it is.
 * @throws ChatError InputError (4)
 */
export function variantIn(query: Record<string, string | undefined>): Variant | undefined {
  if (query.as === 'mp3') return 'mp3'
  if (query.as !== undefined) throw inputError('as', 'as must be mp3')
  const { w, h, resize, crop } = query
  if (w === undefined && h === undefined) return undefined
  if (resize !== undefined && !(Resize.enum as readonly string[]).includes(resize))
    throw inputError('resize', `resize must be one of ${Resize.enum.join(', ')}`)
  if (crop !== undefined && !(Crop.enum as readonly string[]).includes(crop))
    throw inputError('crop', `crop must be one of ${Crop.enum.join(', ')}`)
  return {
    size: {
      ...(w !== undefined && { width: pixels('w', w) }),
      ...(h !== undefined && { height: pixels('h', h) }),
      ...(resize !== undefined && { resize: resize as Resize }),
      ...(crop !== undefined && { crop: crop as Crop }),
    },
  }
}

/** The query parameters of a variant, for a file's address. */
export function parametersOf(variant: Variant): string {
  if (variant === 'mp3') return '&as=mp3'
  const { width, height, resize, crop } = variant.size
  const values = { w: width, h: height, resize, crop }
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`&${name}=${value}`]))
    .join('')
}

/**
 * A variant of a file, made now unless it exists.
 *
 * @returns undefined if none can be made of this file
 * @throws ChatError RateLimitError (9) — too many are being made already
 */
export async function variantOf(server: Server, file: FileRow, variant: Variant): Promise<FileVariantRow | undefined> {
  const { files } = server
  if (!canBecome(files, file, variant)) return undefined
  const name = nameOf(variant)
  const there = await variantsOf(server.database.read, file.id)
  const found = there.find((row) => row.variant === name)
  if (found || there.length >= VARIANTS_PER_FILE) return found
  const key = `${file.id}.${name}`
  let making = files.underWay.get(key)
  if (!making) {
    making = files.line.take(() => makeIfFew(server, file, variant)).finally(() => files.underWay.delete(key))
    files.underWay.set(key, making)
  }
  return making
}

function nameOf(variant: Variant): string {
  if (variant === 'mp3') return 'mp3'
  const { width, height, resize = 'clip', crop = 'center' } = variant.size
  return `${width ?? 0}x${height ?? 0}-${resize}${resize === 'crop' ? `-${crop}` : ''}`
}

/** Others may have been made while this call waited. */
async function makeIfFew(server: Server, file: FileRow, variant: Variant): Promise<FileVariantRow | undefined> {
  const there = await variantsOf(server.database.read, file.id)
  return there.length < VARIANTS_PER_FILE ? make(server, file, variant) : undefined
}

async function make(server: Server, file: FileRow, variant: Variant): Promise<FileVariantRow | undefined> {
  const { storage, passing, ffmpeg } = server.files
  const from = join(passing, randomBytes(16).toString('hex'))
  const to = `${from}.made`
  try {
    await mkdir(passing, { recursive: true })
    await pipeline(await storage.read(file.id), createWriteStream(from, { flags: 'wx', mode: 0o600 }))
    const made = variant === 'mp3' ? playable(ffmpeg!, file, from, to) : resized(file, from, to, variant.size)
    // An unreadable file has no variants.
    const type = await made.catch(() => undefined)
    if (type === undefined) return undefined
    const name = nameOf(variant)
    const row = { file_id: file.id, variant: name, mime_type: type, size: (await stat(to)).size }
    await storage.keep(`${file.id}.${name}`, to, type)
    const kept = await server.commit.write(file.app, [], async (batch) => {
      const isThere = (await fileById(batch.db, file.id)) !== undefined
      if (isThere) await addVariant(batch.db, row)
      return isThere
    })
    if (kept) return row
    // The file was deleted while the variant was made.
    await storage.remove([`${file.id}.${name}`])
    return undefined
  } finally {
    await rm(from, { force: true })
    await rm(to, { force: true })
  }
}

/** Runs on threads of its own, so it does not block the event loop. */
async function resized(file: FileRow, from: string, to: string, size: ImageSize): Promise<string> {
  const sharp = await pictureProgram()
  const { width, height, resize = 'clip', crop = 'center' } = size
  const { type, as } = pictures[file.mime_type]!
  await sharp(from, { limitInputPixels: SOURCE_PIXELS })
    .timeout({ seconds: RESIZE_SECONDS })
    .autoOrient()
    .resize({
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      fit: fits[resize],
      position: crop,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
      withoutEnlargement: resize === 'clip',
    })
    .toFormat(as)
    .toFile(to)
  return type
}

const fits = { clip: 'inside', crop: 'cover', scale: 'fill', fill: 'contain' } as const satisfies Record<Resize, string>

async function playable(ffmpeg: string, file: FileRow, from: string, to: string): Promise<string> {
  const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1']
  // Restricted to this one file and format: playlists must not lead to other files or hosts.
  const input = ['-protocol_whitelist', 'file', '-f', sounds[file.mime_type]!, '-i', from]
  const output = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-t', String(SOUND_SECONDS)]
  const sound = ['-ac', '1', '-ar', '44100', '-b:a', '64k', '-f', 'mp3', '-fs', String(SOUND_BYTES), '-y', to]
  await promisify(execFile)(ffmpeg, [...quiet, ...input, ...output, ...sound], {
    timeout: SOUND_MADE_MS,
    killSignal: 'SIGKILL',
  })
  return 'audio/mpeg'
}

/** Displayed width and height of a picture; undefined if sharp cannot read it. */
export async function sizeOfPicture(
  path: string,
  type: string,
): Promise<{ width: number; height: number } | undefined> {
  if (!Object.hasOwn(pictures, type)) return undefined
  const sharp = await pictureProgram()
  const known = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  return known && { width: known.autoOrient.width, height: known.autoOrient.height }
}

let loaded: Promise<SharpConstructor> | undefined

/** Loaded with the first picture: a server without pictures starts faster and uses less memory. */
function pictureProgram(): Promise<SharpConstructor> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return loaded
}

function pixels(name: string, text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > RESIZED_PIXELS_MAX)
    throw inputError(name, `${name} must be a whole number from 1 to ${RESIZED_PIXELS_MAX}`)
  return value
}
