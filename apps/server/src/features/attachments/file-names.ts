/** Maximum characters of a file name; the extension is always kept. */
const NAME_CHARS = 100
const ENDING = /\.[^.]{1,16}$/

// Control characters, and direction marks, which make `exe.gpj` look like `jpg.exe`.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFF]/g

/** A name that is safe to show, to put into a header, and to use as a file name on any system. */
export function cleanName(name: string | undefined): string {
  const last = (name ?? '').toWellFormed().normalize('NFC').split(/[\\/]/).at(-1)!
  const clean = last
    .replace(INVISIBLE, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const ending = ENDING.exec(clean)?.[0] ?? ''
  const stem = [...clean.slice(0, clean.length - ending.length)].slice(0, NAME_CHARS).join('')
  return stem + ending || 'file'
}

/** A size in bytes as readable text: `104857600` → `100 MB`. */
export function sizeText(bytes: number): string {
  for (const [unit, size] of units) if (bytes >= size) return `${Math.round((bytes / size) * 10) / 10} ${unit}`
  return `${bytes} bytes`
}

const units: [unit: string, size: number][] = [
  ['GB', 1_073_741_824],
  ['MB', 1_048_576],
  ['KB', 1_024],
]
