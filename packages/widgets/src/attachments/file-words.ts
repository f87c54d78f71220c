const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte']
/** Characters kept at the end of a shortened name: the extension and a little before it. */
const NAME_END_CHARS = 8

/** A number of bytes in the format of the language: "100 MB", "1,5 kB". */
export function fileSize(language: string, bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_024 ** step)
}

/** A name without characters that change the text direction: "gpj.exe" must not look like "exe.jpg". */
export function plainName(name: string): string {
  return name.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
}

/** A name in two parts, the second of which is always shown: "Quarterly figures of the" and "north.pdf". */
export function nameParts(name: string): [begin: string, end: string] {
  const letters = [...new Intl.Segmenter('en').segment(name)].map(({ segment }) => segment)
  const cut = Math.max(0, letters.length - NAME_END_CHARS)
  return [letters.slice(0, cut).join(''), letters.slice(cut).join('')]
}

/** The kind of a file, for a sentence: its type, else its extension, else its name. */
export function fileType({ type, name }: { type: string; name: string }): string {
  return type || (/\.[^.]+$/.exec(name)?.[0] ?? name)
}
