import type { ReactNode } from 'react'
import { safeLink } from './safe-link.ts'

/** A link in a message, or only its text if the address is not safe. */
export function TextLink({ url, tabIndex, children }: { url: string; tabIndex: 0 | -1; children: ReactNode }) {
  const safe = safeLink(url)
  if (!safe) return children
  return (
    <>
      <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
        {children}
      </a>
      {safe.asciiHost && <span className="chat-text-host"> ({safe.asciiHost})</span>}
    </>
  )
}
