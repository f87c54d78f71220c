import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { badge } from '../shell/badge.ts'
import { remember, remembered } from '../ui/browser-memory.ts'
import { Icon } from '../ui/Icon.tsx'
import { useChat } from './use-chat.ts'
import type { Covered } from './use-way-back.ts'

const loadPanel = () => import('./WidgetPanel.tsx')
const WidgetPanel = lazy(async () => ({ default: (await loadPanel()).WidgetPanel }))

/** The device remembers the launcher's bottom corner. */
const SIDE_KEY = 'parley.widget.side'

/** A closed panel stays mounted this long, so that it reopens in the same state. */
const KEPT_MS = 10 * 60_000

/** The floating chat: a round button in a bottom corner, and the panel that it opens. */
export function ChatWidget() {
  const t = useTranslate()
  const { state, dispatch, need } = useChat()
  const launcher = useRef<HTMLButtonElement>(null)
  const [side, setSide] = useSide()
  const open = state.chatWidgetOpen
  const kept = useKept(open)
  const { layers } = (useLocation().state ?? {}) as Covered
  const there = state.clientInitialized && state.chatWidgetVisible
  const navigate = useNavigate()
  const isBack = useNavigationType() === 'POP'
  const [uncovered, uncover] = useState(false)
  // The panel is open while the history entry has a layer. A page that loads on such an entry goes back below it first.
  useEffect(() => {
    if (!there) return
    if (!layers) uncover(true)
    else if (!uncovered) void navigate(-layers)
    else if (isBack) dispatch({ type: 'ChatWidgetOpenClicked' })
  }, [there, layers, uncovered, isBack, dispatch, navigate])

  if (!there || !uncovered) return null
  const count = state.unreadCount
  const prepare = () => {
    need()
    void loadPanel()
  }
  const move = () => setSide(side === 'end' ? 'start' : 'end')
  const toggle = () => {
    dispatch({ type: open ? 'ChatWidgetCloseClicked' : 'ChatWidgetOpenClicked' })
  }

  return (
    <div className="widget" data-side={side} data-open={open || undefined}>
      {(open || kept) && (
        <Suspense fallback={open ? <div id="chat-widget" className="widget-panel" aria-busy="true" /> : null}>
          <WidgetPanel open={open} onClose={toggle} launcher={launcher} side={side} onMove={move} />
        </Suspense>
      )}
      <button
        type="button"
        ref={launcher}
        className="launcher"
        aria-label={open ? t('widget.close') : t('widget.open', { count })}
        aria-expanded={open}
        aria-controls={open || kept ? 'chat-widget' : undefined}
        onPointerEnter={prepare}
        onFocus={prepare}
        onPointerDown={({ currentTarget, nativeEvent }) => {
          if (!open)
            void import('./drag-launcher.ts').then(({ dragLauncher }) => dragLauncher(currentTarget, nativeEvent, move))
        }}
        onClick={toggle}
      >
        <Icon name={open ? 'down' : 'chat'} />
        {!open && badge(count) && <span className="badge">{badge(count)}</span>}
      </button>
    </div>
  )
}

type Side = 'start' | 'end'

function useSide(): [Side, (side: Side) => void] {
  const [side, setSide] = useState<Side>('end')
  useEffect(() => {
    if (remembered(SIDE_KEY) === 'start') setSide('start')
  }, [])
  return [
    side,
    (next) => {
      setSide(next)
      remember(SIDE_KEY, next)
    },
  ]
}

/** Whether the panel stays mounted although it is closed. */
function useKept(open: boolean): boolean {
  const [kept, setKept] = useState(false)
  useEffect(() => {
    if (open) {
      setKept(true)
      return
    }
    const timer = setTimeout(() => setKept(false), KEPT_MS)
    return () => clearTimeout(timer)
  }, [open])
  return kept
}
