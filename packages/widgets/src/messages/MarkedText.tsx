import type { Nodes } from 'mdast'
import { Fragment, type ReactNode } from 'react'
import { CodeBlock } from './CodeBlock.tsx'
import { withMentions } from './mentions.tsx'
import { parseText } from './parse-text.ts'
import { TextLink } from './TextLink.tsx'

export interface MarkedTextProps {
  text: string
  /** the user names to highlight after an `@` */
  names: readonly string[]
  /** of the links and buttons inside */
  tabIndex: 0 | -1
}

/** Renders a text with marks; loaded with the first message that has any. */
export default function MarkedText({ text, ...drawing }: MarkedTextProps) {
  return drawn(parseText(text), drawing)
}

type Drawing = Omit<MarkedTextProps, 'text'>

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
      // A real heading would disturb the outline of the page.
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
      return <span>{node.value}</span>
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
  return (
    <TextLink url={url} tabIndex={tabIndex}>
      {children}
    </TextLink>
  )
}
