import { isMac, spelt } from './shortcuts.ts'

/** Each of the keys. */
export function partsOf(keys: string, mac: boolean): string[] {
  // A "+" at the end is a key.
  return spelt(keys, mac).split(/\+(?=.)/)
}

const symbols: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: 'Del',
}
const macSymbols: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Control: '⌃', Enter: '↩', ...symbols }

/** The keys of a shortcut as they are labelled on the keyboard; several in a row are alternatives. */
export function keysShown(keys: string, mac: boolean): string[][] {
  const names = mac ? macSymbols : { Mod: 'Ctrl', ...symbols }
  return keys.split(' ').map((one) => partsOf(one, mac).map((part) => names[part as keyof typeof names] ?? part))
}

/** The same for `aria-keyshortcuts`; undefined if a shortcut is off. */
export function ariaKeys(keys: string, mac = isMac()): string | undefined {
  const names: Record<string, string> = { Mod: mac ? 'Meta' : 'Control', '+': 'Plus' }
  const parts = partsOf(keys, mac).map((part) => names[part] ?? part)
  return parts.join('+') || undefined
}

/** The same within a sentence: "Ctrl+Shift+F", or "⌘⇧F" on a Mac. */
export function keysRead(keys: string, mac: boolean): string {
  return keysShown(keys, mac)
    .map((parts) => parts.join(mac ? '' : '+'))
    .join(' ')
}
