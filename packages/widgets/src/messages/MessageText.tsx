import type { Nodes } from 'mdast'
import { Fragment, type ReactNode } from 'react'
import { personName } from '../chat/seen-name.ts'
import { countGraphemes } from '../i18n/graphemes.ts'
import { LARGE_EMOJI_MAX } from '../limits.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { parseText } from './parse-text.ts'
import { safeLink } from './safe-link.ts'

export interface MessageTextProps extends RootProps<HTMLDivElement> {
  text: string
  /** people named in the text with an `@` */
  mentioned?: readonly { id: string; name?: string }[]
  /** whether links and buttons inside are tab stops */
  entered?: boolean
}

/**
 * The words of a message. Only elements made here reach the page: raw HTML is
 * shown as the characters it is, links open elsewhere and only for protocols
 * that are safe, headings are bold lines and images are links.
 *
 * Style hooks: `.chat-text`, `.chat-mention`.
 */
export function MessageText({ text, mentioned = [], entered = false, ...root }: MessageTextProps) {
  const look = { dir: 'auto', 'data-large': isLargeEmoji(text) || undefined }
  const names = mentioned.map(personName).filter(Boolean)
  return (
    <div {...rootProps({ className: 'chat-text', ...look }, root)}>
      {drawn(parseText(text), { names, tabIndex: entered ? 0 : -1 })}
    </div>
  )
}

/** A few emoji and nothing else. */
export function isLargeEmoji(text: string): boolean {
  const tight = text.replace(/\s+/g, '')
  if (tight === '' || tight.length > 60 || /[\p{L}\p{N}\p{P}]/u.test(tight)) return false
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(tight) && countGraphemes(tight) <= LARGE_EMOJI_MAX
}

interface Drawing {
  names: readonly string[]
  tabIndex: 0 | -1
}

function drawn(node: Nodes, drawing: Drawing): ReactNode {
  switch (node.type) {
    case 'root':
      return inside(node, drawing)
    case 'paragraph':
      return <p>{inside(node, drawing)}</p>
    case 'text':
      return withMentions(node.value, drawing.names)
    case 'emphasis':
      return <em>{inside(node, drawing)}</em>
    case 'strong':
      return <strong>{inside(node, drawing)}</strong>
    case 'delete':
      return <del>{inside(node, drawing)}</del>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'code':
      return <CodeBlock code={node.value} language={node.lang ?? undefined} tabIndex={drawing.tabIndex} />
    case 'blockquote':
      return <blockquote>{inside(node, drawing)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? undefined}>{inside(node, drawing)}</ol>
      ) : (
        <ul>{inside(node, drawing)}</ul>
      )
    case 'listItem':
      return <li>{inside(node, drawing)}</li>
    case 'heading':
      // A real heading would break into the outline of the page.
      return (
        <p>
          <strong>{inside(node, drawing)}</strong>
        </p>
      )
    case 'thematicBreak':
      return <hr />
    case 'break':
      return <br />
    case 'link':
      return link(node.url, inside(node, drawing), drawing)
    case 'image':
      return link(node.url, node.alt || node.url, drawing)
    case 'html':
      return node.value
    default:
      return 'children' in node ? inside(node, drawing) : null
  }
}

function inside(node: { children: readonly Nodes[] }, drawing: Drawing): ReactNode {
  return node.children.map((child, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text never reorders; its place is its identity.
    <Fragment key={place}>{drawn(child, drawing)}</Fragment>
  ))
}

function link(url: string, children: ReactNode, { tabIndex }: Drawing): ReactNode {
  const safe = safeLink(url)
  if (!safe) return children
  return (
    <>
      <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
        {children}
      </a>
      {safe.asciiHost && <span className="chat-text-host"> ({safe.asciiHost})</span>}
    </>
  )
}

/** "@Ada, look": the mention stands out, the rest stays as it is. */
function withMentions(text: string, names: readonly string[]): ReactNode {
  const first = names
    .map((name) => ({ at: text.indexOf(`@${name}`), name }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.name.length - a.name.length)[0]
  if (!first) return text
  const end = first.at + first.name.length + 1
  return (
    <>
      {text.slice(0, first.at)}
      <span className="chat-mention">@{first.name}</span>
      {withMentions(text.slice(end), names)}
    </>
  )
}
