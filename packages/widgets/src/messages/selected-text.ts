/** A fragment as text: its lines, the signs of lists, and nothing that is no part of a message. */
export function textOf(fragment: DocumentFragment): string {
  for (const tool of fragment.querySelectorAll('.chat-code-head, .chat-hidden')) tool.remove()
  for (const item of fragment.querySelectorAll('li'))
    item.prepend(`${item.getAttribute('value') ?? ''}${signOf(item)} `)
  // A paragraph that begins its item is on the line of its number.
  for (const block of fragment.querySelectorAll('p, li, pre, br'))
    if (!(block.tagName === 'P' && block.parentElement?.closest('li')?.firstElementChild === block)) block.before('\n')
  for (const paragraph of fragment.querySelectorAll('p + p')) paragraph.before('\n')
  return fragment.textContent ?? ''
}

function signOf({ parentElement }: HTMLElement): string {
  const sign = parentElement?.dataset.sign ?? ''
  return sign === '-' ? '–' : sign === '*' ? '•' : sign
}

/** Texts for a program that takes rich text: each a paragraph, with its lines. */
export function asHtml(texts: readonly string[]): string {
  const place = document.createElement('div')
  for (const text of texts) {
    const paragraph = document.createElement('p')
    paragraph.innerText = text
    place.append(paragraph)
  }
  return place.innerHTML
}
