import { type ComponentType, lazy, useEffect, useState } from 'react'
import type { Elements } from '../elements.ts'
import { useTranslate } from '../i18n/translate.ts'
import { useChat } from './chat-context.ts'
import { useLatest } from './use-latest.ts'

/**
 * A part of the kit that is loaded when it is first shown. If loading fails, as without a connection, the part is
 * closed and a notice reports it; a part that cannot be closed shows the failure in its place, with a button. The next
 * render tries again.
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
          <Missing error={error} close={closing(props)} anew={anew}>
            <Shown {...props} />
          </Missing>
        ),
      })),
    )
    const anew = () => {
      // Another caller may have retried, and loaded it.
      if (Part !== mine) return
      askForStyles()
      begin()
    }
    Part = mine
  }
  const closing = (props: Props) =>
    typeof without === 'function' ? () => without(props) : (without ?? (props as { onClose?: () => void }).onClose)
  const Shown = (props: Props) => <Part {...props} />
  begin()
  return Shown
}

/** The browser requests a style sheet once: a link that failed must be replaced to be requested again. */
function askForStyles() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!link.sheet) link.replaceWith(link.cloneNode())
}

interface MissingProps {
  error: unknown
  close: (() => void) | 'nothing' | undefined
  anew: () => void
  children: Elements
}

function Missing({ error, close, anew, children }: MissingProps) {
  const t = useTranslate()
  const { notices } = useChat()
  const [again, setAgain] = useState(false)
  const latest = useLatest({ error, close, anew })
  useEffect(() => {
    const { error, close, anew } = latest.current
    if (typeof close === 'function') {
      notices.failed('part.failed', error)
      close()
    }
    return anew
  }, [latest, notices])
  if (again) return children
  if (close) return null
  const retry = () => {
    anew()
    setAgain(true)
  }
  return (
    <p className="chat-channels-note">
      <span>{t('part.failed')}</span>
      <button type="button" className="chat-button" data-kind="quiet" onClick={retry}>
        {t('retry')}
      </button>
    </p>
  )
}
