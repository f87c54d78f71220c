import type { Channel, LocalMessage } from '@parley/client'
import { lazy, memo, Suspense, useEffect, useRef, useState } from 'react'
import { AttachmentList, LinkCards } from '../attachments/AttachmentList.tsx'
import { Avatar } from '../avatar/Avatar.tsx'
import { personTag } from '../avatar/person-tag.ts'

import { isGif } from '../giphy/gif.ts'
import { fullTime, timeOfDay } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { ThreadLink } from '../threads/ThreadLink.tsx'
import { FailureLine } from './FailureLine.tsx'
import { SaidText } from './FoldedText.tsx'
import { MessageMeta } from './MessageMeta.tsx'
import { MessageToolbar } from './MessageToolbar.tsx'
import { faceOf, nameOf } from './message-name.ts'
import { type GroupPlace, isDeleted, isSystem, messagePartIds } from './message-parts.ts'
import { QuotedMessage } from './QuotedMessage.tsx'
import { ReactionBar } from './ReactionBar.tsx'
import { useMessageActions } from './use-message-actions.ts'
import { useMessageLayers } from './use-message-layers.tsx'
import { useWaits } from './use-waits.ts'

const EphemeralNote = lazy(() => import('../giphy/EphemeralNote.tsx'))
const PollView = lazy(() => import('../polls/PollView.tsx'))

export interface MessageProps extends RootProps<HTMLDivElement> {
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
  const { message } = props
  if (isSystem(message)) return <SystemMessage {...props} />
  return isDeleted(message) && message.status !== 'failed' ? <Tombstone {...props} /> : <Bubble {...props} />
})

function Bubble({ channel, message, group, own, rowId, entered = false, onJump, ...given }: MessageProps) {
  const actions = useMessageActions(channel, message)
  const root = useRef<HTMLDivElement>(null)
  const { open, begin, run, layer } = useMessageLayers(channel, message, own, root)
  const ids = messagePartIds(rowId)
  const attended = useAttention(root)
  const waits = useWaits(message)
  const pressed = useLongPress(() => begin('menu'))

  const opens = group === 'only' || group === 'first'
  return (
    <div
      {...rootProps(
        {
          ref: root,
          className: 'chat-message',
          'data-own': own || undefined,
          'data-group': group,
          'data-kind': message.type === 'ephemeral' ? 'ephemeral' : undefined,
          'data-status': waits ? 'sending' : message.status,
          'data-open': open !== undefined || undefined,
          'data-pinned': message.pinned || undefined,
        },
        given,
      )}
    >
      {!own && <Side message={message} opens={opens} />}
      <div className="chat-message-column">
        <Author message={message} id={ids.author} own={own} opens={opens} />
        <div className="chat-bubble-line">
          <div className="chat-bubble" {...pressed}>
            {message.quoted_message_id && (
              <QuotedMessage id={ids.quote} quoted={message.quoted_message} entered={entered} onJump={onJump} />
            )}
            <div id={ids.body}>
              <AttachmentList channel={channel} message={message} entered={entered} onJump={onJump} />
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
              {message.text && !isGif(message) && <SaidText message={message} entered={entered} />}
              <LinkCards message={message} entered={entered} />
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
          id={ids.reactions}
          message={message}
          entered={entered}
          allowed={channel.snapshot().data.own_capabilities?.includes('send-reaction') ?? false}
          onToggle={actions.toggleReaction}
          onDetails={() => begin('reactions')}
        />
        <ThreadLink id={ids.replies} message={message} entered={entered} />
        {message.type === 'ephemeral' && (
          <Suspense fallback={<div className="chat-ephemeral" />}>
            <EphemeralNote channel={channel} message={message} entered={entered} />
          </Suspense>
        )}
        <FailureLine
          message={message}
          waits={waits}
          entered={entered}
          onRetry={() => actions.run('retry')}
          onResend={() => run('resend')}
          onDelete={() => begin('delete')}
        />
        <MessageMeta
          channel={channel}
          message={message}
          own={own}
          id={ids.about}
          shown={group === 'only' || group === 'last'}
          entered={entered}
          onReaders={() => begin('readers')}
        />
      </div>
      {layer}
    </div>
  )
}

/** What is left of a deleted message: who and when, and that it is gone [MSG-23]. */
function Tombstone({ message, own, group, rowId, channel, entered = false, onJump: _, ...given }: MessageProps) {
  const { t } = useTranslation()
  const ids = messagePartIds(rowId)
  const root = useRef<HTMLDivElement>(null)
  const { open, begin, layer } = useMessageLayers(channel, message, own, root)
  const attended = useAttention(root)
  const opens = group === 'only' || group === 'first'
  return (
    <div
      {...rootProps(
        {
          ref: root,
          className: 'chat-message',
          'data-own': own || undefined,
          'data-group': group,
          'data-kind': 'deleted',
          'data-open': open !== undefined || undefined,
        },
        given,
      )}
    >
      {!own && <Side message={message} opens={opens} />}
      <div className="chat-message-column">
        <Author message={message} id={ids.author} own={own} opens={opens} />
        <div className="chat-bubble-line">
          <div className="chat-bubble">
            <p id={ids.body} className="chat-tombstone">
              {t('message.deleted')}
            </p>
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
        <ThreadLink id={ids.replies} message={message} entered={entered} />
        <MessageMeta
          channel={channel}
          message={message}
          own={own}
          id={ids.about}
          shown={group === 'only' || group === 'last'}
        />
      </div>
      {layer}
    </div>
  )
}

/** Something that happened, in one centred line. */
function SystemMessage({ message, rowId, channel, group, own, entered, onJump, ...given }: MessageProps) {
  const { t, locale } = useTranslation()
  const ids = messagePartIds(rowId)
  return (
    <div {...rootProps({ className: 'chat-message', 'data-kind': 'system' }, given)}>
      <p>
        <span id={ids.author} className="chat-hidden">
          {nameOf(t, message)}
        </span>
        <span id={ids.body} dir="auto">
          {message.text}
        </span>{' '}
        <time id={ids.about} dateTime={message.created_at.toISOString()} title={fullTime(locale, message.created_at)}>
          {timeOfDay(locale, message.created_at)}
        </time>
      </p>
    </div>
  )
}

/** Where faces stand: one beside the first message of a group, room beside the others. */
function Side({ message, opens }: { message: LocalMessage; opens: boolean }) {
  return <div className="chat-message-side">{opens && <Avatar {...faceOf(message)} size="small" />}</div>
}

/** The name over the first message of a group; every message keeps it for assistive technology. */
function Author({ message, id, own, opens }: { message: LocalMessage; id: string; own: boolean; opens: boolean }) {
  const { t, locale } = useTranslation()
  const name = nameOf(t, message, own)
  if (!opens) {
    return (
      <span id={id} className="chat-hidden">
        {name}
      </span>
    )
  }
  const organization = typeof message.user.organization === 'string' ? message.user.organization : undefined
  const tag = own ? undefined : personTag(message.user)
  return (
    <h4 className={own ? 'chat-hidden' : 'chat-message-author'}>
      <bdi id={id}>{name}</bdi>
      {tag && <span className="chat-tag">{t(tag)}</span>}
      {organization && !own && <span className="chat-message-organization">{organization}</span>}
      <span className="chat-hidden">{timeOfDay(locale, message.created_at)}</span>
    </h4>
  )
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
/** Two taps within this time do so, too. */
const DOUBLE_TAP_MS = 300
/** A finger that moved this far, in px, scrolls instead. */
const PRESS_SLOP_PX = 10

function useLongPress(onPress: () => void) {
  const pressing = useRef<{ timer: number; x: number; y: number }>(undefined)
  const tapped = useRef(-Infinity)
  const stop = () => {
    clearTimeout(pressing.current?.timer)
    pressing.current = undefined
  }
  const open = () => {
    // The menu may lie under the finger when it lifts, and is not pressed by that.
    const lifted = new AbortController()
    const lift = (event: Event) => {
      event.preventDefault()
      lifted.abort()
    }
    for (const end of ['touchend', 'touchcancel']) addEventListener(end, lift, lifted)
    onPress()
  }
  return {
    onPointerDown(event: React.PointerEvent) {
      if (event.pointerType !== 'touch') return
      stop()
      const { clientX: x, clientY: y } = event
      pressing.current = { timer: window.setTimeout(open, LONG_PRESS_MS), x, y }
    },
    onPointerMove(event: React.PointerEvent) {
      const from = pressing.current
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > PRESS_SLOP_PX) stop()
    },
    onPointerUp({ target, timeStamp }: React.PointerEvent) {
      // What can be pressed in it takes two taps for itself.
      if (pressing.current && !(target as Element).closest('a, button, input, video')) {
        if (timeStamp - tapped.current < DOUBLE_TAP_MS) open()
        tapped.current = timeStamp
      }
      stop()
    },
    onPointerCancel: stop,
  }
}
