import type { LocalMessage } from '@parley/client'
import type { DOMAttributes } from 'react'
import { listOf } from '../i18n/format.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { REACTION_NAMES_SHOWN, REACTIONS_SHOWN } from '../limits.ts'
import { rove } from '../roving.ts'
import { reactionLook } from './reaction-kinds.ts'
import { reactionSummary } from './reaction-summary.ts'

export interface ReactionBarProps {
  /** id of the part that describes the row's reactions to assistive technology */
  id: string
  message: LocalMessage
  entered: boolean
  /** the reader may react here; otherwise the chips are not buttons */
  allowed: boolean
  onToggle: (type: string) => void
  onDetails: () => void
  /** handlers for a long press */
  held?: DOMAttributes<HTMLElement>
}

/**
 * The reactions under a message: most frequent first, own ones filled. A press adds or removes one's own; the last
 * button, and a long press on any, lists the users who reacted [RXN-12].
 */
export function ReactionBar({ id, message, entered, allowed, onToggle, onDetails, held }: ReactionBarProps) {
  const { t } = useTranslation()
  const summary = reactionSummary(t, message)
  if (summary.length === 0) return null
  const shown = summary.slice(0, REACTIONS_SHOWN)
  const rest = summary.length - shown.length
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are toggle buttons.
    <div
      className="chat-reactions"
      role="group"
      aria-label={t('reactions.label')}
      onKeyDown={(event) => rove(event, 'button', 'horizontal')}
      {...held}
    >
      <span id={id} style={{ display: 'contents' }}>
        {shown.map((reaction, place) => (
          <Chip
            key={reaction.type}
            {...reaction}
            tabIndex={entered && place === 0 ? 0 : -1}
            disabled={!allowed}
            onPress={() => onToggle(reaction.type)}
          />
        ))}
      </span>
      <button
        type="button"
        className="chat-reaction"
        data-more={rest}
        tabIndex={-1}
        aria-label={t('reactions.show')}
        title={t('reactions.show')}
        aria-haspopup="dialog"
        onClick={onDetails}
      >
        {rest > 0 ? t('reactions.more', { count: rest }) : '…'}
      </button>
    </div>
  )
}

interface ChipProps {
  type: string
  count: number
  mine: boolean
  names: readonly string[]
  tabIndex: 0 | -1
  disabled: boolean
  onPress: () => void
}

function Chip({ type, count, mine, names, tabIndex, disabled, onPress }: ChipProps) {
  const { language } = useTranslation()
  const t = useTranslate()
  const { emoji, name } = reactionLook(type)
  const label = t(mine ? 'reactions.chipMine' : 'reactions.chip', { emoji: name ? t(name) : emoji, count })
  const known = names.slice(0, REACTION_NAMES_SHOWN)
  const others = count - known.length
  const people = others > 0 ? [...known, t('reactions.others', { count: others })] : known
  return (
    <button
      type="button"
      className="chat-reaction"
      tabIndex={tabIndex}
      aria-pressed={mine}
      aria-label={label}
      aria-disabled={disabled || undefined}
      title={listOf(language, people)}
      onClick={disabled ? undefined : onPress}
    >
      <span aria-hidden="true">{emoji}</span>
      <span aria-hidden="true" className="chat-reaction-count">
        {count}
      </span>
    </button>
  )
}
