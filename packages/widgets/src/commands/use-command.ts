import { type Channel, type ChannelState, type Composer, usableCommands } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import { useMemo } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useComposer } from '../composer/use-composer.ts'
import { lacksSomebody } from './commands.ts'

/** The draft, split into the command and the text of the box. */
export interface CommandWriting {
  /** Undefined while the text has no command. */
  command: Command | undefined
  /** The commands that may begin the text; none if it has one already, or a message is being edited. */
  offered: readonly Command[]
  /** The text of the box. */
  words: string
  /** It acts on a user, and none is named yet. */
  lacksSomebody: boolean
  write: (words: string) => void
  /** Adds the command; the text stays. */
  begin: (command: Command) => void
  /** Removes the command; the text stays. */
  end: () => void
}

const none: readonly Command[] = []
const dataOf = ({ data }: ChannelState) => data

/** The text of a composer remains one string, so that drafts and sending need not know about commands. */
export function useCommand(channel: Channel, composer: Composer): CommandWriting {
  const data = useChannelPart(channel, dataOf)
  const { text, editing, mentioned, command: found } = useComposer(channel)
  const usable = useMemo(() => usableCommands(data), [data])
  return {
    command: found?.command,
    offered: editing || found ? none : usable,
    words: found ? found.args : text,
    lacksSomebody: found !== undefined && lacksSomebody(found, mentioned),
    write: (words) => composer.setText(found ? `/${found.command.name} ${words}` : words),
    begin: ({ name }) => composer.setText(`/${name} ${composer.snapshot().text}`),
    end: () => found && composer.setText(found.args),
  }
}
