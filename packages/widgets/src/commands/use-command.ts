import { type Channel, type ChannelState, type Composer, usableCommands } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import { useMemo } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useComposer } from '../composer/use-composer.ts'
import { lacksSomebody } from './commands.ts'

/** What is written, taken apart: the command, and the words that stand in the box. */
export interface CommandWriting {
  /** Undefined while the text is only a text. */
  command: Command | undefined
  /** The commands one may begin with; none where one began already, or a message is being changed. */
  offered: readonly Command[]
  /** What stands in the box. */
  words: string
  /** It acts upon somebody, and nobody is named yet. */
  lacksSomebody: boolean
  write: (words: string) => void
  /** Begins with the command; the words stay. */
  begin: (command: Command) => void
  /** The words stay, without the command. */
  end: () => void
}

const none: readonly Command[] = []
const dataOf = ({ data }: ChannelState) => data

/** The text of a composer stays one text, so that a draft and a send know nothing of this. */
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
