import { type ComponentType, lazy, useEffect, useState } from 'react'
import type { Elements } from '../elements.ts'
import { useTranslate } from '../i18n/translate.ts'
import { useChat } from './chat-context.ts'
import { FaultBoundary } from './FaultBoundary.tsx'
import { useLatest } from './use-latest.ts'

/**
 * A part of the kit that is loaded when it is first shown. If loading fails, as without a connection, or the part itself,
 * it is closed and a notice reports it; a part that cannot be closed shows the failure in its place, with a button. The
 * next render tries again.
 *
 * @param without  how it is closed, unless by `onClose`; `nothing` reports no failure, for parts that are optional
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  without?: ((props: Props) => void) | 'nothing',
): ComponentType<Props> {
  let Part: ComponentType<Props>
  const begin = () => {
    const mine: ComponentType<Props> = lazy(() =>
      load().catch((error) => ({
        default: (props: Props) => (
          <Unloaded error={error} close={closing(props)} reload={reload}>
            <Shown {...props} />
          </Unloaded>
        ),
      })),
    )
    const reload = () => {
      // Another caller may have retried, and loaded it.
      if (Part !== mine) return
      askForStyles()
      begin()
    }
    Part = mine
  }
  const closing = (props: Props) =>
    typeof without === 'function' ? () => without(props) : (without ?? (props as { onClose?: () => void }).onClose)
  // A part with a fault is closed as well, so that nothing around it is lost.
  const Shown = (props: Props) => (
    <FaultBoundary fallback={(error, retry) => <Missing error={error} close={closing(props)} onRetry={retry} />}>
      <Part {...props} />
    </FaultBoundary>
  )
  begin()
  return Shown
}

/** The browser requests a style sheet once: a link that failed must be replaced to be requested again. */
function askForStyles() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!link.sheet) link.replaceWith(link.cloneNode())
}

type Close = (() => void) | 'nothing' | undefined

interface UnloadedProps {
  error: unknown
  close: Close
  reload: () => void
  children: Elements
}

/** In place of a part that could not be loaded; it is loaded again on request, and by the next render. */
function Unloaded({ error, close, reload, children }: UnloadedProps) {
  const [again, setAgain] = useState(false)
  const latest = useLatest(reload)
  useEffect(() => latest.current, [latest])
  if (again) return children
  const retry = () => {
    reload()
    setAgain(true)
  }
  return <Missing error={error} close={close} onRetry={retry} />
}

function Missing({ error, close, onRetry }: { error: unknown; close: Close; onRetry: () => void }) {
  const t = useTranslate()
  const { notices } = useChat()
  const latest = useLatest({ error, close })
  useEffect(() => {
    const { error, close } = latest.current
    if (typeof close !== 'function') return
    notices.failed('part.failed', error)
    close()
  }, [latest, notices])
  if (close) return null
  return (
    <p className="chat-channels-note">
      <span>{t('part.failed')}</span>
      <button type="button" className="chat-button" data-kind="quiet" onClick={onRetry}>
        {t('retry')}
      </button>
    </p>
  )
}
