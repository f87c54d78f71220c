import { useEffect, useSyncExternalStore } from 'react'
import type * as Sonner from 'sonner'
import { useTranslate } from '../i18n/translate.tsx'
import { useMedia } from './use-media.ts'

/** On phones the composer is at the bottom edge. */
export const PHONE = '(width < 48rem)'

/** Below the bar with the menu button. */
const BELOW_THE_BAR = { top: 'calc(4rem + env(safe-area-inset-top))' }

export const LIFE_MS = 6_000

/** The first of these events loads the library: it must be loaded when the connection breaks. */
const TOUCHES = ['pointerdown', 'keydown'] as const

type Saying = (toast: typeof Sonner.toast) => void

let sonner: typeof Sonner | undefined
let isFetching = false
const waiting: Saying[] = []
const listeners = new Set<() => void>()

/** The place of toasts: at the start of the bottom edge, on phones at the top. */
export function Notices() {
  const t = useTranslate()
  const phone = useMedia(PHONE)
  const library = useSyncExternalStore(subscribe, snapshot, snapshot)
  useEffect(() => {
    for (const touch of TOUCHES) addEventListener(touch, fetchLibrary, { once: true })
    return () => {
      for (const touch of TOUCHES) removeEventListener(touch, fetchLibrary)
    }
  }, [])
  if (!library) return null
  return (
    <library.Toaster
      position={phone ? 'top-center' : 'bottom-left'}
      offset={phone ? BELOW_THE_BAR : undefined}
      mobileOffset={BELOW_THE_BAR}
      visibleToasts={3}
      duration={LIFE_MS}
      theme="system"
      // Chat has its own toast region with exactly this name.
      customAriaLabel={`Parley: ${t('notice.label')}`}
      className="notices"
      // The library sets a width on the element, which a style sheet cannot override.
      style={{ '--width': 'var(--notice-width)' } as React.CSSProperties}
      toastOptions={{ closeButton: true, closeButtonAriaLabel: t('notice.close') }}
    />
  )
}

/** A toast with the same text replaces the one before. */
export function noticeError(text: string) {
  say((toast) => toast.error(text, { id: text }))
}

export function noticeDone(text: string, action?: { label: string; onClick: () => void }) {
  say((toast) => toast.success(text, { id: text, action }))
}

/** Shows a toast now, or once the library has loaded. */
export function say(saying: Saying) {
  waiting.push(saying)
  if (sonner) sayWaiting(sonner)
  else fetchLibrary()
}

/** Closes the toast with this id, if any. */
export function unsay(id: string) {
  if (sonner || waiting.length > 0) say((toast) => toast.dismiss(id))
}

function fetchLibrary() {
  if (sonner || isFetching) return
  isFetching = true
  import('sonner')
    .then((library) => {
      sonner = library
      for (const listener of listeners) listener()
      sayWaiting(library)
    })
    // Waiting toasts are shown when a later attempt to load the library succeeds.
    .catch((error: unknown) => console.error('Notices could not be fetched.', error))
    .finally(() => {
      isFetching = false
    })
}

function sayWaiting({ toast }: typeof Sonner) {
  for (const saying of waiting.splice(0)) saying(toast)
}

const snapshot = () => sonner
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
