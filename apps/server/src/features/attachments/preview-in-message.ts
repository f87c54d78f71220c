import type { LinkPreview } from '@parley/protocol/attachments'
import { ATTACHMENTS_PER_MESSAGE } from '@parley/protocol/limits'
import type { Attachment } from '@parley/protocol/messages'
import { firstLink, linksIn } from '@parley/protocol/text/plain-text'
import type { Access } from '../../chat/channels/channel-access.ts'
import { inTime } from '../../platform/clock.ts'
import type { Server } from '../../server.ts'

/**
 * A message waits this long for its preview, less than a client waits for the answer. A later preview follows as
 * an event.
 */
const WAIT_MS = 2_000

/** The preview of a message's first link, or the promise of one that was not ready in time. */
export interface Preview {
  now?: LinkPreview | undefined
  later?: Promise<LinkPreview | undefined>
}

/**
 * Fetches the preview of the first link of a text [messaging.md 5.4]. This happens before a message is committed,
 * so that only its sender waits, and only when there is a link at all.
 *
 * @param skip the sender wants no preview, or sends it along
 */
export async function previewFor(
  server: Server,
  { channel, config }: Access,
  text: string,
  skip = false,
): Promise<Preview> {
  if (skip || !config.url_enrichment || !server.settings.linkPreviews) return {}
  const link = firstLink(text)
  if (link === undefined) return {}
  const reading = server.previews.of(link)
  if (server.apps.of(channel.app).settings.async_url_enrich_enabled) return { later: reading }
  return inTime(server.clock, WAIT_MS, reading)
}

/** The attachments with the preview, unless it is among them, or there is no room. */
export function withPreview(attachments: readonly Attachment[], preview: LinkPreview | undefined): Attachment[] {
  if (!preview || attachments.length >= ATTACHMENTS_PER_MESSAGE) return [...attachments]
  if (attachments.some(({ og_scrape_url }) => og_scrape_url === preview.og_scrape_url)) return [...attachments]
  return [...attachments, preview]
}

/** The attachments without the previews of links that an edit removed from the text [messaging.md 5.4]. */
export function withoutLostPreviews(attachments: readonly Attachment[], was: string, text: string): Attachment[] {
  const [before, now] = [linksIn(was), linksIn(text)]
  return attachments.filter(
    ({ og_scrape_url: link }) => link === undefined || now.includes(link) || !before.includes(link),
  )
}
