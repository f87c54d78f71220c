import type { Channel, User } from '@parley/client'
import type { RefObject } from 'react'
import { replaceWords } from '../autocomplete/replace-words.ts'
import { useChat } from '../chat/chat-context.ts'
import type { Person } from '../chat/people.ts'
import { personName } from '../chat/seen-name.ts'
import { useNotices } from '../notices/use-notices.ts'

/** How the reader writes to a member: in a direct conversation, or with a mention in the open one. */
export interface Reaching {
  mayWriteTo: (person: User) => boolean
  onMessage: (person: User) => void
  onMention: (person: User) => void
}

export interface ReachingOptions {
  channel: Channel
  /** the composer; empty if sending is forbidden */
  box: RefObject<HTMLTextAreaElement | null>
  /** uncovers the conversation, if something lies over it */
  onUncover: () => void
  /** opens another conversation; without it no direct conversation can be opened from here */
  onChannel: ((cid: string) => void) | undefined
}

/** The actions in the menu of a member. */
export function useReaching({ channel, box, onUncover, onChannel }: ReachingOptions): Reaching {
  const { client, people } = useChat()
  const notices = useNotices()
  const startWith = async (person: Person) => {
    if (people?.startWith) return people.startWith(person)
    const direct = client.channel(channel.type, { members: [client.userID ?? '', person.id] })
    await direct.create()
    return direct.cid
  }
  return {
    mayWriteTo: (person) => onChannel !== undefined && (people?.mayWriteTo?.(person) ?? true),
    onMessage: (person) => {
      startWith(person).then(onChannel, (error) => notices.failed('details.message.failed', error))
    },
    onMention: (person) => {
      onUncover()
      const element = box.current
      if (!element) return
      const { value, selectionStart: from, selectionEnd: to } = element
      const space = from === 0 || /\s$/.test(value.slice(0, from)) ? '' : ' '
      channel.composer.mention(person)
      replaceWords(element, from, to, `${space}@${personName(person)} `)
    },
  }
}
