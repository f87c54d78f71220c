import { type RefObject, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useTranslate } from '../i18n/translate.ts'
import { NOTICES_SHOWN } from '../limits.ts'
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from '../theme/icons.tsx'
import { Details } from './Details.tsx'
import type { Notice, Notices } from './notices.ts'

const icons = { info: InfoIcon, success: CheckIcon, warning: WarningIcon, error: WarningIcon }

/**
 * The notices, in a landmark of their own. The announcer reads their text, so the region itself is not live.
 *
 * Style hooks: `.chat-notice[data-kind]`.
 */
export function NoticeRegion({ notices }: { notices: Notices }) {
  const t = useTranslate()
  const all = useSyncExternalStore(notices.subscribe, notices.snapshot, notices.snapshot)
  const shown = all.slice(-NOTICES_SHOWN)
  const region = useRef<HTMLElement>(null)
  const from = useRef<Element | null>(null)
  useSpoken(shown)
  useFocusOut(region, from, all)
  if (all.length === 0) return null
  return (
    <section
      ref={region}
      className="chat-notices"
      aria-label={t('notices.label')}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) from.current = relatedTarget
      }}
    >
      {all.length > shown.length && (
        <p className="chat-notices-more">{t('notices.hidden', { count: all.length - shown.length })}</p>
      )}
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} notices={notices} />
      ))}
    </section>
  )
}

function NoticeCard({ notice, notices }: { notice: Notice; notices: Notices }) {
  const t = useTranslate()
  const { id, kind, action } = notice
  const Icon = icons[kind]
  const stay = () => notices.pause(id)
  const go = () => notices.resume(id)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering a notice keeps it; it is not a control.
    <div className="chat-notice" data-kind={kind} onPointerEnter={stay} onPointerLeave={go} onFocus={stay} onBlur={go}>
      <Icon />
      <div className="chat-notice-text">
        <p>
          <span>{t(notice.key, notice.values)}</span>
          {notice.times > 1 && (
            <span className="chat-notice-times">{` · ${t('notices.times', { count: notice.times })}`}</span>
          )}
        </p>
        {notice.details && <Details text={notice.details} />}
      </div>
      {action && (
        <button
          type="button"
          className="chat-button"
          data-kind="quiet"
          onClick={() => {
            action.run()
            notices.close(id)
          }}
        >
          {t(action.label)}
        </button>
      )}
      <button type="button" className="chat-icon-button" onClick={() => notices.close(id)}>
        <CloseIcon />
        <span className="chat-hidden">{t('notices.close')}</span>
      </button>
    </div>
  )
}

/**
 * A notice that disappears with the focus in it passes it to the next one, else back to where it came from
 * [interface.md 7.22].
 */
function useFocusOut(region: RefObject<HTMLElement | null>, from: RefObject<Element | null>, all: readonly Notice[]) {
  const inside = useRef(false)
  useEffect(() => {
    const look = ({ target }: FocusEvent) => {
      inside.current = region.current?.contains(target as Node) ?? false
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [region])
  // biome-ignore lint/correctness/useExhaustiveDependencies: removing a notice removes the focused element.
  useLayoutEffect(() => {
    if (!inside.current || document.activeElement !== document.body) return
    const next = region.current?.querySelector<HTMLElement>('.chat-notice button:last-child')
    const back = from.current?.isConnected ? from.current : document.querySelector('.chat-composer textarea')
    const to = next ?? back
    if (to instanceof HTMLElement) to.focus({ preventScroll: true })
  }, [all])
}

/** Each notice is announced once, and again when it is repeated. */
function useSpoken(shown: readonly Notice[]) {
  const t = useTranslate()
  const announce = useAnnounce()
  const spoken = useRef(new Map<number, number>())
  useEffect(() => {
    for (const { id, kind, key, values, times, silent } of shown) {
      if (silent || spoken.current.get(id) === times) continue
      spoken.current.set(id, times)
      announce(kind === 'error' ? 'problem' : 'notice', { text: t(key, values) })
    }
  }, [shown, t, announce])
}
