import type { Channel } from '@parley/client'
import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useClient } from '../chat/use-client.ts'
import { useLatest } from '../chat/use-latest.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import type { Elements } from '../elements.ts'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { POLL_INPUT_CHARS } from '../limits.ts'
import { useNotices } from '../notices/use-notices.ts'
import { isComposing } from '../shortcuts/composing.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { Icon } from '../theme/icons.tsx'
import { followDrag } from './follow-drag.ts'
import {
  emptyPoll,
  isWritten,
  type PollDraft,
  pollOf,
  problemsOf,
  withMoved,
  withOption,
  withoutOption,
} from './poll-draft.ts'
import './poll-form.css'

/** The draft; kept when the dialog is closed, and shown again when it opens. */
const kept = new WeakMap<Channel, PollDraft>()

/**
 * The form for a new poll [POL-1]. Errors show when a field loses the focus or the poll is sent; repeated options at
 * once.
 */
export default function PollComposer({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useTranslate()
  const client = useClient()
  const notices = useNotices()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(() => kept.get(channel) ?? emptyPoll)
  const [sending, setSending] = useState<AbortController>()
  const [leaving, setLeaving] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const problems = problemsOf(draft)
  const change = (next: PollDraft) => {
    kept.set(channel, next)
    setDraft(next)
  }
  const close = () => (isWritten(draft) ? setLeaving(true) : onClose())
  // Closing the dialog while the poll is being created cancels it.
  const end = () => {
    sending?.abort()
    onClose()
  }
  const discard = () => {
    kept.delete(channel)
    end()
  }
  const leave = (field: string) => setLeft((known) => new Set(known).add(field))
  const shown = (field: string, problem: TextKey | undefined) =>
    problem && (left.has(field) || problem === 'poll.optionExists') ? t(problem) : undefined
  // At once: a later focus change would interrupt a user who types on in the next field.
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus()
  const focusOption = (key: number | undefined) => focus(`[data-option="${key}"]`)

  const announce = useAnnounce()
  const latest = useLatest(draft)
  const dragged = useRef(false)
  /**
   * Returns whether the option could be moved. An element that moves in the document loses the focus, so it is
   * restored.
   */
  const move = (key: number, by: 1 | -1): boolean => {
    const moved = withMoved(latest.current, key, by)
    if (moved === latest.current) return false
    const focused = document.activeElement
    flushSync(() => change(moved))
    focus(focused?.matches('button') ? `[data-handle="${key}"]` : `[data-option="${key}"]`)
    const number = moved.options.findIndex((option) => option.key === key) + 1
    const name = moved.options[number - 1]!.text
    announce('notice', { text: t('uploads.moved', { name, number, count: filledIn(moved) }) })
    return true
  }
  /** To the other side of each option whose middle the pointer has passed. */
  const drag = (key: number) => (y: number) => {
    const lines = [...(form.current?.querySelectorAll<HTMLElement>('[data-option]') ?? [])]
    const at = lines.findIndex(({ dataset }) => dataset.option === `${key}`)
    const middle = (line: HTMLElement | undefined) => {
      const { top, height } = line?.getBoundingClientRect() ?? { top: Number.NaN, height: 0 }
      return top + height / 2
    }
    const by = y < middle(lines[at - 1]) ? -1 : y > middle(lines[at + 1]) ? 1 : undefined
    if (by && move(key, by)) dragged.current = true
  }

  const send = async () => {
    if (sending) return
    if (problems.question || problems.options.size > 0 || problems.votes) {
      const all = ['question', 'votes', ...draft.options.map(({ key }) => `${key}`)]
      flushSync(() => setLeft(new Set(all)))
      focus('[aria-invalid]')
      return
    }
    const giveUp = new AbortController()
    const { signal } = giveUp
    setSending(giveUp)
    try {
      const { poll } = await client.createPoll(pollOf(draft), { signal })
      // A failed message stays in the list with its own retry button.
      void channel.send({ text: '', poll_id: poll.id })
      kept.delete(channel)
      onClose()
    } catch (error) {
      if (signal.aborted) return
      notices.failed('poll.new.failed', error)
      setSending(undefined)
    }
  }

  const pressIn = (key: number, at: number) => (event: React.KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return
    const { options } = draft
    if (event.key === 'Enter') focusOption(options[at + 1]?.key ?? key)
    else if (event.key === 'Backspace' && event.currentTarget.value === '' && options.length > 2) {
      focusOption(options[at - 1]?.key ?? options[at + 1]?.key)
      change(withoutOption(draft, key))
    } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      move(key, event.key === 'ArrowUp' ? -1 : 1)
    } else return
    event.preventDefault()
  }
  const switches = [
    ['anonymous', 'poll.makeAnonymous'],
    ['comments', 'poll.allowComments'],
    ['suggestions', 'poll.allowSuggestions'],
    ['multiple', 'poll.multiple'],
  ] as const satisfies [keyof PollDraft, TextKey][]

  return (
    <ChatDialog title={t('poll.new')} onClose={close}>
      <form
        ref={form}
        className="chat-poll-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // In React's tree the dialog is inside the composer's own form.
          event.stopPropagation()
          void send()
        }}
      >
        <Field label={t('poll.question')} problem={shown('question', problems.question)}>
          {(parts) => (
            <input
              {...parts}
              // biome-ignore lint/a11y/noAutofocus: the user opened the dialog to type.
              autoFocus
              maxLength={POLL_INPUT_CHARS}
              value={draft.question}
              onBlur={() => leave('question')}
              onChange={(event) => change({ ...draft, question: event.target.value })}
            />
          )}
        </Field>
        <fieldset className="chat-poll-fields">
          <legend>{t('poll.options')}</legend>
          {draft.options.map(({ key, text }, at) => (
            <Field
              key={key}
              label={t('poll.optionNumber', { number: at + 1 })}
              hidden
              problem={shown(`${key}`, problems.options.get(key))}
            >
              {(parts) => (
                <span className="chat-poll-movable">
                  <input
                    {...parts}
                    data-option={key}
                    placeholder={t('poll.optionNumber', { number: at + 1 })}
                    maxLength={POLL_INPUT_CHARS}
                    value={text}
                    onKeyDown={pressIn(key, at)}
                    onBlur={() => text && leave(`${key}`)}
                    onChange={(event) => change(withOption(draft, key, event.target.value))}
                  />
                  {text && filledIn(draft) > 1 && (
                    <IconButton
                      label={t(at > 0 ? 'poll.option.up' : 'poll.option.down', { number: at + 1 })}
                      className="chat-poll-handle"
                      data-handle={key}
                      onPointerDown={(event) => {
                        dragged.current = false
                        followDrag(event, drag(key))
                      }}
                      onClick={({ detail }) => {
                        // The end of a drag is not a press.
                        if (detail === 0 || !dragged.current) move(key, at > 0 ? -1 : 1)
                      }}
                    >
                      <GripIcon />
                    </IconButton>
                  )}
                </span>
              )}
            </Field>
          ))}
        </fieldset>
        {switches.map(([field, name]) => (
          <label key={field} className="chat-preference">
            <span>{t(name)}</span>
            <input
              type="checkbox"
              role="switch"
              checked={draft[field]}
              aria-checked={draft[field]}
              onChange={(event) => change({ ...draft, [field]: event.target.checked })}
            />
          </label>
        ))}
        {draft.multiple && (
          <Field label={t('poll.votesMost')} problem={shown('votes', problems.votes)}>
            {(parts) => (
              <input
                {...parts}
                inputMode="numeric"
                placeholder={t('poll.votesPrompt')}
                value={draft.votes}
                onBlur={() => leave('votes')}
                onChange={(event) => change({ ...draft, votes: event.target.value })}
              />
            )}
          </Field>
        )}
        <div className="chat-dialog-buttons">
          <button type="button" className="chat-button" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" className="chat-button" data-kind="primary" aria-disabled={sending ? true : undefined}>
            {t('poll.new.send')}
          </button>
        </div>
      </form>
      {leaving && <KeepQuestion onBack={() => setLeaving(false)} onKeep={end} onDiscard={discard} />}
    </ChatDialog>
  )
}

/** Options with text; an empty field at the end does not count. */
function filledIn({ options }: PollDraft): number {
  return options.filter(({ text }) => text).length
}

const GripIcon = () => (
  <Icon>
    <path d="M9 6.5h.01M15 6.5h.01M9 12h.01M15 12h.01M9 17.5h.01M15 17.5h.01" />
  </Icon>
)

function KeepQuestion({ onBack, onKeep, onDiscard }: Record<'onBack' | 'onKeep' | 'onDiscard', () => void>) {
  const t = useTranslate()
  const keep = useRef<HTMLButtonElement>(null)
  // Not before it is mounted: the dialog below would take the focus back.
  useEffect(() => keep.current?.focus(), [])
  return (
    <ChatDialog asks title={t('poll.keep.title')} onClose={onBack}>
      <div className="chat-dialog-buttons">
        <button type="button" className="chat-button" onClick={onDiscard}>
          {t('poll.discard')}
        </button>
        <button ref={keep} type="button" className="chat-button" data-kind="primary" onClick={onKeep}>
          {t('poll.keep')}
        </button>
      </div>
    </ChatDialog>
  )
}

interface FieldParts {
  id: string
  className: string
  dir: 'auto'
  placeholder: string
  'aria-invalid'?: true
  'aria-errormessage'?: string
  'aria-describedby'?: string
}

/** A field with its label and its error. */
function Field(props: {
  label: string
  hidden?: boolean
  problem: string | undefined
  children: (parts: FieldParts) => Elements
}) {
  const id = useId()
  const problem = `${id}-problem`
  // Not every screen reader supports error messages; each reads descriptions.
  const wrong = props.problem
    ? ({ 'aria-invalid': true, 'aria-errormessage': problem, 'aria-describedby': problem } as const)
    : {}
  return (
    <div className="chat-poll-line">
      <label htmlFor={id} className={props.hidden ? 'chat-hidden' : 'chat-poll-label'}>
        {props.label}
      </label>
      {props.children({ id, className: 'chat-input', dir: 'auto', placeholder: ' ', ...wrong })}
      {/* Space is reserved for errors shown on blur: nothing moves under the pointer that is about to press a button. */}
      <p id={problem} className="chat-poll-problem" hidden={props.hidden && !props.problem}>
        {props.problem}
      </p>
    </div>
  )
}
