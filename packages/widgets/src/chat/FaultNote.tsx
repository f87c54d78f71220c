import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { type RootProps, rootProps } from '../root-props.ts'

export interface FaultNoteProps {
  text: TextKey
  onRetry: () => void
  /** of its outermost element */
  root?: RootProps<HTMLDivElement>
  /** of its sentence */
  id?: string
}

/** One quiet line in place of something that could not be drawn, with a button that tries again. */
export function FaultNote({ text, onRetry, root = {}, id }: FaultNoteProps) {
  const t = useTranslate()
  return (
    <div {...rootProps({ className: 'chat-fault' }, root)}>
      <span id={id}>{t(text)}</span>
      <button type="button" className="chat-button" data-kind="quiet" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  )
}
