/** What was painted, frame by frame: a row's top in the window, and the distance to the end, in px. */
export interface Watched {
  before: Frame
  frames: Frame[]
}
export interface Frame {
  top?: number
  toEnd: number
}

/** Frames that are watched before and after the change. */
const STILL_FRAMES = 2
const WATCHED_FRAMES = 8

/**
 * Samples after each paint: a callback of requestAnimationFrame runs before layout and would see a state that is never
 * painted.
 */
export async function framesOf(sample: () => Frame, change: () => void | Promise<void>): Promise<Watched> {
  for (let i = 0; i < STILL_FRAMES; i++) await painted()
  const before = sample()
  void change()
  const frames: Frame[] = []
  for (let i = 0; i < WATCHED_FRAMES; i++) {
    await painted()
    frames.push(sample())
  }
  return { before, frames }
}

/**
 * Resolves in a task of its own after the next paint. A window that is resized between the two shows it only in the
 * paint after that.
 */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { innerWidth, innerHeight } = window
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () =>
        resolve(innerWidth === window.innerWidth && innerHeight === window.innerHeight ? undefined : painted())
      port2.postMessage(undefined)
    })
  })
}
