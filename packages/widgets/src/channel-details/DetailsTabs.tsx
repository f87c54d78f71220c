import type { Channel } from '@parley/client'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { placeAfter } from '../roving.ts'
import { MemberList } from './MemberList.tsx'
import { SharedList } from './SharedList.tsx'
import type { Reaching } from './use-reaching.ts'

const names = { members: 'details.members', media: 'details.media', files: 'details.files' } as const
export type DetailsTab = keyof typeof names

export interface DetailsTabsProps {
  /** at least one */
  tabs: readonly DetailsTab[]
  channel: Channel
  reaching: Reaching
  onJump: (messageId: string) => void
}

/** Members, photos and files, one at a time; arrow keys move from one to the next. */
export function DetailsTabs({ tabs, channel, reaching, onJump }: DetailsTabsProps) {
  const t = useTranslate()
  const id = useId()
  const [chosen, setChosen] = useState<DetailsTab>()
  const shown = chosen && tabs.includes(chosen) ? chosen : tabs[0]!
  const turn = (event: KeyboardEvent<HTMLElement>) => {
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const to = placeAfter(event.key, tabs.indexOf(shown), tabs.length, 'horizontal', rightToLeft)
    const tab = to === undefined ? undefined : tabs[to]
    if (!tab) return
    event.preventDefault()
    setChosen(tab)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[to!]?.focus()
  }
  return (
    <>
      <div className="chat-tabs" role="tablist" aria-label={t('details.title')} onKeyDown={turn}>
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab === shown}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setChosen(tab)}
          >
            {t(names[tab])}
          </button>
        ))}
      </div>
      <div className="chat-tab" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {shown === 'members' ? (
          <MemberList channel={channel} reaching={reaching} />
        ) : (
          <SharedList key={shown} channel={channel} kind={shown} onJump={onJump} />
        )}
      </div>
    </>
  )
}
