import type { Attachment } from '@parley/client'
import { useState } from 'react'
import { safeLink } from '../messages/safe-link.ts'
import { useFetched } from './use-fetched.ts'

/**
 * The preview of a link, as one link: picture, site, title, description. Nothing of another site runs here. If pictures
 * are loaded only on request, it shows the text alone.
 *
 * Style hooks: `.chat-link-card[data-picture]`.
 */
export function LinkCard({ attachment, entered }: { attachment: Attachment; entered: boolean }) {
  const link = safeLink(attachment.title_link || attachment.og_scrape_url || '')
  const fetched = useFetched()
  const picture = fetched === 'asked' ? undefined : safeLink(attachment.image_url ?? attachment.thumb_url ?? '')?.href
  const [broken, setBroken] = useState(false)
  const { title, text, author_name } = attachment
  if (!link || !(title || text || picture)) return null
  const host = link.asciiHost ?? new URL(link.href).hostname.replace(/^www\./, '')
  return (
    <a
      className="chat-link-card"
      data-picture={(picture !== undefined && !broken) || undefined}
      href={link.href}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={entered ? 0 : -1}
    >
      {picture && !broken && (
        <img
          src={picture}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
      <span className="chat-link-words">
        <span className="chat-link-site">
          <bdi>{typeof author_name === 'string' && author_name ? `${author_name} · ${host}` : host}</bdi>
        </span>
        {title && (
          <span className="chat-link-title" dir="auto">
            {title}
          </span>
        )}
        {text && (
          <span className="chat-link-text" dir="auto">
            {text}
          </span>
        )}
      </span>
    </a>
  )
}
