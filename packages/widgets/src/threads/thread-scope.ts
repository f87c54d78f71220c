import type { Channel, Composer } from '@parley/client'
import { createContext, useContext } from 'react'

/** Opens the thread of a message, by its id; undefined if threads cannot be opened, as inside of one. */
export const OpenThread = createContext<((parentId: string) => void) | undefined>(undefined)

/** The thread around a component, by the id of its parent; undefined in the channel itself. */
export const InThread = createContext<string | undefined>(undefined)

/** The draft of the thread around, else of the channel. */
export function useComposerHere(channel: Channel): Composer {
  return channel.composerIn(useContext(InThread))
}
