import type { LinkPreview } from '@parley/protocol/attachments'
import { Parser } from 'htmlparser2'
import type { OutboundResponse } from '../../platform/outbound/outbound-fetch.ts'

const TITLE_CHARS = 150
const TEXT_CHARS = 300
const ADDRESS_CHARS = 500
/** Less than the limit of an attachment, so that a client that edits the message can send the preview back. */
const PREVIEW_BYTES = 4_500
/** The page is parsed in pieces, and only up to the end of its head. */
const PIECE_CHARS = 16_384

/** Metadata of a page; the first value of each field wins. */
interface PageHead {
  title: string
  meta: Map<string, string>
  icon: string | undefined
}

/**
 * The preview of a link, from the page's content.
 *
 * @param url  the requested address
 * @returns undefined when the page has no metadata
 */
export function readPreview(url: string, answer: OutboundResponse): LinkPreview | undefined {
  const type = String(answer.headers['content-type'] ?? '').toLowerCase()
  const kind = type.split('/')[0]
  const base = { og_scrape_url: url, title_link: url, author_name: new URL(answer.url).hostname }
  if (kind === 'image' && !type.startsWith('image/svg'))
    return { ...base, type: 'image', image_url: url, thumb_url: url }
  if (kind === 'video' || kind === 'audio') return { ...base, type: kind, asset_url: url }
  if (!/^(text\/html|application\/xhtml\+xml)/.test(type)) return undefined

  const { title, meta, icon } = headOf(textOf(answer.body, type))
  const of = (...names: string[]) => names.map((name) => meta.get(name)).find(Boolean)
  const address = (...names: string[]) => addressIn(of(...names), answer.url)
  const heading = cut(of('og:title', 'twitter:title') ?? title, TITLE_CHARS)
  const image = address('og:image:secure_url', 'og:image:url', 'og:image', 'twitter:image', 'twitter:image:src')
  if (heading === '' && image === undefined) return undefined

  const film = address('og:video:secure_url', 'og:video:url', 'og:video')
  const sound = address('og:audio:secure_url', 'og:audio:url', 'og:audio')
  const about = of('og:type') ?? ''
  const isFilm = film !== undefined || about.startsWith('video')
  const isSound = sound !== undefined || about.startsWith('music')
  return fitting({
    ...base,
    type: isFilm ? 'video' : isSound ? 'audio' : image === undefined ? undefined : 'image',
    title: heading || undefined,
    text: cut(of('og:description', 'twitter:description', 'description') ?? '', TEXT_CHARS) || undefined,
    author_name: cut(of('og:site_name') ?? '', TITLE_CHARS) || base.author_name,
    author_link: new URL(answer.url).origin,
    author_icon: addressIn(icon, answer.url),
    image_url: image,
    thumb_url: image,
    asset_url: film ?? sound,
    original_width: pixels(of('og:image:width')),
    original_height: pixels(of('og:image:height')),
  })
}

function headOf(html: string): PageHead {
  const head: PageHead = { title: '', meta: new Map(), icon: undefined }
  let inTitle = false
  let done = false
  const parser = new Parser({
    onopentag(name, { property, name: called, itemprop, content, rel, href }) {
      if (name === 'title' && head.title === '') inTitle = true
      if (name === 'body') done = true
      const key = (property ?? called ?? itemprop)?.toLowerCase()
      if (name === 'meta' && key !== undefined && content !== undefined && !head.meta.has(key))
        head.meta.set(key, content.trim())
      if (name === 'link' && href !== undefined && /\bicon\b/i.test(rel ?? '')) head.icon ??= href
    },
    ontext(text) {
      if (inTitle) head.title += text
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
      if (name === 'head') done = true
    },
  })
  for (let at = 0; at < html.length && !done; at += PIECE_CHARS) parser.write(html.slice(at, at + PIECE_CHARS))
  parser.end()
  return head
}

/** Decodes by the byte order mark, else with the charset the server names, else the page's, else UTF-8. */
function textOf(body: Buffer, contentType: string): string {
  const named =
    markedCharset(body) ??
    /charset="?([\w-]+)/.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(body.toString('latin1', 0, 2_048))?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

/** What the first bytes say outweighs everything else, as in browsers. */
function markedCharset(body: Buffer): string | undefined {
  const starts = (...bytes: number[]) => bytes.every((byte, i) => body[i] === byte)
  if (starts(0xef, 0xbb, 0xbf)) return 'utf-8'
  if (starts(0xff, 0xfe)) return 'utf-16le'
  return starts(0xfe, 0xff) ? 'utf-16be' : undefined
}

/** An absolute http(s) URL; undefined for anything else. */
function addressIn(text: string | undefined, base: string): string | undefined {
  if (!text) return undefined
  const url = URL.parse(text, base)
  const known = url?.protocol === 'https:' || url?.protocol === 'http:'
  return known && url.href.length <= ADDRESS_CHARS ? url.href : undefined
}

function cut(text: string, chars: number): string {
  const line = text.toWellFormed().replaceAll('\0', '').replace(/\s+/g, ' ').trim()
  const letters = [...line]
  return letters.length <= chars ? line : `${letters.slice(0, chars - 1).join('')}…`
}

function pixels(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined
}

type Parts = { [Name in keyof LinkPreview]: LinkPreview[Name] | undefined }

/** Drops empty fields; a preview that is too long loses the least important ones. */
function fitting(parts: Parts): LinkPreview {
  const preview = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as LinkPreview
  for (const name of ['author_icon', 'author_link', 'asset_url', 'thumb_url', 'text'] as const)
    if (Buffer.byteLength(JSON.stringify(preview)) > PREVIEW_BYTES) delete preview[name]
  return preview
}
