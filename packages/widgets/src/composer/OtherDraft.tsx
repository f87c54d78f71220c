import type { Composer } from '@parley/client'
import type { DraftSync } from '@parley/client/drafts'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon, RetryIcon } from '../theme/icons.tsx'

/** A draft from another device written at the same time, beside the one in the box. */
export default function OtherDraft({ composer, text, onEnd }: { composer: Composer; text: string; onEnd: () => void }) {
  const t = useTranslate()
  // The buttons may be removed by their action: the focus moves first.
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
