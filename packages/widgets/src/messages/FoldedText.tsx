import type { LocalMessage } from '@parley/client'
import { Suspense, useState } from 'react'
import { lazyPart } from '../chat/lazy-part.tsx'
import { type Outcome, outcomeOf } from '../commands/outcome.ts'
import { useTranslate } from '../i18n/translate.ts'
import { FOLD_AFTER_LINES } from '../limits.ts'
import { useIsTranslated } from '../translation/translated.ts'
import { MessageText } from './MessageText.tsx'

const TranslatedText = lazyPart(() => import('../translation/TranslatedText.tsx'))

export interface SaidTextProps {
  message: LocalMessage
  entered: boolean
}

export interface FoldedTextProps extends SaidTextProps {
  /** in place of the message's own text, with its language */
  text?: string
  lang?: string
}

/** About how many characters fit in a line; only decides whether the text can be folded at all. */
const LINE_CHARS = 80

/** The texts unfolded on this page; a row that scrolls away and back stays unfolded. */
const unfolded = new Set<string>()

/** The text of a message: the result of a command, else its text, translated if the reader asked for it. */
export function SaidText({ message, entered }: SaidTextProps) {
  const t = useTranslate()
  const translated = useIsTranslated(message.id)
  const outcome = outcomeOf(t, message)
  if (outcome) return <OutcomeText {...outcome} />
  const original = <FoldedText message={message} entered={entered} />
  if (!translated) return original
  return (
    <Suspense fallback={original}>
      <TranslatedText message={message} entered={entered} />
    </Suspense>
  )
}

/** A text of more than 24 lines is cut, with a button that shows the rest. */
export function FoldedText({ message, text: words = message.text, lang, entered }: FoldedTextProps) {
  const t = useTranslate()
  const [open, setOpen] = useState(unfolded.has(message.id))
  const text = <MessageText text={words} lang={lang} mentioned={message.mentioned_users} entered={entered} />
  if (linesOf(words) <= FOLD_AFTER_LINES) return text

  const toggle = () => {
    if (open) unfolded.delete(message.id)
    else unfolded.add(message.id)
    setOpen(!open)
  }
  return (
    <>
      <div
        className="chat-fold"
        data-open={open || undefined}
        style={{ '--chat-fold-lines': FOLD_AFTER_LINES } as React.CSSProperties}
      >
        {text}
      </div>
      <button
        type="button"
        className="chat-fold-button"
        aria-expanded={open}
        tabIndex={entered ? 0 : -1}
        onClick={toggle}
      >
        {t(open ? 'message.showLess' : 'message.showMore')}
      </button>
    </>
  )
}

/** The result of a command; the server writes the reason for a failure. */
function OutcomeText({ text, details }: Outcome) {
  return (
    <div className="chat-text" dir="auto">
      <p>{text}</p>
      {details && (
        <p className="chat-state-details" lang="en" dir="ltr">
          {details}
        </p>
      )}
    </div>
  )
}

function linesOf(text: string): number {
  return text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE_CHARS)), 0)
}
