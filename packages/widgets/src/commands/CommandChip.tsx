import type { Command } from '@parley/protocol/commands'
import { useTranslate } from '../i18n/translate.ts'
import { CloseIcon } from '../theme/icons.tsx'

/** The command a text begins with, before its arguments. */
export function CommandChip({ command, onRemove }: { command: Command; onRemove: () => void }) {
  const t = useTranslate()
  const label = t('command.remove', { command: command.name })
  return (
    <span className="chat-command">
      <bdi>{`/${command.name}`}</bdi>
      <button type="button" aria-label={label} title={label} onClick={onRemove}>
        <CloseIcon />
      </button>
    </span>
  )
}
