/** Number of waveform values in a voice message [ATT-17]. */
export const WAVEFORM_VALUES = 100

/** Resamples values to the given number: the loudest of each stretch, from 0 to 1. Fewer are stretched. */
export function resampled(levels: readonly number[], count: number): number[] {
  if (levels.length === 0) return Array(count).fill(0)
  return Array.from({ length: count }, (_, at) => {
    const from = Math.floor((at * levels.length) / count)
    const to = Math.max(from + 1, Math.floor(((at + 1) * levels.length) / count))
    const loudest = Math.max(...levels.slice(from, to))
    return Math.round(Math.min(1, Math.max(0, loudest)) * 100) / 100
  })
}

/** A waveform from the wire, if it is valid. */
export function waveformOf(given: unknown): number[] {
  if (!Array.isArray(given)) return []
  return given.filter((value): value is number => typeof value === 'number' && value >= 0 && value <= 1)
}

/** One vertical bar per value, around the middle of a box of `values.length` × 2, as an SVG path. */
export function strokes(values: readonly number[]): string {
  return values
    .map((value, at) => {
      const half = Math.max(0.06, value).toFixed(2)
      return `M${at + 0.5} ${1 - Number(half)}V${1 + Number(half)}`
    })
    .join('')
}
