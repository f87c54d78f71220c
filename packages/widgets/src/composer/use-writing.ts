import type { Channel, Composer, Composition } from '@parley/client'
import { useId } from 'react'
import { may } from '../chat/channel-facts.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { askedBy } from '../commands/commands.ts'
import { type CommandWriting, useCommand } from '../commands/use-command.ts'
import { countGraphemes } from '../i18n/graphemes.ts'
import { useTranslate } from '../i18n/translate.ts'
import { useLinks } from '../link-preview/use-links.ts'
import { useComposerHere } from '../threads/thread-scope.ts'
import { type Length, lengthOf } from './composer-limits.ts'
import { useComposer } from './use-composer.ts'
import { useCooldown } from './use-cooldown.ts'

/** What is being written, and whether it may go. */
export interface Writing extends Composition {
  composer: Composer
  /** Of the element that says which message they are about. */
  aboutId: string
  commands: CommandWriting
  /** What the command still asks for, in words. */
  asked: string | undefined
  length: Length
  /** Seconds until one may send again; what was sent may always be changed. */
  wait: number
  /** Nothing goes as it stands: there is nothing, or too much, or it is too early, or somebody has to be named. */
  blocked: boolean
  /** An edit took every word away. A message without words is none: whether it shall go is asked first. */
  deletes: boolean
}

/** The one reading of a composer that the whole form goes by. */
export function useWriting(channel: Channel): Writing {
  const t = useTranslate()
  const state = useChannelState(channel)
  const composer = useComposerHere(channel)
  const composition = useComposer(channel)
  const { text, editing, uploads, pollID } = composition
  const commands = useCommand(channel, composer)
  useLinks(composer, text)
  const cooling = useCooldown(channel)
  const wait = editing ? 0 : cooling
  const length = lengthOf(countGraphemes(text), state)
  const empty = text.trim() === '' && (editing !== undefined || (uploads.length === 0 && !pollID))
  const mayDelete = may(state, 'delete-own-message') || may(state, 'delete-any-message')
  return {
    ...composition,
    composer,
    aboutId: useId(),
    commands,
    asked: commands.command && askedBy(t, commands.command),
    length,
    wait,
    blocked: empty || length.left < 0 || wait > 0 || commands.lacksSomebody,
    deletes: editing !== undefined && empty && editing.attachments.length === 0 && mayDelete,
  }
}
