import { parseMarks } from '@parley/protocol/text/marks'
import type { Block, ListItem, ListSign } from '@parley/protocol/text/tree'
import { type CSSProperties, Fragment, type ReactElement, useMemo } from 'react'
import { CodeBlock } from './CodeBlock.tsx'
import { drawnInline, type TabIndex } from './drawn-inline.tsx'

export interface MarkedTextProps {
  text: string
  /** the user names to highlight after an `@` */
  names: readonly string[]
  tabIndex: TabIndex
}

/** A text with its marks. */
export function MarkedText({ text, names, tabIndex }: MarkedTextProps) {
  const blocks = useMemo(() => parseMarks(text, names), [text, names])
  return drawn(blocks, tabIndex)
}

// A parsed text never reorders: the place of a part is its identity.
function drawn(blocks: readonly Block[], tabIndex: TabIndex): ReactElement[] {
  return blocks.map((block, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={place}>{drawnBlock(block, tabIndex)}</Fragment>
  ))
}

function drawnBlock(block: Block, tabIndex: TabIndex): ReactElement {
  switch (block.type) {
    case 'paragraph':
      return <p>{drawnInline(block.children, tabIndex)}</p>
    case 'code':
      return <CodeBlock code={block.text} language={block.language} tabIndex={tabIndex} />
    case 'quote':
      return <blockquote dir="auto">{drawn(block.children, tabIndex)}</blockquote>
    case 'list':
      return <List sign={block.sign} items={block.items} tabIndex={tabIndex} />
  }
}

function List({ sign, items, tabIndex }: { sign: ListSign; items: readonly ListItem[]; tabIndex: TabIndex }) {
  const digits = Math.max(...items.map(({ number }) => String(number ?? '').length))
  const Tag = digits > 0 ? 'ol' : 'ul'
  // The longest number has room in the bubble.
  const style = digits > 0 ? ({ '--chat-list-digits': digits } as CSSProperties) : undefined
  return (
    <Tag data-sign={sign} dir="auto" style={style}>
      {items.map(({ number, children }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={place} value={number}>
          {drawn(children, tabIndex)}
        </li>
      ))}
    </Tag>
  )
}
