import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type ImageSize, type UploadAnswer, UploadSizes } from '@parley/protocol/attachments'
import type { Answered, Incoming } from '../../chat/api/endpoint.ts'
import type { App } from '../../chat/apps/app.ts'
import { inputError } from '../../platform/chat-error.ts'
import type { FileRow, UserRow } from '../../platform/database/tables.ts'
import { parseJson } from '../../platform/http/json.ts'
import { Validator } from '../../platform/http/validate.ts'
import type { Server } from '../../server.ts'
import { addFile } from './file-store.ts'
import { typeOfFile } from './file-type.ts'
import { type Received, receiveUpload } from './receive-upload.ts'
import { checkType, type FileKind, sizeLimitOf } from './upload-rules.ts'
import { canBecome, parametersOf, sizeOfPicture, thumbnail } from './variants.ts'

/** A picture with more pixels is meant to exhaust the viewer's memory. */
const PIXELS_MAX = 100_000_000

const checkSizes = new Validator(UploadSizes)

export interface Upload {
  app: App
  kind: FileKind
  /** The channel it belongs to; null for one that belongs to none. */
  cid: string | null
  incoming: Incoming
  /** The owner, known once the form is read: server side a form field names the user. */
  uploader: (fields: Readonly<Record<string, string>>) => Promise<UserRow>
}

/**
 * Stores an upload and returns its address.
 *
 * @throws ChatError PayloadTooBigError (22) — it is too large [ATT-6]
 * @throws ChatError InputError (4) — its type is not allowed [ATT-7], or its content contradicts it
 */
export async function keepUpload(server: Server, upload: Upload): Promise<Answered<UploadAnswer>> {
  const { app, kind, incoming } = upload
  const { files, clock } = server
  const config = kind === 'image' ? app.settings.image_upload_config : app.settings.file_upload_config
  const received = await receiveUpload(incoming, { folder: files.passing, limit: sizeLimitOf(config), clock })
  try {
    const user = await upload.uploader(received.fields)
    const sizes = kind === 'image' ? sizesIn(received) : []
    const type = await typeOfFile(received.head, received.said, received.name)
    checkType(kind, config, received.name, type, received.said)
    const picture = await sizeOfPicture(received.path, type!)
    if (picture && picture.width * picture.height > PIXELS_MAX)
      throw inputError('file', `the picture has ${picture.width} × ${picture.height} pixels, which is too many`)

    const file: FileRow = {
      id: randomBytes(20).toString('base64url'),
      app: app.id,
      kind,
      cid: upload.cid,
      user_id: user.id,
      name: received.name,
      mime_type: type!,
      size: received.size,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      created_at: clock.micros(),
    }
    await files.storage.keep(file.id, received.path, file.mime_type)
    try {
      await server.commit.write(app.id, [], (batch) => addFile(batch.db, file))
    } catch (error) {
      // Without a row the bytes would never be found: delete them.
      await files.storage.remove([file.id])
      throw error
    }
    return answerOf(server, app, file, sizes)
  } finally {
    await rm(received.path, { force: true })
  }
}

function sizesIn({ fields }: Received): ImageSize[] {
  if (!fields.upload_sizes) return []
  const sizes = parseJson(fields.upload_sizes, 'upload_sizes')
  checkSizes.check(sizes)
  return sizes as ImageSize[]
}

function answerOf({ files }: Server, app: App, file: FileRow, sizes: ImageSize[]): Answered<UploadAnswer> {
  const address = files.linkTo(app, file)
  const at = (size: ImageSize) => address + parametersOf({ size })
  const isPicture = canBecome(files, file, { size: thumbnail })
  return {
    file: address,
    ...(isPicture && { thumb_url: at(thumbnail) }),
    ...(canBecome(files, file, 'mp3') && { rendition_url: address + parametersOf('mp3') }),
    ...(sizes.length > 0 && { upload_sizes: sizes.map((size) => ({ ...size, url: at(size) })) }),
    ...(file.width !== null && { original_width: file.width }),
    ...(file.height !== null && { original_height: file.height }),
  }
}
