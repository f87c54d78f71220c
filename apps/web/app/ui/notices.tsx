import { useEffect, useSyncExternalStore } from 'react'
import type * as Sonner from 'sonner'
import { useTranslate } from '../i18n/translate.tsx'
import { useMedia } from './use-media.ts'

/** On phones the bottom edge belongs to the composer. */
export const PHONE = '(width < 768px)'

/** Below the bar with the menu button. */
const BELOW_THE_BAR = { top: 'calc(4rem + env(safe-area-inset-top))' }

export const LIFE_MS = 6_000

/** The first of these fetches the library: when the connection breaks, it must be there to say so. */
const TOUCHES = ['pointerdown', 'keydown'] as const

type Saying = (toast: typeof Sonner.toast) => void

let sonner: typeof Sonner | undefined
let isFetching = false
const waiting: Saying[] = []
const listeners = new Set<() => void>()

/** Where short notices appear: at the start of the bottom edge, on phones at the top. */
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
      // Chat has a place of its own for its notices, and names it just so.
      customAriaLabel={`Parley: ${t('notice.label')}`}
      className="notices"
      // The library writes a width of its own on the element, which a style sheet cannot change.
      style={{ '--width': 'var(--notice-width)' } as React.CSSProperties}
      toastOptions={{ closeButton: true, closeButtonAriaLabel: t('notice.close') }}
    />
  )
}

/** The same sentence again takes the place of the one before. */
export function noticeError(text: string) {
  say((toast) => toast.error(text, { id: text }))
}

export function noticeDone(text: string, action?: { label: string; onClick: () => void }) {
  say((toast) => toast.success(text, { id: text, action }))
}

/** Says it now, or once the library is there. */
export function say(saying: Saying) {
  waiting.push(saying)
  if (sonner) sayWaiting(sonner)
  else fetchLibrary()
}

/** Takes back what was said under an id, if there was anything. */
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
    // What waits is said when the next notice finds a way.
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
