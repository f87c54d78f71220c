import type { Channel } from '@parley/client'
import { useTranslate } from '../i18n/translate.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { typingLine } from './typing-line.ts'
import { useTypists } from './use-typists.ts'

export interface TypingIndicatorProps extends RootProps<HTMLDivElement> {
  channel: Channel
}

/**
 * One calm line that says who is writing: nobody, one, two, or several. It
 * keeps its place when empty, so the message list never jumps.
 *
 * Style hooks: `.chat-typing[data-active]` while someone writes · `--chat-typing-pulse` (time, 1.2s).
 */
export function TypingIndicator({ channel, ...root }: TypingIndicatorProps) {
  const t = useTranslate()
  const users = useTypists(channel)
  return (
    <div {...rootProps({ className: 'chat-typing', 'data-active': users.length > 0 || undefined }, root)}>
      {users.length > 0 && (
        <span className="chat-typing-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
      <span className="chat-typing-line">{typingLine(t, users)}</span>
    </div>
  )
}
