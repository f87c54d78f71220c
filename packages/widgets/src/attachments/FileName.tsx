import { nameParts, plainName } from './file-words.ts'

/** A file's name in one line; a long one is cut in the middle and keeps its extension. */
export function FileName({ name }: { name: string }) {
  const plain = plainName(name)
  const [begin, end] = nameParts(plain)
  return (
    <bdi className="chat-file-name" title={plain}>
      <span className="chat-file-name-begin">{begin}</span>
      <span>{end}</span>
    </bdi>
  )
}
