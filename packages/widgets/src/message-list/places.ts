import type { Channel } from '@parley/client'
import type { ScrollPosition } from './scroll-engine.ts'

/** The scroll position the reader left in each channel in this session. Positions are kept per channel. */
const places = new WeakMap<Channel, ScrollPosition>()

export function leave(channel: Channel, place: ScrollPosition) {
  places.set(channel, place)
}

export function whereLeft(channel: Channel): ScrollPosition | undefined {
  return places.get(channel)
}
