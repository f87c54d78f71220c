/** Characters a file's name keeps; the ending is never lost. */
const NAME_CHARS = 100
const ENDING = /\.[^.]{1,16}$/

// Control characters, and those that turn the direction of writing, which make `exe.gpj` look like `jpg.exe`.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go.
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFF]/g

/** A name that can be shown, stand in a header and be a file's name on anybody's machine. */
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

/** Bytes a file or a limit has, for people: `104857600` → `100 MB`. */
export function sizeText(bytes: number): string {
  for (const [unit, size] of units) if (bytes >= size) return `${Math.round((bytes / size) * 10) / 10} ${unit}`
  return `${bytes} bytes`
}

const units: [unit: string, size: number][] = [
  ['GB', 1_073_741_824],
  ['MB', 1_048_576],
  ['KB', 1_024],
]
