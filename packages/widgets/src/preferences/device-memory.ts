/** What this device remembers under a name; some browsers refuse even to be asked. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Where the browser keeps nothing, or no more, nothing is remembered. */
export function remember(name: string, value: string) {
  try {
    localStorage.setItem(name, value)
  } catch {}
}
