import type { Channel } from '@parley/client'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { PICTURE_PAGES_MAX } from '../limits.ts'
import { currentSet } from '../message-list/loaded-sets.ts'
import { type Picture, picturesOf } from './pictures.ts'

export interface PictureWalk {
  picture: Picture
  /** Its index among the loaded pictures, from 1, and their number. */
  number: number
  count: number
  /** There is a previous picture, or there may be one in older messages. */
  hasPrevious: boolean
  /** There is a next picture, or there may be one in newer messages. */
  hasNext: boolean
  /** The next picture, if it is loaded. */
  next: Picture | undefined
  turn: (by: 1 | -1) => Promise<void>
}

/**
 * Moves from one picture to the next, through the whole conversation or one of its threads; older and newer ones are
 * loaded on the way. A later move cancels an earlier one, whose answer might come last.
 *
 * @param onTurn  another picture is shown
 */
export function usePictureWalk(
  { channel, threadId, start }: { channel: Channel; threadId: string | undefined; start: Picture },
  onTurn: () => void,
): PictureWalk {
  const announce = useAnnounce()
  const pictures = usePictures(channel, threadId)
  // A picture whose message is deleted meanwhile stays until the user moves on.
  const [picture, setPicture] = useState(start)
  const turning = useRef<object>(undefined)
  useEffect(
    () => () => {
      turning.current = undefined
    },
    [],
  )
  const at = placeOf(picture, pictures)
  const { older, newer } = edgesOf(channel, threadId)
  const isOlderLeft = at === 0 && older
  const isNewerLeft = at === pictures.length - 1 && newer

  const turn = async (by: 1 | -1) => {
    const own = {}
    turning.current = own
    const goesOn = by < 0 ? isOlderLeft : isNewerLeft
    const all = goesOn ? await withMore(channel, by) : pictures
    if (turning.current !== own) return
    const to = placeOf(picture, all) + by
    const next = all[to]
    if (!next) return
    setPicture(next)
    onTurn()
    announce('picture', { number: to + 1, count: all.length })
  }
  return {
    picture,
    number: at + 1,
    count: Math.max(pictures.length, at + 1),
    hasPrevious: at > 0 || isOlderLeft,
    hasNext: at < pictures.length - 1 || isNewerLeft,
    next: pictures[at + 1],
    turn,
  }
}

/** All loaded pictures of the channel, or of one of its threads, oldest first. */
function usePictures(channel: Channel, threadId: string | undefined): readonly Picture[] {
  const { messages, replies } = useChannelState(channel)
  const here = threadId === undefined ? messages : (replies[threadId] ?? messages)
  return useMemo(() => here.flatMap(picturesOf), [here])
}

function placeOf({ key }: Picture, pictures: readonly Picture[]): number {
  return Math.max(
    0,
    pictures.findIndex((other) => other.key === key),
  )
}

/** Whether more messages can be loaded on either side; in a thread only the loaded ones are used. */
function edgesOf(channel: Channel, threadId: string | undefined): { older: boolean; newer: boolean } {
  const set = threadId === undefined ? currentSet(channel.snapshot()) : undefined
  return { older: set?.hasOlder ?? false, newer: set?.hasNewer ?? false }
}

/** Loads more messages on one side until there is one more picture, the end is reached, or the limit of pages. */
async function withMore(channel: Channel, by: 1 | -1): Promise<readonly Picture[]> {
  const all = () => channel.snapshot().messages.flatMap(picturesOf)
  const outermost = () => all().at(by < 0 ? 0 : -1)?.key
  const before = outermost()
  const goesOn = () => outermost() === before && edgesOf(channel, undefined)[by < 0 ? 'older' : 'newer']
  try {
    for (let page = 0; page < PICTURE_PAGES_MAX && goesOn(); page++)
      await (by < 0 ? channel.loadOlder() : channel.loadNewer())
  } catch {
    // Stopped for now; another press continues.
  }
  return all()
}
