import { linesOf, paragraphsOf } from '@parley/protocol/text/unmarked'
import { Fragment, useMemo } from 'react'
import { personName } from '../chat/seen-name.ts'
import { countGraphemes } from '../i18n/graphemes.ts'
import { LARGE_EMOJI_MAX } from '../limits.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { useMarkedText } from './marks.ts'

export interface MessageTextProps extends RootProps<HTMLDivElement> {
  text: string
  /** users mentioned in the text with an `@` */
  mentioned?: readonly { id: string; name?: string }[]
  /** whether links and buttons inside are tab stops */
  entered?: boolean
}

/**
 * The text of a message with its marks (`@parley/protocol/text/marks`). Only elements made here reach the page:
 * everything that is no mark is shown as it was typed, and links open elsewhere and only for safe protocols.
 *
 * Style hooks: `.chat-text`, `.chat-mention`.
 */
export function MessageText({ text, mentioned = [], entered = false, ...root }: MessageTextProps) {
  const look = { dir: 'auto', 'data-large': isLargeEmoji(text) || undefined }
  const named = JSON.stringify(mentioned.map(personName).filter(Boolean))
  const names = useMemo<string[]>(() => JSON.parse(named), [named])
  const tabIndex = entered ? 0 : -1
  const Marked = useMarkedText(text)
  return (
    <div {...rootProps({ className: 'chat-text', ...look }, root)}>
      {/* A changed text gets new elements: a browser that translates the page has replaced the text nodes of the old one. */}
      <Fragment key={[text, ...names].join('\n')}>
        {Marked ? (
          <Marked text={text} names={names} tabIndex={tabIndex} />
        ) : (
          paragraphsOf(linesOf(text)).map((paragraph, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text never reorders; its place is its identity.
            <p key={place}>{paragraph}</p>
          ))
        )}
      </Fragment>
    </div>
  )
}

/** A few emoji and nothing else. */
export function isLargeEmoji(text: string): boolean {
  const tight = text.replace(/\s+/g, '')
  if (tight === '' || tight.length > 60 || /[\p{L}\p{N}\p{P}]/u.test(tight)) return false
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(tight) && countGraphemes(tight) <= LARGE_EMOJI_MAX
}
