/** From this length on a name may have two typos; a short one would soon be another word. */
const LONG_NAME = 12
const SHORT_NAME = 6
const NAME_IN_SMALL_LETTERS = 8

/** Names of other programs that are one letter from ours. */
const ofOthers = new Set(['API_URL', 'APP_URL', 'APP_KEY', 'APP_SECRET'])

/**
 * The setting that a misspelt name means: with one or two typos, or in the wrong case. Undefined for our own names and
 * for names of other programs.
 */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name) || ofOthers.has(name)) return undefined
  // Shells have lower-case variables of their own; short ones are not meant for us.
  if (name !== name.toUpperCase() && name.length < NAME_IN_SMALL_LETTERS) return undefined
  const given = name.toUpperCase().replaceAll('-', '_')
  const plural = given.replace(/_PROXY$/, '_PROXIES')
  return known.find((each) => isSlipOf(given, each)) ?? known.find((each) => isSlipOf(plural, each))
}

function isSlipOf(given: string, meant: string): boolean {
  if (meant.length < SHORT_NAME)
    return given.length === meant.length && slips(given, meant) === 1 && isSwap(given, meant)
  return slips(given, meant) <= (meant.length < LONG_NAME ? 1 : 2)
}

/** Whether the two have the same letters: PORT and PROT, but not PORT and SORT. */
function isSwap(one: string, other: string): boolean {
  return [...one].sort().join() === [...other].sort().join()
}

/** The number of letters omitted, added, changed, or swapped with the next one. */
function slips(given: string, meant: string): number {
  const rows: number[][] = [Array.from({ length: meant.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= given.length; row++) {
    const costs = [row]
    for (let column = 1; column <= meant.length; column++) {
      const isSame = given[row - 1] === meant[column - 1]
      let cost = Math.min(
        rows[row - 1]![column]! + 1,
        costs[column - 1]! + 1,
        rows[row - 1]![column - 1]! + Number(!isSame),
      )
      if (row > 1 && column > 1 && given[row - 1] === meant[column - 2] && given[row - 2] === meant[column - 1])
        cost = Math.min(cost, rows[row - 2]![column - 2]! + 1)
      costs.push(cost)
    }
    rows.push(costs)
  }
  return rows[given.length]![meant.length]!
}
