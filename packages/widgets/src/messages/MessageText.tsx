import { Fragment, type ReactNode } from 'react'
import { personName } from '../chat/seen-name.ts'
import { countGraphemes } from '../i18n/graphemes.ts'
import { LARGE_EMOJI_MAX } from '../limits.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { withMentions } from './mentions.tsx'
import { plainParagraphs } from './plain-text.ts'
import { TextLink } from './TextLink.tsx'
import { useMarkedText } from './use-marked-text.ts'

export interface MessageTextProps extends RootProps<HTMLDivElement> {
  text: string
  /** users mentioned in the text with an `@` */
  mentioned?: readonly { id: string; name?: string }[]
  /** whether links and buttons inside are tab stops */
  entered?: boolean
}

/**
 * The text of a message. Only elements made here reach the page: raw HTML is shown as characters, links open elsewhere
 * and only for safe protocols, headings are bold lines and images are links.
 *
 * Style hooks: `.chat-text`, `.chat-mention`.
 */
export function MessageText({ text, mentioned = [], entered = false, ...root }: MessageTextProps) {
  const look = { dir: 'auto', 'data-large': isLargeEmoji(text) || undefined }
  const names = mentioned.map(personName).filter(Boolean)
  const tabIndex = entered ? 0 : -1
  const Marked = useMarkedText(text)
  return (
    <div {...rootProps({ className: 'chat-text', ...look }, root)}>
      {/* A changed text is drawn anew: a browser that translates the page has replaced the text nodes of the old one. */}
      <Fragment key={[text, ...names].join('\n')}>
        {Marked ? (
          <Marked text={text} names={names} tabIndex={tabIndex} />
        ) : (
          plainParagraphs(text).map((pieces, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text never reorders; its place is its identity.
            <p key={place}>{pieces.map((piece, i) => plainPiece(piece, i, names, tabIndex))}</p>
          ))
        )}
      </Fragment>
    </div>
  )
}

/** Text between two addresses, or, at every second index, an address. */
function plainPiece(piece: string, place: number, names: readonly string[], tabIndex: 0 | -1): ReactNode {
  if (place % 2 === 0) return <Fragment key={place}>{withMentions(piece, names)}</Fragment>
  return (
    <TextLink key={place} url={piece} tabIndex={tabIndex}>
      {piece}
    </TextLink>
  )
}

/** A few emoji and nothing else. */
export function isLargeEmoji(text: string): boolean {
  const tight = text.replace(/\s+/g, '')
  if (tight === '' || tight.length > 60 || /[\p{L}\p{N}\p{P}]/u.test(tight)) return false
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(tight) && countGraphemes(tight) <= LARGE_EMOJI_MAX
}
