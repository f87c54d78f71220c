import type { ReactNode } from 'react'

/** "@Ada, look": the mention is highlighted, the rest is not. */
export function withMentions(text: string, names: readonly string[]): ReactNode {
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
