/** The text of a message as a tree: what {@link parseMarks} reads and a part of an interface draws. */

export type Inline =
  | { type: 'text' | 'code' | 'mention'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { type: 'link'; url: string; children: Inline[] }

export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'code'; text: string; language: string | undefined }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; sign: ListSign; items: ListItem[] }

/** What stands before an item: a bullet of this look, or a number followed by this sign. */
export type ListSign = '-' | '*' | '.' | ')'
export interface ListItem {
  /** as typed; undefined in a list of bullets */
  number: number | undefined
  children: Block[]
}
