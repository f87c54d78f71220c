import { imageTypes } from '@parley/protocol/attachments'

/** Bytes at the beginning that are enough to recognise a file's type. */
export const HEAD_BYTES = 65_536

/** Images as people mean them. Drawings and documents have types such as `image/vnd.dxf` and `image/x-eps`, too. */
const imageEndings = 'apng avif bmp gif heic heif jfif jpe jpeg jpg jxl png svg tif tiff webp'.split(' ')
/** A PDF may begin with lines of something else, as those of mail gateways and printers do. */
const PDF_STARTS_WITHIN = 1_024
const soundAndFilm = new Set(['application/ogg', 'application/mxf', 'application/vnd.ms-asf'])

/** Types a browser may show as images. */
const shown = new Set<string>([...imageTypes, 'image/avif'])
shown.delete('image/svg+xml')

type Kind = 'image' | 'sound or film' | 'pdf'

/**
 * The type of a file, by its content. What is not recognised is no danger: it is only ever downloaded.
 *
 * @param said the type its sender claims, used only where the content does not tell
 * @returns undefined if the content is recognised and contradicts the claim
 */
export async function typeOfFile(head: Buffer, said: string, name: string): Promise<string | undefined> {
  const claims = [claimOf(said), kindByEnding(name)].filter((claim) => claim !== undefined)
  const is = await recognised(head, said, claims.includes('pdf'))
  if (is === undefined) return isPlain(said) ? said : 'application/octet-stream'
  const kind = kindOf(is)
  if (claims.some((claim) => claim !== kind)) return undefined
  // WebM, MP4 and Ogg look alike with video or only sound; the sender knows.
  const onlySaidDiffers = kind === 'sound or film' && kindOf(said) === kind && said.split('/')[1] === is.split('/')[1]
  return onlySaidDiffers ? said : is
}

/** Whether a browser may show it inline: images without scripts, video and sound. */
export function isShownInPlace(type: string): boolean {
  return shown.has(type) || kindOf(type) === 'sound or film'
}

function kindOf(type: string): Kind | undefined {
  if (type.startsWith('image/')) return 'image'
  if (/^(audio|video)\//.test(type) || soundAndFilm.has(type)) return 'sound or film'
  return type === 'application/pdf' ? 'pdf' : undefined
}

function claimOf(said: string): Kind | undefined {
  const kind = kindOf(said)
  return kind === 'image' && !imageEndings.includes(said.slice('image/'.length).replace('+xml', '')) ? undefined : kind
}

function kindByEnding(name: string): Kind | undefined {
  const ending = /\.([^.]+)$/.exec(name.toLowerCase())?.[1]
  if (ending === 'pdf') return 'pdf'
  return ending !== undefined && imageEndings.includes(ending) ? 'image' : undefined
}

function isPlain(type: string): boolean {
  return /^text\/[\w.+-]+$/.test(type) || type === 'application/json'
}

async function recognised(head: Buffer, said: string, isPdf: boolean): Promise<string | undefined> {
  const markup = markupOf(head)
  // Some formats have a signature of two letters, which a text may begin with too.
  if (markup !== undefined || (isPlain(said) && !head.includes(0))) return markup
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (!found && isPdf && head.subarray(0, PDF_STARTS_WITHIN).includes('%PDF-')) return 'application/pdf'
  return found?.mime.replace(/\s*;.*$/, '')
}

/** SVG and HTML are text with a first element. Declarations and comments before it are skipped. */
function markupOf(head: Buffer): string | undefined {
  let text = head.toString('utf8').replace(/^\uFEFF/, '')
  for (;;) {
    text = text.trimStart()
    const end = text.startsWith('<!--') ? '-->' : text.startsWith('<?') ? '?>' : undefined
    if (end === undefined) break
    const at = text.indexOf(end)
    if (at === -1) return undefined
    text = text.slice(at + end.length)
  }
  if (/^<(!doctype\s+)?svg[\s>/]/i.test(text)) return 'image/svg+xml'
  return /^<(!doctype\s+html|html|head|body|script|iframe|title|meta|style|table|div|p|a|img|br)[\s>/]/i.test(text)
    ? 'text/html'
    : undefined
}
