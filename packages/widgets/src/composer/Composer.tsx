import type { Channel } from '@parley/client'
import { type RefObject, Suspense, useContext, useRef, useState } from 'react'
import { AttachButton } from '../attachments/AttachButton.tsx'
import { DropTarget } from '../attachments/DropTarget.tsx'
import { useRecording } from '../attachments/use-recording.ts'
import { useCompletion } from '../autocomplete/use-completion.tsx'
import { channelName, partnerOf } from '../chat/channel-facts.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import type { Elements } from '../elements.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { useRemoval } from '../messages/use-removal.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { LockIcon } from '../theme/icons.tsx'
import { InThread } from '../threads/thread-scope.ts'
import { ComposerAbout } from './ComposerAbout.tsx'
import { ComposerBox } from './ComposerBox.tsx'
import { ComposerTools } from './ComposerTools.tsx'
import { forbiddenBecause } from './composer-limits.ts'
import { SendButton } from './SendButton.tsx'
import { useBoxKeys } from './use-box-keys.ts'
import { useDraftKeeping } from './use-draft-keeping.ts'
import { useFocusKept } from './use-focus-kept.ts'
import { useSending } from './use-sending.ts'
import { useWriting } from './use-writing.ts'

const DeleteDialog = lazyPart(() => import('../messages/DeleteDialog.tsx'))
const LinkPreview = lazyPart(() => import('../link-preview/LinkPreview.tsx'), 'nothing')
const OtherDraft = lazyPart(() => import('./OtherDraft.tsx'), 'nothing')
const UploadTray = lazyPart(() => import('../attachments/UploadTray.tsx'))
const VoiceRecorder = lazyPart(
  () => import('../attachments/VoiceRecorder.tsx'),
  ({ onEnd }) => onEnd(),
)

export interface ComposerProps extends RootProps {
  channel: Channel
  /** takes focus when it appears; not on touch screens, where the on-screen keyboard would open */
  autoFocus?: boolean
  /** the text box, for callers that focus it */
  boxRef?: RefObject<HTMLTextAreaElement | null>
  /** Escape was pressed and there was nothing else to close */
  onEscape?: () => void
  /** buttons before the text box */
  tools?: Elements
}

/**
 * The composer of a channel or of the thread around it. Typed text is never lost: it is a draft until it is sent, an
 * edit sets it aside, and a channel that forbids sending keeps it.
 *
 * Renders a `<form>` named after the channel, with one text box that grows. Style hooks:
 * `.chat-composer[data-mode="edit" | "quote" | "write"]` · `--chat-composer-max` (length, 40dvh).
 */
export function Composer(props: ComposerProps) {
  const { channel, autoFocus, boxRef, onEscape, tools, ...root } = props
  const t = useTranslate()
  const state = useChannelState(channel)
  const forbidden = forbiddenBecause(state, useClient().userID, useContext(InThread) !== undefined)
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
          <span>{t(forbidden)}</span>
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
  const state = useChannelState(channel)
  const name = channelName(t, language, state, client.userID)
  const isDirect = partnerOf(state, client.userID) !== undefined
  const thread = useContext(InThread)
  const label =
    thread !== undefined
      ? t('thread.reply')
      : isDirect
        ? t('composer.label.direct', { name })
        : t('composer.label', { channel: name })

  const ownBox = useRef<HTMLTextAreaElement>(null)
  const box = boxRef ?? ownBox
  const toBox = () => box.current?.focus()
  const writing = useWriting(channel)
  const { composer, editing, quoted, uploads, commands, linkPreview, otherDraft } = writing
  const recording = useRecording(box)

  const submit = useSending(channel, writing)
  const remove = useRemoval(channel)
  const [deleting, setDeleting] = useState(false)
  const send = () => {
    if (writing.deletes) setDeleting(true)
    else if (submit()) toBox()
  }
  const completion = useCompletion({
    channel,
    composer,
    box,
    text: commands.words,
    commands: commands.offered,
    asksSomebody: commands.lacksSomebody,
    onCommand: commands.begin,
  })
  const keys = useBoxKeys({ channel, writing, completion, onSend: send, onEscape })

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
      {otherDraft && (
        <Suspense fallback={null}>
          <OtherDraft composer={composer} text={otherDraft.text} onEnd={toBox} />
        </Suspense>
      )}
      <ComposerAbout {...writing} />
      {!editing && uploads.length > 0 && (
        <Suspense fallback={<div className="chat-uploads" data-waiting />}>
          <UploadTray composer={composer} uploads={uploads} onEmpty={toBox} />
        </Suspense>
      )}
      {linkPreview?.sends?.[0] && (
        <Suspense fallback={null}>
          <LinkPreview
            preview={linkPreview.sends[0]}
            onDismiss={() => {
              composer.context.links?.dismiss()
              toBox()
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
              toBox()
            }}
          />
        </Suspense>
      )}
      {completion.list}
      {recording.active && (
        <Suspense fallback={<div className="chat-recorder" />}>
          <VoiceRecorder composer={composer} hold={recording.hold} onEnd={recording.end} />
        </Suspense>
      )}
      <div className="chat-composer-line" hidden={recording.active || undefined}>
        {!editing && (
          <ComposerTools>
            <AttachButton channel={channel} />
            {tools}
          </ComposerTools>
        )}
        <ComposerBox {...{ channel, writing, completion, keys, box, label }} autoFocus={autoFocus ?? false} />
        <SendButton channel={channel} writing={writing} onRecord={recording.begin} />
      </div>
      {thread !== undefined && !editing && (
        <label className="chat-thread-also">
          <input
            type="checkbox"
            checked={writing.showInChannel}
            onChange={(event) => composer.setShowInChannel(event.target.checked)}
          />
          <span>{isDirect ? t('thread.alsoSend.direct', { name }) : t('thread.alsoSend', { channel: name })}</span>
        </label>
      )}
    </form>
  )
}
