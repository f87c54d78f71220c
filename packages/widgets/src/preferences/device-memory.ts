/** The value this device stores under a name; some browsers throw on access. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** If the browser stores nothing, or its storage is full, the value is lost. */
export function remember(name: string, value: string) {
  try {
    localStorage.setItem(name, value)
  } catch {}
}
