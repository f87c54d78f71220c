/** Shifts `Date` in this realm. Self-contained, so that a page can run it, too. */
export function shiftDate(ms: number) {
  const machine = Date
  if (ms === 0) return
  const now = () => machine.now() + ms
  const shifted = new Proxy(machine, {
    construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
    apply: () => new machine(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  machine.prototype.constructor = shifted
  globalThis.Date = shifted
}
