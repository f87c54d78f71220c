import type { Channel, LocalMessage } from '@parley/client'
import { type RefObject, Suspense, useContext, useEffect, useRef, useState } from 'react'
import { may } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { personName } from '../chat/seen-name.ts'
import { useLatest } from '../chat/use-latest.ts'
import { focusBack, focusLater } from '../dialog/focus-back.ts'
import type { Elements } from '../elements.ts'
import { useTranslation } from '../i18n/translate.ts'
import { mutedIdsOf } from '../moderation/own-lists.ts'
import { isReachedByKeys } from '../shortcuts/reached-by-keys.ts'
import { useShortcutsSet } from '../shortcuts/use-shortcuts.ts'
import { OpenThread } from '../threads/thread-scope.ts'
import { type Asking, asks, type MessageAction, offeredActions } from './message-actions.ts'
import { actionsOfKey } from './message-keys.ts'
import { reactionOf } from './reaction-kinds.ts'
import { type MessageActions, useMessageActions } from './use-message-actions.ts'

const MessageMenu = lazyPart(() => import('./MessageMenu.tsx'))
const DeleteDialog = lazyPart(() => import('./DeleteDialog.tsx'))
const EmojiPicker = lazyPart(() => import('../emoji/EmojiPicker.tsx'))
const ReactionDetails = lazyPart(() => import('./ReactionDetails.tsx'))
const BanDialog = lazyPart(() => import('../moderation/BanDialog.tsx'))
const PinDialog = lazyPart(() => import('../pins/PinDialog.tsx'))
const ReadersDialog = lazyPart(() => import('../reads/ReadersDialog.tsx'))

export type Layer = 'menu' | 'emoji' | 'reactions' | Asking

export interface MessageLayers {
  open: Layer | undefined
  /** Opens a layer, at the element given or at the bubble. */
  begin: (layer: Layer, from?: HTMLElement | null) => void
  /** Whether an action is offered now. */
  can: (action: MessageAction) => boolean
  /** Runs an action that needs no dialog. */
  run: MessageActions['run']
  /** The layer that is open now, to be rendered inside the message. */
  layer: Elements
}

/** The menu and the dialogs of one message, each loaded when it is first opened, and their keys. */
export function useMessageLayers(
  channel: Channel,
  message: LocalMessage,
  own: boolean,
  root: RefObject<HTMLElement | null>,
): MessageLayers {
  const { client, clock, messageHref } = useChat()
  const { language } = useTranslation()
  const shortcutsSet = useShortcutsSet()
  const actions = useMessageActions(channel, message)
  const threads = useContext(OpenThread) !== undefined
  const [open, setOpen] = useState<Layer>()
  const anchor = useRef<HTMLElement | null>(null)
  const close = () => {
    // The confirmed action may remove the message, and its row with it.
    const row = root.current?.closest('article')
    const places = [row, row?.nextElementSibling, row?.previousElementSibling] as HTMLElement[]
    setOpen(undefined)
    focusBack(() => places.find((place) => place?.isConnected))
  }
  const offered = () =>
    offeredActions(client.userID, channel, message, {
      threads,
      language,
      links: messageHref !== undefined,
      mutedIds: mutedIdsOf(client, clock.now()),
    })

  const begin = (layer: Layer, from?: HTMLElement | null) => {
    anchor.current = from ?? root.current?.querySelector<HTMLElement>('.chat-bubble') ?? null
    setOpen(layer)
  }
  const run: MessageActions['run'] = (action) => {
    const box = root.current?.closest('.chat-pane, .chat-aside')?.querySelector<HTMLElement>('.chat-composer textarea')
    actions.run(action)
    if (action === 'resend') focusLater(() => box)
  }
  useRowKeys(root, (event) => {
    const all = offered()
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      if (all.length > 0) begin('menu')
      return true
    }
    if (!isReachedByKeys(root.current!)) return false
    const action = actionsOfKey(event, shortcutsSet()).find((wanted) =>
      all.some((offer) => offer.action === wanted && !offer.tooOld),
    )
    if (!action) return false
    if (action === 'react') begin('menu')
    else if (asks(action)) begin(action)
    else run(action)
    return true
  })

  const layer = open && (
    <Suspense fallback={null}>
      {open === 'menu' && (
        <MessageMenu
          offered={offered()}
          message={message}
          anchor={anchor}
          placement={own ? 'end' : 'start'}
          onClose={() => setOpen((now) => (now === 'menu' ? undefined : now))}
          onReact={actions.toggleReaction}
          onMoreEmoji={() => setOpen('emoji')}
          onAction={(action) => (asks(action) ? setOpen(action) : run(action))}
        />
      )}
      {(open === 'delete' || open === 'deleteForGood') && (
        <DeleteDialog
          message={message}
          forGood={open === 'deleteForGood'}
          onClose={close}
          onDelete={() => actions.delete({ forGood: open === 'deleteForGood' })}
        />
      )}
      {open === 'emoji' && (
        <EmojiPicker
          anchor={anchor}
          placement={own ? 'bottom end' : 'bottom start'}
          onChoose={(emoji) => actions.toggleReaction(reactionOf(emoji))}
          onClose={close}
        />
      )}
      {open === 'reactions' && (
        <ReactionDetails channel={channel} message={message} onClose={close} onRemove={actions.toggleReaction} />
      )}
      {open === 'pinFor' && <PinDialog onClose={close} onPin={actions.pinFor} />}
      {open === 'readers' && <ReadersDialog channel={channel} message={message} onClose={close} />}
      {open === 'ban' && (
        <BanDialog
          name={personName(message.user)}
          mayDelete={may(channel.snapshot(), 'delete-any-message')}
          onClose={close}
          onBan={actions.ban}
        />
      )}
    </Suspense>
  )
  const can = (wanted: MessageAction) => offered().some(({ action }) => action === wanted)
  return { open, begin, can, run, layer }
}

/** Answers the keys of the row while the row itself, and nothing inside it, has focus. */
function useRowKeys(root: RefObject<HTMLElement | null>, onKey: (event: KeyboardEvent) => boolean) {
  const latest = useLatest(onKey)
  useEffect(() => {
    const row = root.current?.closest<HTMLElement>('article')
    if (!row) return
    const listen = (event: KeyboardEvent) => {
      if (event.target === row && !event.defaultPrevented && latest.current(event)) event.preventDefault()
    }
    row.addEventListener('keydown', listen)
    return () => row.removeEventListener('keydown', listen)
  }, [root, latest])
}
