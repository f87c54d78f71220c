import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from '../i18n/translate.ts'
import { TYPED_TOGETHER_MS } from '../limits.ts'

/** Typing the beginning of a name moves to its row. */
export function useTypeAhead() {
  const typed = useRef({ text: '', at: 0 })
  const { language } = useTranslation()
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.key === ' ') return
    const { text, at } = typed.current
    const wanted = (event.timeStamp - at < TYPED_TOGETHER_MS ? text : '') + event.key
    typed.current = { text: wanted, at: event.timeStamp }
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.chat-channel-row')]
    const collator = new Intl.Collator(language, { sensitivity: 'base' })
    const begins = (row: HTMLElement) => collator.compare(nameOf(row).slice(0, wanted.length), wanted) === 0
    rows.find(begins)?.focus()
  }
}

function nameOf(row: HTMLElement): string {
  return row.querySelector('.chat-channel-name')?.textContent ?? ''
}
