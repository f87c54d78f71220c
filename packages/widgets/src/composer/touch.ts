/** Whether one writes on glass, where Enter begins a line and a keyboard covers half the screen. */
export function isTouch(): boolean {
  return typeof window !== 'undefined' && window.matchMedia('(pointer: coarse) and (hover: none)').matches
}
