import type { Cell, ChatClient, Clock } from '@parley/client'
import { createContext, useContext } from 'react'
import type { Announcer } from '../announcer/announcer.ts'
import type { Player } from '../attachments/player.ts'
import type { Notices } from '../notices/notices.ts'
import type { ShortcutRegistry } from '../shortcuts/use-shortcuts.ts'
import type { People } from './people.ts'

/** Makes the whole address of a message, as one gives it to others. */
export type MessageHref = (cid: string, messageId: string) => string

/** What `<Chat>` gives to everything inside it. None of it changes while what `<Chat>` was given stays the same. */
export interface ChatScope {
  client: ChatClient
  announcer: Announcer
  notices: Notices
  clock: Clock
  /** the handlers of the shortcuts */
  shortcuts: ShortcutRegistry
  /** what plays a sound whose row is out of sight */
  away: Cell<Player | undefined>
  /** pictures are sent as they are [ATT-20] */
  originalPictures: boolean
  /** where a message is found; without it no links to messages are offered */
  messageHref: MessageHref | undefined
  /** called when the user leaves a conversation for good */
  onLeave: ((cid: string) => void) | undefined
  /** where people come from; undefined: from the chat server */
  people: People | undefined
  /** the element of the chat root: layers open inside it, so that they have its theme and language */
  root: () => HTMLElement | null
}

export const ChatContext = createContext<ChatScope | undefined>(undefined)

/** @throws Error outside of `<Chat>` */
export function useChat(): ChatScope {
  const scope = useContext(ChatContext)
  if (!scope) throw new Error('A chat component stands outside of <Chat>; put <Chat client={…}> around it.')
  return scope
}
