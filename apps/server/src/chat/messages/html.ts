/** The text as safe HTML: paragraphs and line breaks, everything else escaped [messaging.md 5.2]. */
export function htmlOf(text: string): string {
  if (text === '') return ''
  const escaped = SPECIAL.test(text) ? text.replace(SPECIALS, (sign) => entities[sign]!) : text
  return `${escaped
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />\n')}</p>`)
    .join('\n')}\n`
}

const SPECIAL = /[&<>"']/
const SPECIALS = /[&<>"']/g
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
