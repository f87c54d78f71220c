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

/** The draft, and whether it can be sent. */
export interface Writing extends Composition {
  composer: Composer
  /** Of the element that names the message being edited or quoted. */
  aboutId: string
  commands: CommandWriting
  /** The arguments the command still needs, as a sentence. */
  asked: string | undefined
  length: Length
  /** Seconds until the user may send again; sent messages can always be edited. */
  wait: number
  /** It cannot be sent as it is: it is empty or too long, slow mode is on, or a user must be named. */
  blocked: boolean
  /** An edit removed all text. A message cannot be empty: the user is asked whether to delete it. */
  deletes: boolean
}

/** The state of a composer, read once for the whole form. */
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
