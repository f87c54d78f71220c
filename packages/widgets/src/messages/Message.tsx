import type { Channel, LocalMessage } from '@parley/client'
import { memo, type RefObject, Suspense, useRef } from 'react'
import { AttachmentList, LinkCards } from '../attachments/AttachmentList.tsx'
import { Avatar } from '../avatar/Avatar.tsx'
import { personTag } from '../avatar/person-tag.ts'
import { may } from '../chat/channel-facts.ts'
import { FaultBoundary } from '../chat/FaultBoundary.tsx'
import { FaultNote } from '../chat/FaultNote.tsx'
import { lazyPart } from '../chat/lazy-part.tsx'
import type { Elements } from '../elements.ts'
import { isGif } from '../giphy/gif.ts'
import { fullTime, timeOfDay } from '../i18n/row-time.ts'
import { useTranslation } from '../i18n/translate.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { InfoIcon } from '../theme/icons.tsx'
import { ThreadLink } from '../threads/ThreadLink.tsx'
import { FailureLine } from './FailureLine.tsx'
import { SaidText } from './FoldedText.tsx'
import { MessageMeta } from './MessageMeta.tsx'
import { MessageToolbar } from './MessageToolbar.tsx'
import { avatarUser, nameOf } from './message-name.ts'
import { type GroupPlace, isDeleted, isSystem, messagePartIds } from './message-parts.ts'
import { QuotedMessage } from './QuotedMessage.tsx'
import { ReactionBar } from './ReactionBar.tsx'
import { useAttention } from './use-attention.ts'
import { useLongPress } from './use-long-press.ts'
import { useMessageActions } from './use-message-actions.ts'
import { type MessageLayers, useMessageLayers } from './use-message-layers.tsx'
import { useSwipe } from './use-swipe.ts'
import { useWaits } from './use-waits.ts'

const EphemeralNote = lazyPart(() => import('../giphy/EphemeralNote.tsx'))
const PollView = lazyPart(() => import('../polls/PollView.tsx'))

export interface MessageProps extends RootProps<HTMLDivElement> {
  channel: Channel
  message: LocalMessage
  /** its place in the group of consecutive messages of its author; see `groupPlace` */
  group: GroupPlace
  /** written by the reader */
  own: boolean
  /** prefix of the ids of its parts, unique on the page; see `messagePartIds` */
  rowId: string
  /** the reader entered the row with Enter: its links and buttons are tab stops */
  entered?: boolean
  /** the quoted message was pressed */
  onJump?: (messageId: string) => void
}

/**
 * One message: its author, its text, what it quotes, and its status. The row around it is the list's: an `<article>`
 * named by `messagePartIds`, whose keys (R, E, +, …) this component answers while the row has focus.
 *
 * Style hooks: `.chat-message[data-own][data-group][data-kind][data-status]` · `--chat-bubble-radius`,
 * `--chat-bubble-max`.
 */
export const Message = memo(function Message(props: MessageProps) {
  const { channel, message, group, own, rowId, entered, onJump, ...root } = props
  const fallback = (_: unknown, retry: () => void) => (
    <FaultNote text="fault.message" onRetry={retry} root={root} id={messagePartIds(rowId).body} />
  )
  return (
    <FaultBoundary of={message} fallback={fallback}>
      <Drawn {...props} />
    </FaultBoundary>
  )
})

function Drawn(props: MessageProps) {
  const { message } = props
  if (isSystem(message)) return <SystemMessage {...props} />
  return isDeleted(message) && message.status !== 'failed' ? <Tombstone {...props} /> : <Bubble {...props} />
}

function Bubble(props: MessageProps) {
  const { channel, message, own, rowId, entered = false, onJump } = props
  const actions = useMessageActions(channel, message)
  const root = useRef<HTMLDivElement>(null)
  const layers = useMessageLayers(channel, message, own, root)
  const { begin } = layers
  const ids = messagePartIds(rowId)
  const waits = useWaits(message)
  const pressed = useLongPress(() => begin('menu'))
  const held = useLongPress(() => begin('reactions'))
  const swiped = useSwipe(layers)
  return (
    <Frame
      data-kind={message.type === 'ephemeral' ? 'ephemeral' : undefined}
      data-status={waits ? 'sending' : message.status}
      data-pinned={message.pinned || undefined}
      {...props}
      root={root}
      layers={layers}
      bubble={
        <div
          className="chat-bubble"
          {...pressed}
          onPointerDown={(event) => {
            pressed.onPointerDown(event)
            swiped(event)
          }}
        >
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
      }
    >
      <ReactionBar
        id={ids.reactions}
        message={message}
        entered={entered}
        allowed={may(channel.snapshot(), 'send-reaction')}
        onToggle={actions.toggleReaction}
        onDetails={() => begin('reactions')}
        held={held}
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
        onResend={() => layers.run(message.attempt === 'edit' ? 'edit' : 'resend')}
        onDelete={() => begin('delete')}
      />
    </Frame>
  )
}

/** The placeholder of a deleted message: author, time, and that it was deleted [MSG-23]. */
function Tombstone(props: MessageProps) {
  const { channel, message, own, rowId, entered = false } = props
  const { t } = useTranslation()
  const ids = messagePartIds(rowId)
  const root = useRef<HTMLDivElement>(null)
  return (
    <Frame
      data-kind="deleted"
      {...props}
      root={root}
      layers={useMessageLayers(channel, message, own, root)}
      bubble={
        <div className="chat-bubble">
          <p id={ids.body} className="chat-tombstone">
            {t('message.deleted')}
          </p>
        </div>
      }
    >
      <ThreadLink id={ids.replies} message={message} entered={entered} />
    </Frame>
  )
}

interface FrameProps extends MessageProps {
  root: RefObject<HTMLDivElement | null>
  layers: MessageLayers
  bubble: Elements
  /** drawn between the bubble and its time */
  children: Elements
}

/** The frame around the text of a message or its placeholder: avatar, name, toolbar and time. */
function Frame({ channel, message, group, own, rowId, entered = false, onJump: _, ...others }: FrameProps) {
  const { root, layers, bubble, children, ...given } = others
  const { open, begin } = layers
  const ids = messagePartIds(rowId)
  const attended = useAttention(root)
  const [{ messages }] = usePreferences()
  const isFlat = messages === 'flat'
  const opens = group === 'only' || group === 'first'
  return (
    <div
      {...rootProps(
        {
          ref: root,
          className: 'chat-message',
          'data-own': (own && !isFlat) || undefined,
          'data-group': group,
          'data-open': open !== undefined || undefined,
        },
        given,
      )}
    >
      {(!own || isFlat) && <Side message={message} opens={opens} />}
      <div className="chat-message-column">
        <Author message={message} id={ids.author} own={own} opens={opens} hidden={own && !isFlat} />
        <div className="chat-bubble-line">
          {bubble}
          <MessageToolbar
            channel={channel}
            message={message}
            entered={entered}
            attended={attended || open === 'menu'}
            menuOpen={open === 'menu'}
            onMenu={(button) => begin('menu', button)}
          />
        </div>
        {children}
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
      {layers.layer}
    </div>
  )
}

/** A system message, in one centred line. */
function SystemMessage({ message, rowId, channel, group, own, entered, onJump, ...given }: MessageProps) {
  const { t, locale } = useTranslation()
  const ids = messagePartIds(rowId)
  return (
    <div {...rootProps({ className: 'chat-message', 'data-kind': 'system' }, given)}>
      <p>
        <InfoIcon />
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

/** The avatar column: an avatar beside the first message of a group, empty space beside the others. */
function Side({ message, opens }: { message: LocalMessage; opens: boolean }) {
  return <div className="chat-message-side">{opens && <Avatar {...avatarUser(message)} size="small" />}</div>
}

interface AuthorProps extends Pick<MessageProps, 'message' | 'own'> {
  id: string
  opens: boolean
  /** the author is shown by position and colour */
  hidden: boolean
}

/** The name over the first message of a group; every message keeps it for assistive technology. */
function Author({ message, id, own, opens, hidden }: AuthorProps) {
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
    <h4 className={hidden ? 'chat-hidden' : 'chat-message-author'}>
      <bdi id={id}>{name}</bdi>
      {tag && <span className="chat-tag">{t(tag)}</span>}
      {organization && !own && <span className="chat-message-organization">{organization}</span>}
      <span className="chat-hidden">{timeOfDay(locale, message.created_at)}</span>
    </h4>
  )
}
