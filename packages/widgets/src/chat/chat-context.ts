import type { Cell, ChatClient, Clock } from '@parley/client'
import { createContext, useContext } from 'react'
import type { Announcer } from '../announcer/announcer.ts'
import type { Player } from '../attachments/player.ts'
import type { Notices } from '../notices/notices.ts'
import type { ShortcutRegistry } from '../shortcuts/use-shortcuts.ts'
import type { People } from './people.ts'

/** Makes the full address of a message, for sharing. */
export type MessageHref = (cid: string, messageId: string) => string

/** The context `<Chat>` gives to its children. It does not change while the props of `<Chat>` are the same. */
export interface ChatScope {
  client: ChatClient
  announcer: Announcer
  notices: Notices
  clock: Clock
  /** the handlers of the shortcuts */
  shortcuts: ShortcutRegistry
  /** the player for audio whose row is out of view */
  away: Cell<Player | undefined>
  /** pictures are sent unchanged [ATT-20] */
  originalPictures: boolean
  /** the address of a message; without it no links to messages are offered */
  messageHref: MessageHref | undefined
  /** called when the user leaves a conversation for good */
  onLeave: ((cid: string) => void) | undefined
  /** the source of users; undefined: the chat server */
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
