/** The zoom of a picture: a multiple of its fitted size, moved from the middle by px. */
export interface View {
  scale: number
  x: number
  y: number
  /** quarter turns clockwise */
  turns: number
}

export const fitted: View = { scale: 1, x: 0, y: 0, turns: 0 }
/** The factor of one press on a zoom button, and the maximum. */
export const ZOOM_STEP = 1.5
const SCALE_MAX = 6

/** Zooms so that the point under the pointer, in px from the middle of the stage, stays where it is. */
export function zoomed(view: View, factor: number, about: Point = { x: 0, y: 0 }): View {
  const scale = Math.min(SCALE_MAX, Math.max(1, view.scale * factor))
  if (scale === 1) return { ...fitted, turns: view.turns }
  const by = scale / view.scale
  return { ...view, scale, x: about.x - (about.x - view.x) * by, y: about.y - (about.y - view.y) * by }
}

/** Pans the picture, within its edges; `stage` and `picture` are px at their fitted size. */
export function moved(view: View, by: Point, zoomArea: Size, picture: Size): View {
  const room = (side: keyof Size) => Math.max(0, (picture[side] * view.scale - zoomArea[side]) / 2)
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value))
  return { ...view, x: within(view.x + by.x, room('width')), y: within(view.y + by.y, room('height')) }
}

/** The scale at which a picture rotated by 90° fits the stage; both sizes are px. */
export function fitOnSide(zoomArea: Size, picture: Size): number {
  return Math.min(zoomArea.width / picture.height, zoomArea.height / picture.width)
}

/** In px. */
export interface Point {
  x: number
  y: number
}
export interface Size {
  width: number
  height: number
}
