import type { Channel } from '@parley/client'
import { useEffect } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useTranslation } from '../i18n/translate.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { typingLine } from './typing-line.ts'
import { useTypists } from './use-typists.ts'

export interface TypingIndicatorProps extends RootProps<HTMLDivElement> {
  channel: Channel
}

/**
 * One line with the users who are typing: none, one, two, or several. It keeps its height when empty, so the message
 * list never jumps. It is announced only if the preference is on.
 *
 * Style hooks: `.chat-typing[data-active]` while a user is typing · `--chat-typing-pulse` (time, 1.2s).
 */
export function TypingIndicator({ channel, ...root }: TypingIndicatorProps) {
  const { t, language } = useTranslation()
  const users = useTypists(channel)
  const line = typingLine(t, language, users)
  const announce = useAnnounce()
  const [{ typists: isSpoken }] = usePreferences()
  useEffect(() => {
    if (isSpoken && line) announce('typing', { text: line })
  }, [isSpoken, line, announce])
  return (
    <div {...rootProps({ className: 'chat-typing', 'data-active': users.length > 0 || undefined }, root)}>
      {users.length > 0 && (
        <span className="chat-typing-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
      <span className="chat-typing-line">{line}</span>
    </div>
  )
}
