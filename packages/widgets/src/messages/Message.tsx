import type { Channel, LocalMessage } from '@parley/client'
import { lazy, memo, Suspense, useContext, useEffect, useRef, useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { useClient } from '../chat/use-client.ts'
import { EphemeralNote } from '../giphy/EphemeralNote.tsx'
import { isGif } from '../giphy/gif.ts'
import { fullTime, timeOfDay } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { ThreadLink } from '../threads/ThreadLink.tsx'
import { OpenThread } from '../threads/thread-scope.ts'
import { AttachmentList } from './AttachmentList.tsx'
import { FailureLine } from './FailureLine.tsx'
import { FoldedText } from './FoldedText.tsx'
import { MessageMeta } from './MessageMeta.tsx'
import { MessageToolbar } from './MessageToolbar.tsx'
import { offeredActions } from './message-actions.ts'
import { actionOfKey } from './message-keys.ts'
import { nameOf } from './message-name.ts'
import { type GroupPlace, isDeleted, isSystem, messagePartIds } from './message-parts.ts'
import { QuotedMessage } from './QuotedMessage.tsx'
import { ReactionBar } from './ReactionBar.tsx'
import { useMessageActions } from './use-message-actions.ts'

const MessageMenu = lazy(() => import('./MessageMenu.tsx'))
const DeleteDialog = lazy(() => import('./DeleteDialog.tsx'))
const PollView = lazy(() => import('../polls/PollView.tsx'))
const ReactionDetails = lazy(() => import('./ReactionDetails.tsx'))

export interface MessageProps {
  channel: Channel
  message: LocalMessage
  /** its place among the messages its author wrote in one go; see `groupPlace` */
  group: GroupPlace
  /** written by the reader */
  own: boolean
  /** prefix of the ids of its parts, unique on the page; see `messagePartIds` */
  rowId: string
  /** the reader went inside the row with Enter: its links and buttons are tab stops */
  entered?: boolean
  /** the quoted message was pressed */
  onJump?: (messageId: string) => void
}

/**
 * One message: its author, its words, what it answers, and what became of it.
 * The row around it is the list's: an `<article>` named by `messagePartIds`,
 * whose keys (R, E, +, …) this component answers while the row has focus.
 *
 * Style hooks: `.chat-message[data-own][data-group][data-kind][data-status]` ·
 * `--chat-bubble-radius`, `--chat-bubble-max`.
 */
export const Message = memo(function Message(props: MessageProps) {
  const { message, rowId } = props
  if (isSystem(message)) return <SystemMessage message={message} rowId={rowId} />
  return isDeleted(message) && message.status !== 'failed' ? <Tombstone {...props} /> : <Bubble {...props} />
})

type Open = 'menu' | 'delete' | 'deleteForGood' | 'reactions'

function Bubble({ channel, message, group, own, rowId, entered = false, onJump }: MessageProps) {
  const client = useClient()
  const actions = useMessageActions(channel, message)
  const threads = useContext(OpenThread) !== undefined
  const [open, setOpen] = useState<Open>()
  const root = useRef<HTMLDivElement>(null)
  const anchor = useRef<HTMLElement | null>(null)
  const ids = messagePartIds(rowId)

  const begin = (what: Open, from?: HTMLElement | null) => {
    anchor.current = from ?? root.current?.querySelector<HTMLElement>('.chat-bubble') ?? null
    setOpen(what)
  }
  useRowKeys(root, (event) => {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      begin('menu')
      return true
    }
    const offered = offeredActions(client.userID, channel, message, { threads })
    const action = actionOfKey(event).find((wanted) => offered.some((o) => o.action === wanted && !o.tooOld))
    if (!action) return false
    if (action === 'react') begin('menu')
    else if (action === 'delete' || action === 'deleteForGood') begin(action)
    else actions.run(action)
    return true
  })
  const attended = useAttention(root)
  const pressed = useLongPress(() => begin('menu'))

  const opens = group === 'only' || group === 'first'
  return (
    <div
      ref={root}
      className="chat-message"
      data-own={own || undefined}
      data-group={group}
      data-kind={message.type === 'ephemeral' ? 'ephemeral' : undefined}
      data-status={message.status}
      data-open={open !== undefined || undefined}
      data-pinned={message.pinned || undefined}
    >
      {!own && <Side message={message} opens={opens} />}
      <div className="chat-message-column">
        <Author message={message} id={ids.author} own={own} opens={opens} />
        <div className="chat-bubble-line">
          <div className="chat-bubble" {...pressed}>
            <div id={ids.body}>
              {message.quoted_message && (
                <QuotedMessage quoted={message.quoted_message} entered={entered} onJump={onJump} />
              )}
              <AttachmentList attachments={message.attachments} entered={entered} />
              {message.poll && (
                <Suspense
                  fallback={
                    <div
                      className="chat-poll"
                      style={{ '--chat-poll-waiting': message.poll.options.length } as React.CSSProperties}
                    />
                  }
                >
                  <PollView channel={channel} message={message} poll={message.poll} entered={entered} />
                </Suspense>
              )}
              {message.text && !isGif(message) && <FoldedText message={message} entered={entered} />}
            </div>
          </div>
          <MessageToolbar
            channel={channel}
            message={message}
            entered={entered}
            attended={attended || open === 'menu'}
            menuOpen={open === 'menu'}
            onMenu={(button) => begin('menu', button)}
          />
        </div>
        <ReactionBar
          message={message}
          entered={entered}
          allowed={channel.snapshot().data.own_capabilities?.includes('send-reaction') ?? false}
          onToggle={actions.toggleReaction}
          onDetails={() => begin('reactions')}
        />
        <ThreadLink message={message} entered={entered} />
        {message.type === 'ephemeral' && <EphemeralNote channel={channel} message={message} entered={entered} />}
        <FailureLine message={message} entered={entered} onRetry={() => actions.run('retry')} />
        <MessageMeta
          channel={channel}
          message={message}
          own={own}
          id={ids.about}
          shown={group === 'only' || group === 'last'}
        />
      </div>
      {open && (
        <Suspense fallback={null}>
          {open === 'menu' && (
            <MessageMenu
              offered={offeredActions(client.userID, channel, message, { threads })}
              message={message}
              anchor={anchor}
              placement={own ? 'end' : 'start'}
              onClose={() => setOpen((now) => (now === 'menu' ? undefined : now))}
              onReact={actions.toggleReaction}
              onAction={(action) => {
                if (action === 'delete' || action === 'deleteForGood') setOpen(action)
                else actions.run(action)
              }}
            />
          )}
          {(open === 'delete' || open === 'deleteForGood') && (
            <DeleteDialog
              message={message}
              forGood={open === 'deleteForGood'}
              onClose={() => setOpen(undefined)}
              onDelete={() => actions.delete({ forGood: open === 'deleteForGood' })}
            />
          )}
          {open === 'reactions' && (
            <ReactionDetails
              channel={channel}
              message={message}
              onClose={() => setOpen(undefined)}
              onRemove={actions.toggleReaction}
            />
          )}
        </Suspense>
      )}
    </div>
  )
}

/** What is left of a deleted message: who and when, and that it is gone [MSG-23]. */
function Tombstone({ message, own, group, rowId, channel, entered = false }: MessageProps) {
  const { t } = useTranslation()
  const ids = messagePartIds(rowId)
  const opens = group === 'only' || group === 'first'
  return (
    <div className="chat-message" data-own={own || undefined} data-group={group} data-kind="deleted">
      {!own && <Side message={message} opens={opens} />}
      <div className="chat-message-column">
        <Author message={message} id={ids.author} own={own} opens={opens} />
        <div className="chat-bubble-line">
          <div className="chat-bubble">
            <p id={ids.body} className="chat-tombstone">
              {t('message.deleted')}
            </p>
          </div>
        </div>
        <ThreadLink message={message} entered={entered} />
        <MessageMeta
          channel={channel}
          message={message}
          own={own}
          id={ids.about}
          shown={group === 'only' || group === 'last'}
        />
      </div>
    </div>
  )
}

/** Something that happened, in one centred line. */
function SystemMessage({ message, rowId }: { message: LocalMessage; rowId: string }) {
  const { t, language } = useTranslation()
  const ids = messagePartIds(rowId)
  return (
    <div className="chat-message" data-kind="system">
      <p>
        <span id={ids.author} className="chat-hidden">
          {nameOf(t, message, false)}
        </span>
        <span id={ids.body} dir="auto">
          {message.text}
        </span>{' '}
        <time id={ids.about} dateTime={message.created_at.toISOString()} title={fullTime(language, message.created_at)}>
          {timeOfDay(language, message.created_at)}
        </time>
      </p>
    </div>
  )
}

/** Where faces stand: one beside the first message of a group, room beside the others. */
function Side({ message, opens }: { message: LocalMessage; opens: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="chat-message-side">
      {opens && (
        <Avatar id={message.user.id} name={nameOf(t, message, false)} image={message.user.image} size="small" />
      )}
    </div>
  )
}

/** The name over the first message of a group; every message keeps it for assistive technology. */
function Author({ message, id, own, opens }: { message: LocalMessage; id: string; own: boolean; opens: boolean }) {
  const { t, language } = useTranslation()
  const name = nameOf(t, message, own)
  if (!opens) {
    return (
      <span id={id} className="chat-hidden">
        {name}
      </span>
    )
  }
  const organization = typeof message.user.organization === 'string' ? message.user.organization : undefined
  return (
    <h4 className={own ? 'chat-hidden' : 'chat-message-author'}>
      <bdi id={id}>{name}</bdi>
      {organization && !own && <span className="chat-message-organization">{organization}</span>}
      <span className="chat-hidden">{timeOfDay(language, message.created_at)}</span>
    </h4>
  )
}

/** Answers the keys of the row while the row itself, and nothing inside it, has focus. */
function useRowKeys(root: React.RefObject<HTMLElement | null>, onKey: (event: KeyboardEvent) => boolean) {
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(() => {
    const row = root.current?.closest<HTMLElement>('article')
    if (!row) return
    const listen = (event: KeyboardEvent) => {
      if (event.target === row && !event.defaultPrevented && latest.current(event)) event.preventDefault()
    }
    row.addEventListener('keydown', listen)
    return () => row.removeEventListener('keydown', listen)
  }, [root])
}

/** True while the row is pointed at, or it or something inside it has focus. */
function useAttention(root: React.RefObject<HTMLElement | null>): boolean {
  const [attended, setAttended] = useState(false)
  useEffect(() => {
    const row = root.current?.closest<HTMLElement>('article')
    if (!row) return
    const look = () => setAttended(row.matches(':hover') || row.contains(document.activeElement))
    const events = ['pointerenter', 'pointerleave', 'focusin', 'focusout'] as const
    // The focus is on its way while `focusout` is told; where it went is known a task later.
    const lookLater = () => setTimeout(look)
    for (const event of events) row.addEventListener(event, lookLater)
    // A row that is drawn under a resting pointer hears of no pointer coming.
    if (row.matches(':hover')) lookLater()
    return () => {
      for (const event of events) row.removeEventListener(event, lookLater)
    }
  }, [root])
  return attended
}

/** A finger that rests opens the menu, as a secondary click does. */
const LONG_PRESS_MS = 400
/** A finger that moved this far, in px, scrolls instead. */
const PRESS_SLOP_PX = 10

function useLongPress(onPress: () => void) {
  const pressing = useRef<{ timer: number; x: number; y: number }>(undefined)
  const stop = () => {
    clearTimeout(pressing.current?.timer)
    pressing.current = undefined
  }
  return {
    onPointerDown(event: React.PointerEvent) {
      if (event.pointerType !== 'touch') return
      stop()
      const { clientX: x, clientY: y } = event
      pressing.current = { timer: window.setTimeout(onPress, LONG_PRESS_MS), x, y }
    },
    onPointerMove(event: React.PointerEvent) {
      const from = pressing.current
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > PRESS_SLOP_PX) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  }
}
