import type { ReactNode } from 'react'
import { useClient } from '../chat/use-client.ts'
import { useTranslate } from '../i18n/translate.ts'
import { nameOf } from '../messages/message-name.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon, EditIcon, ReplyIcon } from '../theme/icons.tsx'
import type { Writing } from './use-writing.ts'

/** What the words are about, if anything: the message being changed or answered. */
export function ComposerAbout({ composer, editing, quoted }: Writing) {
  const t = useTranslate()
  const client = useClient()
  if (editing)
    return (
      <About
        icon={<EditIcon />}
        title={t('composer.editing')}
        text={messageSummary(t, editing)}
        close={t('composer.cancelEdit')}
        onClose={() => composer.cancelEdit()}
      />
    )
  if (quoted)
    return (
      <About
        icon={<ReplyIcon />}
        title={
          quoted.user.id === client.userID
            ? t('composer.replyingToYourself')
            : t('composer.replying', { author: nameOf(t, quoted) })
        }
        text={messageSummary(t, quoted)}
        close={t('composer.cancelReply')}
        onClose={() => composer.quote(undefined)}
      />
    )
  return null
}

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
      <IconButton label={props.close} onClick={props.onClose}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
