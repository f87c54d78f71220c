/**
 * The outline of a piece of a page, one line for each meaningful element: its tag and class, its attributes, its text.
 * Kept beside a test, it shows a reviewer what changed for users who see, hear or style the page.
 *
 * Values that vary between runs are omitted: numbers in generated ids, times of day, sizes in pixels.
 */

const TAG = /<!--.*?-->|<(\/?)([\w-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gs
const ATTRIBUTE = /([^\s=>/]+)(?:="([^"]*)")?/g
const voids = new Set('area br col embed hr img input link meta source track wbr'.split(' '))
/** Their content is not visible. */
const silent = new Set(['script', 'style', 'noscript'])
const drawings = new Set(['svg'])
/** The beginning of its path identifies a drawing. */
const DRAWING_KEPT = 16

/** @param html as a browser or React writes it */
export function outlineOf(html: string): string {
  const lines: string[] = []
  /** The open elements, and the depth of each one's children. */
  const open: { tag: string; depth: number }[] = []
  const depth = () => open.at(-1)?.depth ?? 0
  const isIn = (tags: ReadonlySet<string>) => open.some(({ tag }) => tags.has(tag))
  const add = (said: string) => lines.push('  '.repeat(depth()) + said)
  let last: { line: number } | undefined
  for (const [, end, tag, attributes = '', closed, text] of html.matchAll(TAG)) {
    if (isIn(silent) && !(end && silent.has(tag!))) continue
    if (text !== undefined) {
      const words = steady(text.replace(/\s+/g, ' ').trim())
      // Text is on the line of its element when it comes first in it.
      if (words && last?.line === lines.length - 1) lines[last.line] += ` “${words}”`
      else if (words) add(`“${words}”`)
      last = undefined
    } else if (tag && end) {
      while (open.length > 0 && open.pop()?.tag !== tag);
      last = undefined
    } else if (tag) {
      const said = silent.has(tag) ? '' : described(tag, attributes)
      // A drawing is one line.
      if (isIn(drawings)) lines[lines.length - 1] += ` ${said}`
      else if (said) add(said)
      if (said) last = { line: lines.length - 1 }
      if (!voids.has(tag) && !closed) open.push({ tag, depth: depth() + (said ? 1 : 0) })
    }
  }
  return `${lines.join('\n')}\n`
}

/** The element in one line; empty for a purely visual one. */
function described(tag: string, attributes: string): string {
  const all = [...attributes.matchAll(ATTRIBUTE)].map(([, name, value = '']) => ({ name: name!, value }))
  const classes = all.filter(({ name }) => name === 'class').map(({ value }) => value.trim().replaceAll(/\s+/g, '.'))
  const rest = all
    .filter(({ name }) => name !== 'class' && !/^(datetime|xmlns|viewbox|focusable|fill|stroke.*)$/i.test(name))
    .map(({ name, value }) => [name, kept(name, value)] as const)
    .filter(([name, value]) => name !== 'style' || value)
    .map(([name, value]) => (value ? `${name}="${value}"` : name))
    .sort()
  if (!classes[0] && rest.length === 0 && /^(div|span|g)$/.test(tag)) return ''
  return [classes[0] ? `${tag}.${classes[0]}` : tag, ...rest].join(' ')
}

function kept(name: string, value: string): string {
  if (name === 'd') return value.slice(0, DRAWING_KEPT)
  if (name !== 'style') return steady(value)
  return steady(
    value
      .split(/;\s*/)
      .filter((rule) => rule && !/\dpx/.test(rule))
      .join('; '),
  )
}

function steady(text: string): string {
  return text
    .replaceAll(/react-aria[\w:-]*|_r_\w+?_|«\w+»/gi, 'id')
    .replaceAll(/(http|ws):\/\/(localhost|127\.0\.0\.1):\d+/g, '$1://here')
    .replaceAll(/blob:[^\s"]+/g, 'blob:')
    .replaceAll(/(\/assets\/[\w-]+)-[\w-]{8}\./g, '$1.')
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, 'uuid')
    .replaceAll(/\b\d{1,2}:\d\d(:\d\d)?[\s\u202f]?[AP]M\b/g, '0:00')
    .replaceAll(/\b\d+ (minute|hour)s? ago\b/g, 'a while ago')
}
