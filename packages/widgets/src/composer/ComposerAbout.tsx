import { useClient } from '../chat/use-client.ts'
import { useTranslate } from '../i18n/translate.ts'
import { nameOf } from '../messages/message-name.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon, EditIcon, ReplyIcon } from '../theme/icons.tsx'
import type { Writing } from './use-writing.ts'

/** The message being edited or quoted, if any. */
export function ComposerAbout({ composer, editing, quoted, aboutId }: Writing) {
  const t = useTranslate()
  const me = useClient().userID
  const about = editing ?? quoted
  if (!about) return null
  const answering =
    about.user.id === me ? t('composer.replyingToYourself') : t('composer.replying', { author: nameOf(t, about) })
  return (
    <div className="chat-composer-about">
      {editing ? <EditIcon /> : <ReplyIcon />}
      <div className="chat-composer-about-words">
        <p className="chat-composer-about-title" id={aboutId}>
          {editing ? t('composer.editing') : answering}
        </p>
        <p className="chat-composer-about-text" dir="auto">
          {messageSummary(t, about)}
        </p>
      </div>
      <IconButton
        label={t(editing ? 'composer.cancelEdit' : 'composer.cancelReply')}
        onClick={() => (editing ? composer.cancelEdit() : composer.quote(undefined))}
      >
        <CloseIcon />
      </IconButton>
    </div>
  )
}
