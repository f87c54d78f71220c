import {
  type Channel,
  type ChannelState,
  ChatError,
  type LocalMessage,
  type SendOptions,
  type Composer as Words,
} from '@parley/client'
import { errorKinds } from '@parley/protocol/errors'
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { AttachButton, mayUpload } from '../attachments/AttachButton.tsx'
import { DropTarget } from '../attachments/DropTarget.tsx'
import { useRecording } from '../attachments/use-recording.ts'
import { VoiceButton } from '../attachments/VoiceButton.tsx'
import { useCompletion } from '../autocomplete/use-completion.tsx'
import { channelName, may } from '../chat/channel-facts.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { CommandChip } from '../commands/CommandChip.tsx'
import { askedBy } from '../commands/commands.ts'
import { useCommand } from '../commands/use-command.ts'
import { EmojiButton } from '../emoji/EmojiButton.tsx'
import { isGif } from '../giphy/gif.ts'
import { countGraphemes } from '../i18n/graphemes.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { MESSAGES_PAGE } from '../limits.ts'
import { useLinkPreview } from '../link-preview/use-link-preview.ts'
import { finishReading, showsNewLine } from '../message-list/use-reading.ts'
import { nameOf } from '../messages/message-name.ts'
import { isDeleted, isSystem } from '../messages/message-parts.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { failureNotices } from '../messages/use-message-actions.ts'
import { detailsOf, useNotices } from '../notices/use-notices.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { CheckIcon, CloseIcon, EditIcon, LockIcon, ReplyIcon, SendIcon } from '../theme/icons.tsx'
import { InThread, useComposerHere } from '../threads/thread-scope.ts'
import { Compositions, isComposing, meaningOf } from './composer-keys.ts'
import { forbiddenBecause, lengthOf } from './composer-limits.ts'
import { useComposer } from './use-composer.ts'
import { useCooldown } from './use-cooldown.ts'
import { useDraftKeeping } from './use-draft-keeping.ts'
import { useFocusKept } from './use-focus-kept.ts'

const COOL_DOWN = errorKinds.CoolDownError.code

const DeleteDialog = lazy(() => import('../messages/DeleteDialog.tsx'))
const LinkPreview = lazy(() => import('../link-preview/LinkPreview.tsx'))
const UploadTray = lazy(() => import('../attachments/UploadTray.tsx'))
const VoiceRecorder = lazy(() => import('../attachments/VoiceRecorder.tsx'))

export interface ComposerProps extends RootProps {
  channel: Channel
  /** takes focus when it appears; left out on touch screens, where a keyboard would jump up */
  autoFocus?: boolean
  /** the text box, for those who send focus there */
  boxRef?: RefObject<HTMLTextAreaElement | null>
  /** Escape was pressed where it had nothing else to end */
  onEscape?: () => void
  /** buttons before the text box */
  tools?: ReactNode
}

/**
 * Where one writes, in the channel or in the thread around it. Nothing typed is ever lost: it is a draft until it is sent,
 * an edit sets it aside, and a channel that forbids writing keeps it.
 *
 * Renders a `<form>` named after the channel, with one text box that grows.
 * Style hooks: `.chat-composer[data-mode="edit" | "quote" | "write"]` ·
 * `--chat-composer-max` (length, 40dvh).
 */
export function Composer(props: ComposerProps) {
  const { channel, autoFocus, boxRef, onEscape, tools, ...root } = props
  const t = useTranslate()
  const forbidden = forbiddenBecause(useChannelState(channel), useContext(InThread) !== undefined)
  const reason = useFocusKept(forbidden)
  useDraftKeeping(channel)
  return (
    <>
      <DropTarget channel={channel} />
      {forbidden ? (
        <p
          ref={reason}
          tabIndex={-1}
          {...(rootProps({ className: 'chat-composer-forbidden' }, root) as RootProps<HTMLParagraphElement>)}
        >
          <LockIcon />
          {t(forbidden)}
        </p>
      ) : (
        <WritingForm key={channel.cid} {...props} root={root} />
      )}
    </>
  )
}

function WritingForm({ channel, autoFocus, boxRef, onEscape, tools, root }: ComposerProps & { root: RootProps }) {
  const { t, language } = useTranslation()
  const client = useClient()
  const announce = useAnnounce()
  const [{ enterSends }] = usePreferences()
  const state = useChannelState(channel)
  const composer = useComposerHere(channel)
  const thread = useContext(InThread)
  const { text, editing, quoted, showInChannel, uploads } = useComposer(channel)
  const link = useLinkPreview(channel, editing ? '' : text)
  const submit = useSubmit(composer, channel)
  const cooling = useCooldown(channel)
  const wait = editing ? 0 : cooling
  const { left, counted } = lengthOf(countGraphemes(text), state)
  const empty = text.trim() === '' && (editing !== undefined || uploads.length === 0)
  const commands = useCommand(channel, composer)
  const blocked = empty || left < 0 || wait > 0 || commands.lacksSomebody

  // A message without words is none: whoever takes them all away is asked whether it shall go.
  const mayDelete = may(state, 'delete-own-message') || may(state, 'delete-any-message')
  const deletes = editing !== undefined && empty && editing.attachments.length === 0 && mayDelete
  const [deleting, setDeleting] = useState(false)
  const remove = useRemoval(channel)

  const ownBox = useRef<HTMLTextAreaElement>(null)
  const box = boxRef ?? ownBox
  const [compositions] = useState(() => new Compositions((task) => setTimeout(task)))
  const completion = useCompletion({
    channel,
    composer,
    box,
    text: commands.words,
    commands: commands.offered,
    asksSomebody: commands.lacksSomebody,
    onCommand: commands.begin,
  })
  const asked = commands.command && askedBy(t, commands.command)
  const ids = { hint: useId(), length: useId(), slow: useId(), asked: useId() }
  const name = channelName(t, language, state, client.userID)
  const label = thread === undefined ? t('composer.label', { channel: name }) : t('thread.reply')
  useGrowing(box, text)
  const recording = useRecording(box)
  const mayRecord = text === '' && !editing && uploads.length === 0 && mayUpload(state)
  useFocusOn(box, editing?.id ?? quoted?.id, autoFocus ?? false)

  const send = () => {
    if (deletes) return setDeleting(true)
    if (wait > 0) announce('slowModeBegins', { seconds: wait })
    else if (commands.lacksSomebody && asked) announce('notice', { text: asked })
    if (blocked) return
    void submit(link.isDismissed ? { skip_enrich_url: true } : {})
    box.current?.focus()
  }
  const press = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    const { nativeEvent } = event
    const { active: composing } = compositions
    const { selectionStart, selectionEnd } = event.currentTarget
    if (!isComposing(nativeEvent, composing)) {
      const taken = completion.press(event)
      const atStart = event.key === 'Backspace' && selectionStart === 0 && selectionEnd === 0
      if (!taken && atStart && commands.command) commands.end()
      else if (!taken && atStart) return
      if (taken || atStart) {
        event.preventDefault()
        event.stopPropagation()
        return
      }
    }
    // An edit that changed nothing yet may be left for an older message, from the first line of its words.
    const walks = editing?.text === text && !text.slice(0, selectionStart).includes('\n')
    const empty = text === '' || (walks && event.key === 'ArrowUp' && !event.shiftKey)
    const meaning = meaningOf(nativeEvent, { composing, empty, touch: isTouch() || !enterSends })
    if (!meaning) return
    const chosen =
      meaning === 'editLast' ? lastEditable(state, thread, client.userID, editing) : lastQuotable(state, thread)
    if (meaning === 'send') send()
    else if (meaning === 'escape' && editing) composer.cancelEdit()
    else if (meaning === 'escape' && quoted) composer.quote(undefined)
    else if (meaning === 'escape' && thread === undefined && showsNewLine(channel)) finishReading(channel)
    else if (meaning === 'escape' && onEscape && text === '') onEscape()
    else if (meaning === 'editLast' && chosen) composer.edit(chosen)
    else if (meaning === 'quoteLast' && chosen && !editing) composer.quote(chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <form
      {...(rootProps(
        {
          className: 'chat-composer',
          'aria-label': label,
          'data-mode': editing ? 'edit' : quoted ? 'quote' : 'write',
          onSubmit: (event) => {
            event.preventDefault()
            send()
          },
        },
        root,
      ) as RootProps<HTMLFormElement>)}
    >
      {editing && (
        <About
          icon={<EditIcon />}
          title={t('composer.editing')}
          text={messageSummary(t, editing)}
          close={t('composer.cancelEdit')}
          onClose={() => composer.cancelEdit()}
        />
      )}
      {!editing && quoted && (
        <About
          icon={<ReplyIcon />}
          title={t('composer.replying', { author: nameOf(t, quoted, quoted.user.id === client.userID) })}
          text={messageSummary(t, quoted)}
          close={t('composer.cancelReply')}
          onClose={() => composer.quote(undefined)}
        />
      )}
      {!editing && uploads.length > 0 && (
        <Suspense fallback={<div className="chat-uploads" data-waiting />}>
          <UploadTray composer={composer} uploads={uploads} onEmpty={() => box.current?.focus()} />
        </Suspense>
      )}
      {link.preview && (
        <Suspense fallback={null}>
          <LinkPreview
            preview={link.preview}
            onDismiss={() => {
              link.dismiss()
              box.current?.focus()
            }}
          />
        </Suspense>
      )}
      {deleting && editing && (
        <Suspense fallback={null}>
          <DeleteDialog
            message={editing}
            forGood={false}
            onClose={() => setDeleting(false)}
            onDelete={() => {
              composer.cancelEdit()
              remove(editing)
              box.current?.focus()
            }}
          />
        </Suspense>
      )}
      {completion.list}
      {recording.active && (
        <Suspense fallback={<div className="chat-recorder" />}>
          <VoiceRecorder composer={composer} onEnd={recording.end} />
        </Suspense>
      )}
      <div className="chat-composer-line" hidden={recording.active || undefined}>
        {!editing && <AttachButton channel={channel} />}
        {tools}
        <div className="chat-composer-box">
          {commands.command && (
            <CommandChip
              command={commands.command}
              onRemove={() => {
                commands.end()
                box.current?.focus()
              }}
            />
          )}
          <textarea
            {...completion.boxProps}
            ref={box}
            rows={1}
            value={commands.words}
            dir="auto"
            enterKeyHint={isTouch() || !enterSends ? 'enter' : 'send'}
            aria-label={label}
            placeholder={asked ?? label}
            aria-describedby={`${ids.hint} ${ids.slow} ${ids.asked} ${left < 0 ? ids.length : ''}`}
            aria-invalid={left < 0 || undefined}
            aria-errormessage={left < 0 ? ids.length : undefined}
            onChange={(event) => {
              const { inputType } = event.nativeEvent as InputEvent
              // Taking back the choice of a command brings back what was typed of it.
              if (inputType === 'historyUndo' && commands.words === '') composer.setText(event.target.value)
              else commands.write(event.target.value)
              // Not every keyboard tells of the caret by itself.
              completion.boxProps.onSelect()
              if (!editing) tellTyping(channel, thread, event.target.value)
            }}
            onPaste={(event) => {
              const files = editing ? [] : pastedFiles(event.clipboardData)
              if (files.length === 0) return
              event.preventDefault()
              void composer.attach(files)
            }}
            onKeyDown={press}
            onCompositionStart={() => compositions.started()}
            onCompositionEnd={() => compositions.ended()}
            onBlur={() => {
              completion.boxProps.onBlur()
              if (!editing && text) void channel.stopTyping(thread).catch(() => {})
            }}
          />
          <EmojiButton box={box} />
          {asked !== undefined && commands.lacksSomebody && commands.words !== '' && (
            <p className="chat-composer-hint">{asked}</p>
          )}
          {counted && (
            <span id={ids.length} className="chat-composer-count" data-over={left < 0 || undefined}>
              {left < 0 ? t('composer.tooLong', { count: -left }) : t('composer.left', { count: left })}
            </span>
          )}
        </div>
        {wait > 0 ? (
          <SlowMode seconds={wait} of={state.data.cooldown ?? wait} />
        ) : mayRecord ? (
          <VoiceButton onPress={recording.begin} />
        ) : (
          <button
            type="submit"
            className="chat-send"
            aria-disabled={(blocked && !deletes) || undefined}
            aria-label={t(editing ? 'composer.save' : 'composer.send')}
            title={t(editing ? 'composer.save' : 'composer.send')}
          >
            {editing ? <CheckIcon /> : <SendIcon />}
          </button>
        )}
      </div>
      {thread !== undefined && !editing && (
        <label className="chat-thread-also">
          <input
            type="checkbox"
            checked={showInChannel}
            onChange={(event) => composer.setShowInChannel(event.target.checked)}
          />
          <span>{t('thread.alsoSend', { channel: name })}</span>
        </label>
      )}
      <span id={ids.hint} className="chat-hidden">
        {t(enterSends ? 'composer.hint' : 'composer.hint.breaks')}
      </span>
      <span id={ids.asked} className="chat-hidden">
        {asked}
      </span>
      <span id={ids.slow} className="chat-hidden">
        {wait > 0 && t('composer.slow.described', { seconds: wait })}
      </span>
    </form>
  )
}

/** What the words are about: the message being changed or answered. */
function About(props: { icon: ReactNode; title: string; text: string; close: string; onClose: () => void }) {
  return (
    <div className="chat-composer-about">
      {props.icon}
      <div className="chat-composer-about-words">
        <p className="chat-composer-about-title">{props.title}</p>
        <p className="chat-composer-about-text" dir="auto">
          {props.text}
        </p>
      </div>
      <button
        type="button"
        className="chat-icon-button"
        aria-label={props.close}
        title={props.close}
        onClick={props.onClose}
      >
        <CloseIcon />
      </button>
    </div>
  )
}

/** Stands where Send was, and runs out. */
function SlowMode({ seconds, of }: { seconds: number; of: number }) {
  const t = useTranslate()
  return (
    <span
      className="chat-slow"
      role="timer"
      title={t('composer.slow', { seconds })}
      aria-label={t('composer.slow', { seconds })}
      style={{ '--chat-slow-left': of > 0 ? seconds / of : 0 } as React.CSSProperties}
    >
      {seconds}
    </span>
  )
}

/** Sends or saves; what fails stays in the list with its own line, and a notice says it [TOA-13, TOA-14]. */
function useSubmit(composer: Words, channel: Channel) {
  // Slow mode began unheard, or one wrote elsewhere meanwhile: the newest messages tell until when to wait.
  const resync = () => void channel.query({ messages: { limit: MESSAGES_PAGE } }).catch(() => {})
  const notices = useNotices()
  const announce = useAnnounce()
  return async (options: SendOptions) => {
    const { editing } = composer.snapshot()
    const failed = editing ? failureNotices.edit : failureNotices.send
    try {
      const message = await composer.send(options)
      // The line under the message is spoken; one failure is heard once.
      if (message?.error?.code === COOL_DOWN) resync()
      if (message?.error) notices.show('error', failed, { details: message.error.message, silent: true })
      else if (editing) announce('edited')
    } catch (error) {
      const early = error instanceof ChatError && error.code === 'CLIENT_UPLOADS_UNFINISHED'
      if (early) notices.show('warning', 'upload.wait')
      else notices.show('error', failed, { details: String(error) })
    }
  }
}

function useRemoval(channel: Channel) {
  const notices = useNotices()
  const announce = useAnnounce()
  return ({ id }: LocalMessage) =>
    void channel.remove(id).then(
      () => announce('deleted'),
      (error) => notices.show('error', failureNotices.delete, { details: detailsOf(error) }),
    )
}

/** Words that come with a picture of themselves, as from a table, stay words. */
function pastedFiles(pasted: DataTransfer): File[] {
  return pasted.getData('text/plain') ? [] : [...pasted.files]
}

function tellTyping(channel: Channel, thread: string | undefined, text: string) {
  // Typing is a courtesy; a failure to tell is nothing to bother the writer with.
  void (text.trim() ? channel.keystroke(thread) : channel.stopTyping(thread)).catch(() => {})
}

/** Browsers without `field-sizing` grow by measure. */
function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow.
  useLayoutEffect(() => {
    const element = box.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight}px`
  }, [box, text])
}

/** Editing and answering begin in the text box, behind the words already there. */
function useFocusOn(box: RefObject<HTMLTextAreaElement | null>, about: string | undefined, atOnce: boolean) {
  const wanted = about ?? (atOnce && !isTouch() ? 'open' : undefined)
  useEffect(() => {
    const element = box.current
    if (!wanted || !element) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [box, wanted])
}

/** @param before  the one to look before, where there is one already */
function lastEditable(
  state: ChannelState,
  thread: string | undefined,
  me: string | undefined,
  before: LocalMessage | undefined,
) {
  if (!may(state, 'update-own-message')) return undefined
  const all = messagesHere(state, thread)
  const end = before ? all.findIndex(({ id }) => id === before.id) : all.length
  return all
    .slice(0, Math.max(0, end))
    .findLast(
      (message) => message.user.id === me && stands(message) && !isGif(message) && message.status === 'received',
    )
}

function lastQuotable(state: ChannelState, thread: string | undefined) {
  return may(state, 'quote-message') ? messagesHere(state, thread).findLast(stands) : undefined
}

function messagesHere(state: ChannelState, thread: string | undefined): readonly LocalMessage[] {
  return thread === undefined ? state.messages : (state.replies[thread] ?? [])
}

function stands(message: LocalMessage): boolean {
  const isForAll = message.type !== 'error' && message.type !== 'ephemeral'
  return !isDeleted(message) && !isSystem(message) && isForAll && message.status !== 'failed'
}

function isTouch(): boolean {
  return typeof window !== 'undefined' && window.matchMedia('(pointer: coarse) and (hover: none)').matches
}
