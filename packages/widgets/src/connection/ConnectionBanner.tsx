import { useEffect, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { useLasting } from '../chat/use-lasting.ts'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { BACK_SHOWN_MS, TRY_NOW_AFTER_MS } from '../limits.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { CheckIcon, OfflineIcon, WarningIcon } from '../theme/icons.tsx'
import { type ConnectionView, connectionView } from './connection-view.ts'
import { useConnection, useDeviceOffline, useOffline } from './use-connection.ts'

const texts = {
  reconnecting: 'connection.reconnecting',
  offline: 'connection.offline',
  fatal: 'connection.fatal',
  back: 'connection.back',
} as const satisfies Record<string, TextKey>

/**
 * A thin line about the connection; empty while it is fine. The announcer reads its text.
 *
 * Style hooks: `.chat-connection[data-state="reconnecting" | "offline" | "fatal" | "back"]`.
 */
export function ConnectionBanner(root: RootProps) {
  const t = useTranslate()
  const { client } = useChat()
  const view = connectionView(useConnection(), !useOffline(), useDeviceOffline())
  const shown = useShown(view)
  const long = useLasting(view === 'reconnecting', TRY_NOW_AFTER_MS)
  useSpoken(shown)
  if (!shown) return null
  return (
    <section
      {...rootProps({ className: 'chat-connection', 'data-state': shown, 'aria-label': t('connection.label') }, root)}
    >
      {shown === 'reconnecting' && <span className="chat-spinner" />}
      {shown === 'offline' && <OfflineIcon />}
      {shown === 'fatal' && <WarningIcon />}
      {shown === 'back' && <CheckIcon />}
      <span>{t(texts[shown])}</span>
      {shown === 'reconnecting' && long && (
        <button
          type="button"
          className="chat-button"
          data-kind="quiet"
          // The line itself shows whether it worked.
          onClick={() => void client.openConnection().catch(() => {})}
        >
          {t('connection.tryNow')}
        </button>
      )}
      {shown === 'fatal' && (
        <button type="button" className="chat-button" data-kind="quiet" onClick={() => window.location.reload()}>
          {t('connection.reload')}
        </button>
      )}
    </section>
  )
}

type Shown = keyof typeof texts

/** The view, and "Connected" for two seconds after a reconnect. */
function useShown(view: ConnectionView): Shown | undefined {
  const { clock } = useChat()
  const [back, setBack] = useState(false)
  const troubled = view !== 'fine'
  const before = useRef(troubled)
  useEffect(() => {
    const returned = before.current && !troubled
    before.current = troubled
    setBack(returned)
    if (returned) return clock.after(BACK_SHOWN_MS, () => setBack(false))
  }, [troubled, clock])
  return view === 'fine' ? (back ? 'back' : undefined) : view
}

function useSpoken(shown: Shown | undefined) {
  const t = useTranslate()
  const announce = useAnnounce()
  useEffect(() => {
    if (shown) announce(shown === 'fatal' ? 'problem' : 'connection', { text: t(texts[shown]) })
  }, [shown, t, announce])
}
