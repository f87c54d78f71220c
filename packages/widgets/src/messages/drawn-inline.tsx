import type { Inline } from '@parley/protocol/text/tree'
import { Fragment, type ReactNode } from 'react'
import { TextLink } from './TextLink.tsx'

/** of the links and buttons inside a text */
export type TabIndex = 0 | -1

/** The pieces of a line. A parsed text never reorders: the place of a piece is its identity. */
export function drawnInline(children: readonly Inline[], tabIndex: TabIndex): ReactNode {
  return children.map((child, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={place}>{drawnPiece(child, tabIndex)}</Fragment>
  ))
}

function drawnPiece(piece: Inline, tabIndex: TabIndex): ReactNode {
  switch (piece.type) {
    case 'text':
      return piece.text
    case 'code':
      return <code>{piece.text}</code>
    case 'mention':
      return <span className="chat-mention">{piece.text}</span>
    case 'bold':
      return <strong>{drawnInline(piece.children, tabIndex)}</strong>
    case 'italic':
      return <em>{drawnInline(piece.children, tabIndex)}</em>
    case 'strike':
      return <del>{drawnInline(piece.children, tabIndex)}</del>
    case 'link':
      return (
        <TextLink url={piece.url} tabIndex={tabIndex}>
          {drawnInline(piece.children, tabIndex)}
        </TextLink>
      )
  }
}
