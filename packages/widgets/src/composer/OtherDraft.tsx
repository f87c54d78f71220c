import type { Composer } from '@parley/client'
import type { DraftSync } from '@parley/client/drafts'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon, RetryIcon } from '../theme/icons.tsx'

/** What was written on another device at the same time, beside what stands in the box. */
export default function OtherDraft({ composer, text, onEnd }: { composer: Composer; text: string; onEnd: () => void }) {
  const t = useTranslate()
  // The buttons may go with what they did: the focus is elsewhere before.
  const act = (task: (drafts: DraftSync) => void) => () => {
    onEnd()
    if (composer.context.drafts) task(composer.context.drafts)
  }
  return (
    <div className="chat-composer-about">
      <RetryIcon />
      <div className="chat-composer-about-words chat-composer-about-text">
        <p dir="auto">{text}</p>
        <button type="button" className="chat-button" onClick={act((drafts) => drafts.exchange())}>
          {t('draft.restore')}
        </button>
      </div>
      <IconButton label={t('draft.forget')} onClick={act((drafts) => drafts.forgetOther())}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
