import type { UploadConfig } from '@parley/protocol/apps'
import { imageTypes, UPLOAD_BYTES } from '@parley/protocol/attachments'
import { ChatError } from '../../platform/chat-error.ts'
import { sizeText } from './file-names.ts'

/** Whether a file was uploaded as a file or as an image. */
export type FileKind = 'file' | 'image'

/** In bytes; 0 stands for the maximum, which no app can exceed [ATT-13]. */
export function sizeLimitOf({ size_limit }: UploadConfig): number {
  return size_limit > 0 ? Math.min(size_limit, UPLOAD_BYTES) : UPLOAD_BYTES
}

/** @param bytes undefined when the file was not read to its end */
export function tooLarge(bytes: number | undefined, limit: number): ChatError {
  const size = bytes === undefined ? `more than ${sizeText(limit)}` : sizeText(bytes)
  return new ChatError('PayloadTooBigError', `File is too large: ${size}, maximum upload size is ${sizeText(limit)}`)
}

/**
 * Checks that the app allows files of this type and name; blocked types win over allowed ones [ATT-15].
 *
 * @param is    the detected type; undefined when it contradicts the claim
 * @param said  the claimed type
 * @throws ChatError InputError (4) [ATT-7]
 */
export function checkType(kind: FileKind, config: UploadConfig, name: string, is: string | undefined, said: string) {
  const types = new Set([said, ...(is === undefined ? [] : [is])])
  const allowed =
    is !== undefined &&
    (kind === 'file' || (imageTypes as readonly string[]).includes(is)) &&
    (config.allowed_mime_types.length === 0 || matchesType(config.allowed_mime_types, is)) &&
    (config.allowed_file_extensions.length === 0 || endsWithOne(config.allowed_file_extensions, name))
  const blocked =
    [...types].some((type) => matchesType(config.blocked_mime_types, type)) ||
    endsWithOne(config.blocked_file_extensions, name)
  if (!allowed || blocked)
    throw new ChatError('InputError', `File type ${is ?? said} is not supported`, {
      fields: { file: `File type ${is ?? said} is not supported` },
    })
}

function matchesType(list: readonly string[], type: string): boolean {
  return list.some((entry) => {
    const wanted = entry.toLowerCase()
    return wanted === type || (wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1)))
  })
}

/** Extensions may be given with or without the dot, and have several parts. */
function endsWithOne(endings: readonly string[], name: string): boolean {
  return endings.some((ending) => name.toLowerCase().endsWith(`.${ending.toLowerCase().replace(/^\./, '')}`))
}
