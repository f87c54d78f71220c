import type { Channel } from '@parley/client'
import { useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { Avatar } from '../avatar/Avatar.tsx'
import { may } from '../chat/channel-facts.ts'
import { PlaceState } from '../chat/PlaceState.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useMinute } from '../chat/use-minute.ts'
import { dateAndTime } from '../i18n/format.ts'
import { truncate } from '../i18n/graphemes.ts'
import { fullTime, rowTime } from '../i18n/row-time.ts'
import { useTranslation } from '../i18n/translate.ts'
import { PIN_CHARS } from '../limits.ts'
import { avatarUser, nameOf } from '../messages/message-name.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { useNotices } from '../notices/use-notices.ts'
import { rove } from '../roving.ts'
import { More } from '../side-pane/More.tsx'
import { SidePane } from '../side-pane/SidePane.tsx'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { PinIcon, WarningIcon } from '../theme/icons.tsx'
import { UnpinIcon } from '../theme/more-icons.tsx'
import { type Pin, usePins } from './use-pins.ts'

/** Number of rows in the skeleton. */
const SKELETON_ROWS = 4

export interface PinsPaneProps {
  channel: Channel
  onClose: () => void
  onJump: (messageId: string) => void
}

/**
 * The pinned messages of a channel, newest pin first: who pinned, when, until when; a press goes to the message, and a
 * user with the capability can unpin it [PIN-1, PIN-2, PIN-4].
 *
 * Style hooks: `.chat-pins`, `.chat-pin`.
 */
export default function PinsPane({ channel, onClose, onJump }: PinsPaneProps) {
  const { t } = useTranslation()
  const { pins, at, hasMore, load, forget } = usePins(channel)
  const mayPin = may(useChannelState(channel), 'pin-message')
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string>()
  const shown = pins.filter(({ id }) => !leaving.has(id))
  const stop = shown.some(({ id }) => id === active) ? active : shown[0]?.id
  const unpin = useUnpin(setLeaving, forget)

  return (
    <SidePane title={t('pins.title')} onClose={onClose} headingRef={heading}>
      <div className="chat-aside-scroll">
        {shown.length > 0 && (
          <ul className="chat-pins" ref={list} onKeyDown={(event) => rove(event, '.chat-pin-jump', 'vertical')}>
            {shown.map((pin, place) => (
              <li key={pin.id} className="chat-pin">
                <PinnedMessage
                  pin={pin}
                  tabIndex={pin.id === stop ? 0 : -1}
                  onFocus={() => setActive(pin.id)}
                  onJump={() => onJump(pin.id)}
                  onUnpin={
                    mayPin
                      ? () => {
                          const rows = [...(list.current?.querySelectorAll<HTMLElement>('.chat-pin-jump') ?? [])]
                          ;(rows[place + 1] ?? rows[place - 1] ?? heading.current)?.focus()
                          void unpin(pin)
                        }
                      : undefined
                  }
                />
              </li>
            ))}
          </ul>
        )}
        {at === 'loading' && shown.length === 0 && (
          <Skeleton kind="rows" count={SKELETON_ROWS} label={t('pins.loading')} />
        )}
        {at === 'loaded' && shown.length === 0 && (
          <PlaceState icon={<PinIcon />} title={t('pins.empty')}>
            {mayPin && <p className="chat-state-text">{t('pins.empty.hint')}</p>}
          </PlaceState>
        )}
        {at === 'failed' && (
          <PlaceState icon={<WarningIcon />} title={t('pins.failed')}>
            <button type="button" className="chat-button" onClick={load}>
              {t('retry')}
            </button>
          </PlaceState>
        )}
        {at !== 'failed' && hasMore && <More loading={at === 'loading'} onMore={load} />}
      </div>
    </SidePane>
  )
}

interface PinnedMessageProps {
  pin: Pin
  tabIndex: 0 | -1
  onFocus: () => void
  onJump: () => void
  onUnpin: (() => void) | undefined
}

function PinnedMessage({ pin, tabIndex, onFocus, onJump, onUnpin }: PinnedMessageProps) {
  const { t, locale } = useTranslation()
  const me = useClient().userID
  const now = useMinute()
  const author = nameOf(t, pin, pin.user.id === me)
  const by = pin.by && nameOf(t, { user: pin.by })
  return (
    <>
      <button type="button" className="chat-pin-jump" tabIndex={tabIndex} onFocus={onFocus} onClick={onJump}>
        <Avatar {...avatarUser(pin)} size="small" />
        <span className="chat-pin-words">
          <span className="chat-pin-top">
            <bdi className="chat-pin-author">{author}</bdi>
            <time dateTime={pin.said.toISOString()} title={fullTime(locale, pin.said)}>
              {rowTime(locale, pin.said, now)}
            </time>
          </span>
          <span className="chat-pin-text" dir="auto">
            {truncate(messageSummary(t, pin), PIN_CHARS)}
          </span>
          <span className="chat-pin-about">
            <PinIcon />
            <span>{by ? t('message.pinnedBy', { name: by }) : t('message.pinned')}</span>
            <time dateTime={pin.pinned.toISOString()} title={fullTime(locale, pin.pinned)}>
              {rowTime(locale, pin.pinned, now)}
            </time>
          </span>
          {pin.ends && (
            <span className="chat-pin-about">{t('pins.until', { time: dateAndTime(locale, pin.ends) })}</span>
          )}
        </span>
      </button>
      {onUnpin && (
        <IconButton
          label={t('pins.unpin', { author: nameOf(t, pin) })}
          tabIndex={tabIndex}
          title={t('actions.unpin')}
          onFocus={onFocus}
          onClick={onUnpin}
        >
          <UnpinIcon />
        </IconButton>
      )}
    </>
  )
}

/** The row is removed at once, and comes back if the server refuses [TOA-17]. */
function useUnpin(
  setLeaving: (change: (ids: ReadonlySet<string>) => ReadonlySet<string>) => void,
  forget: (id: string) => void,
) {
  const client = useClient()
  const notices = useNotices()
  const announce = useAnnounce()
  return async ({ id }: Pin) => {
    setLeaving((ids) => new Set([...ids, id]))
    try {
      await client.unpinMessage(id)
      forget(id)
      announce('unpinned')
    } catch (error) {
      notices.failed('unpin.failed', error)
    }
    setLeaving((ids) => new Set([...ids].filter((one) => one !== id)))
  }
}
