/**
 * Whether the device has an on-screen keyboard: Enter begins a new line there, and the keyboard covers half the screen.
 */
export function isTouch(): boolean {
  return typeof window !== 'undefined' && window.matchMedia('(pointer: coarse) and (hover: none)').matches
}
