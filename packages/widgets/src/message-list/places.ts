import type { Channel } from '@parley/client'
import type { ScrollPosition } from './scroll-engine.ts'

/** Where the reader left each channel in this session. A place never serves another channel. */
const places = new WeakMap<Channel, ScrollPosition>()

export function leave(channel: Channel, place: ScrollPosition) {
  places.set(channel, place)
}

export function whereLeft(channel: Channel): ScrollPosition | undefined {
  return places.get(channel)
}
