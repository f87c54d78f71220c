import { useSyncExternalStore } from 'react'
import type { Announcer } from './announcer.ts'

/**
 * The two live regions of the kit, the only ones on the page for chat. They
 * stay in the tree of assistive technology while a dialog hides everything else.
 */
export function LiveRegions({ announcer }: { announcer: Announcer }) {
  const { polite, assertive } = useSyncExternalStore(announcer.subscribe, announcer.snapshot, announcer.snapshot)
  return (
    <div className="chat-hidden" data-live-announcer="true">
      <div aria-live="polite" aria-relevant="additions">
        {polite.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
      <div aria-live="assertive" aria-relevant="additions">
        {assertive.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </div>
  )
}
