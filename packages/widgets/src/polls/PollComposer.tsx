import type { Channel } from '@parley/client'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useClient } from '../chat/use-client.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { POLL_INPUT_CHARS } from '../limits.ts'
import { useNotices } from '../notices/use-notices.ts'
import { isComposing } from '../shortcuts/composing.ts'
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

/** What is being written; kept when the dialog is closed, it is there again when it opens. */
const kept = new WeakMap<Channel, PollDraft>()

/** Where a poll is written [POL-1]. Errors show when a field is left or the poll is sent; repeated options at once. */
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
  // Whoever leaves a poll that is on its way has thought better of it.
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
  // At once: whoever types on does not wait for a later moment, and would be torn out of the next field by it.
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus()
  const focusOption = (key: number | undefined) => focus(`[data-option="${key}"]`)

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
      // A message that does not go through stays in the list with its own way to try again.
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
      flushSync(() => change(withMoved(draft, key, event.key === 'ArrowUp' ? -1 : 1)))
      focusOption(key)
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
          // The dialog stands inside the composer's own form as far as React is concerned.
          event.stopPropagation()
          void send()
        }}
      >
        <Field label={t('poll.question')} problem={shown('question', problems.question)}>
          {(parts) => (
            <input
              {...parts}
              // biome-ignore lint/a11y/noAutofocus: the dialog was opened to write in it.
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

function KeepQuestion({ onBack, onKeep, onDiscard }: Record<'onBack' | 'onKeep' | 'onDiscard', () => void>) {
  const t = useTranslate()
  const keep = useRef<HTMLButtonElement>(null)
  // Not before it stands: the dialog below would take the focus back.
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
}

/** A field with its name and what is wrong with it. */
function Field(props: {
  label: string
  hidden?: boolean
  problem: string | undefined
  children: (parts: FieldParts) => ReactNode
}) {
  const id = useId()
  const wrong = props.problem ? ({ 'aria-invalid': true, 'aria-errormessage': `${id}-problem` } as const) : {}
  return (
    <div className="chat-poll-line">
      <label htmlFor={id} className={props.hidden ? 'chat-hidden' : 'chat-poll-label'}>
        {props.label}
      </label>
      {props.children({ id, className: 'chat-input', dir: 'auto', placeholder: ' ', ...wrong })}
      {/* Room is kept for what shows on blur: nothing moves under the pointer that is about to press a button. */}
      <p id={`${id}-problem`} className="chat-poll-problem" hidden={props.hidden && !props.problem}>
        {props.problem}
      </p>
    </div>
  )
}
