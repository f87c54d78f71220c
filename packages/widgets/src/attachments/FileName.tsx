import { nameParts } from './file-words.ts'

/** A file's name in one line; a long one loses its middle and keeps its extension. */
export function FileName({ name }: { name: string }) {
  const [begin, end] = nameParts(name)
  return (
    <bdi className="chat-file-name" title={name}>
      <span className="chat-file-name-begin">{begin}</span>
      <span>{end}</span>
    </bdi>
  )
}
