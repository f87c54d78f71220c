import type { Thread } from '@parley/client'
import { Suspense, useRef } from 'react'
import { lazyPart } from '../chat/lazy-part.tsx'
import { focusBack } from '../dialog/focus-back.ts'
import { useTranslate } from '../i18n/translate.ts'
import { BADGE_MAX } from '../limits.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { useShortcut } from '../shortcuts/use-shortcuts.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { ThreadIcon } from '../theme/icons.tsx'
import { useUnreadThreads } from './use-unread-threads.ts'

const Threads = lazyPart(() => import('./Threads.tsx'))

/** Number of rows in the skeleton. */
export const SKELETON_ROWS = 6

export interface ThreadInboxProps extends Omit<RootProps, 'onSelect'> {
  onSelect: (thread: Thread) => void
}

/**
 * The threads the reader takes part in, unread ones first. Events do not reorder the list while it is open: a pill
 * offers the new order.
 *
 * Renders a region with a list of buttons and one tab stop.
 */
export function ThreadInbox({ onSelect, ...root }: ThreadInboxProps) {
  const t = useTranslate()
  return (
    <section {...rootProps({ className: 'chat-channels', 'aria-label': t('threads.title') }, root)}>
      <Suspense fallback={<Skeleton kind="rows" count={SKELETON_ROWS} label={t('threads.loading')} />}>
        <Threads onSelect={onSelect} />
      </Suspense>
    </section>
  )
}

export interface ThreadInboxButtonProps extends RootProps<HTMLButtonElement> {
  /** the inbox is shown */
  pressed: boolean
  onPress: () => void
}

/** Shows and hides the inbox; shows how many threads are unread. */
export function ThreadInboxButton({ pressed, onPress, ...root }: ThreadInboxButtonProps) {
  const t = useTranslate()
  const unread = useUnreadThreads()
  const button = useRef<HTMLButtonElement>(null)
  useShortcut('threads', () => {
    onPress()
    // The focused element may be covered by now.
    focusBack(() => button.current)
  })
  const label = unread > 0 ? t('threads.button', { count: unread }) : t('threads.title')
  return (
    <button
      type="button"
      {...rootProps(
        {
          className: 'chat-icon-button chat-thread-button',
          'aria-pressed': pressed,
          'aria-label': label,
          title: label,
          onClick: onPress,
          ref: button,
        },
        root,
      )}
    >
      <ThreadIcon />
      {unread > 0 && (
        <span className="chat-badge" aria-hidden="true">
          {unread > BADGE_MAX ? `${BADGE_MAX}+` : unread}
        </span>
      )}
    </button>
  )
}
