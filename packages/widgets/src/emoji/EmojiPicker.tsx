import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { LayerRoot } from '../dialog/LayerRoot.tsx'
import { type TextKey, useTranslate, useTranslation } from '../i18n/translate.ts'
import { EMOJI_FOUND } from '../limits.ts'
import { rove } from '../roving.ts'
import { isComposing } from '../shortcuts/composing.ts'
import { type EmojiMemory, rememberEmoji, rememberedEmoji, rememberTone } from './emoji-memory.ts'
import './emoji-picker.css'
import { type Emoji, type EmojiGroup, type EmojiSet, emojiGroups, findEmoji, readEmoji, withTone } from './emoji-set.ts'

const COLUMNS = 8
/** The skin tones are shown on a hand: the neutral yellow, then lightest first. */
const HAND = '✋'
const tones = [0, 1, 2, 3, 4, 5] as const

type Shown = EmojiGroup | 'recent'

const groupLooks: Record<Shown, { emoji: string; name: TextKey }> = {
  recent: { emoji: '🕘', name: 'emoji.recent' },
  smileys: { emoji: '😀', name: 'emoji.smileys' },
  people: { emoji: '👋', name: 'emoji.people' },
  nature: { emoji: '🐻', name: 'emoji.nature' },
  food: { emoji: '🍎', name: 'emoji.food' },
  travel: { emoji: '🚗', name: 'emoji.travel' },
  activities: { emoji: '⚽', name: 'emoji.activities' },
  objects: { emoji: '💡', name: 'emoji.objects' },
  symbols: { emoji: '❤️', name: 'emoji.symbols' },
  flags: { emoji: '🏁', name: 'emoji.flags' },
}
const toneNames: Record<(typeof tones)[number], TextKey> = {
  0: 'emoji.tone.none',
  1: 'emoji.tone.light',
  2: 'emoji.tone.mediumLight',
  3: 'emoji.tone.medium',
  4: 'emoji.tone.mediumDark',
  5: 'emoji.tone.dark',
}

export interface EmojiPickerProps {
  /** the element the picker is placed at, and that gets the focus back */
  anchor: RefObject<HTMLElement | null>
  placement: 'top end' | 'bottom start' | 'bottom end'
  onChoose: (emoji: string) => void
  onClose: () => void
}

/**
 * Every emoji, by group and by name in the current language; recent ones come first [interface.md 4.1].
 *
 * Renders a dialog with a search box, tabs, and a grid operated with the arrows. Style hooks: `.chat-emoji-picker`,
 * `.chat-emoji-tab`, `.chat-emoji`.
 */
export default function EmojiPicker({ anchor, placement, onChoose, onClose }: EmojiPickerProps) {
  const t = useTranslate()
  return (
    <LayerRoot>
      <Popover
        className="chat-popover chat-emoji-popover"
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => !open && onClose()}
        // As in a menu [MenuLayer].
        placement={placement === 'bottom start' && anchor.current?.matches('button') ? 'bottom end' : placement}
      >
        <Dialog className="chat-emoji-picker" aria-label={t('emoji.choose')}>
          <Picker
            onChoose={(emoji) => {
              rememberEmoji(emoji)
              onClose()
              onChoose(emoji)
            }}
          />
        </Dialog>
      </Popover>
    </LayerRoot>
  )
}

function Picker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const t = useTranslate()
  const [memory, setMemory] = useState<EmojiMemory>(rememberedEmoji)
  const { set, failed, retry } = useEmoji()
  const [group, setGroup] = useState<Shown>(memory.recent.length > 0 ? 'recent' : 'smileys')
  const [text, setText] = useState('')
  const [pointed, setPointed] = useState<Emoji>()
  const [start] = useState(memory.recent)
  const grid = useRef<HTMLDivElement>(null)
  const panel = useId()

  const searched = text.trim() !== ''
  const shown = !set ? [] : searched ? findEmoji(set, text, start, EMOJI_FOUND) : groupOf(set, group, start)
  const choose = (emoji: Emoji) => onChoose(withTone(emoji.emoji, memory.tone))
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && searched && shown[0]) choose(shown[0])
    else if (event.key === 'ArrowDown') grid.current?.querySelector('button')?.focus()
    else return
    event.preventDefault()
  }
  const groups = start.length > 0 ? (['recent', ...emojiGroups] as const) : emojiGroups
  return (
    <>
      <input
        type="search"
        className="chat-emoji-search"
        aria-label={t('emoji.search')}
        placeholder={t('emoji.search')}
        // biome-ignore lint/a11y/noAutofocus: the user opened the dialog to search.
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <div
        className="chat-emoji-tabs"
        role="tablist"
        aria-label={t('emoji.groups')}
        onKeyDown={(event) => rove(event, 'button', 'horizontal')?.click()}
      >
        {groups.map((one) => (
          <button
            key={one}
            type="button"
            className="chat-emoji-tab"
            role="tab"
            aria-selected={!searched && one === group}
            aria-controls={panel}
            aria-label={t(groupLooks[one].name)}
            title={t(groupLooks[one].name)}
            tabIndex={one === group ? 0 : -1}
            onClick={() => {
              setText('')
              setGroup(one)
            }}
          >
            {groupLooks[one].emoji}
          </button>
        ))}
      </div>
      <div id={panel} className="chat-emoji-panel" role="tabpanel" aria-label={t(groupLooks[group].name)}>
        {failed && (
          <p className="chat-emoji-note">
            <span>{t('emoji.failed')}</span>
            <button type="button" className="chat-button" data-kind="quiet" onClick={retry}>
              {t('retry')}
            </button>
          </p>
        )}
        {set && shown.length === 0 && <p className="chat-emoji-note">{t('emoji.nothing')}</p>}
        {shown.length > 0 && (
          <Grid
            key={searched ? text : group}
            gridRef={grid}
            emoji={shown}
            tone={memory.tone}
            onChoose={choose}
            onPoint={setPointed}
          />
        )}
      </div>
      <div className="chat-emoji-foot">
        <span className="chat-emoji-pointed" aria-hidden="true">
          {pointed && (
            <>
              <b>{withTone(pointed.emoji, memory.tone)}</b> <span>{pointed.name}</span>
            </>
          )}
        </span>
        <Tones
          tone={memory.tone}
          onChange={(tone) => {
            rememberTone(tone)
            setMemory(rememberedEmoji())
          }}
        />
      </div>
    </>
  )
}

interface GridProps {
  gridRef: RefObject<HTMLDivElement | null>
  emoji: readonly Emoji[]
  tone: number
  onChoose: (emoji: Emoji) => void
  onPoint: (emoji: Emoji) => void
}

/** One tab stop; the arrows move within and between the rows. */
function Grid({ gridRef, emoji, tone, onChoose, onPoint }: GridProps): ReactNode {
  const t = useTranslate()
  const [stop, setStop] = useState(0)
  const rows = Array.from({ length: Math.ceil(emoji.length / COLUMNS) }, (_, row) =>
    emoji.slice(row * COLUMNS, (row + 1) * COLUMNS),
  )
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const onward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const steps: Record<string, number> = {
      ArrowRight: onward,
      ArrowLeft: -onward,
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
      Home: -stop,
      End: emoji.length - 1 - stop,
    }
    const to = stop + (steps[event.key] ?? Number.NaN)
    if (Number.isNaN(to)) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('button')[to]?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table of buttons would need its table styles reset.
    <div ref={gridRef} className="chat-emoji-grid" role="grid" aria-label={t('emoji.choose')} onKeyDown={press}>
      {rows.map((row, y) => (
        // biome-ignore lint/a11y/useSemanticElements: as the grid.
        // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus.
        <div key={row[0]!.emoji} className="chat-emoji-row" role="row">
          {row.map((one, x) => {
            const place = y * COLUMNS + x
            return (
              // biome-ignore lint/a11y/useSemanticElements: as the grid.
              // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus.
              <div key={one.emoji} role="gridcell">
                <button
                  type="button"
                  className="chat-emoji"
                  aria-label={one.name}
                  tabIndex={place === stop ? 0 : -1}
                  onFocus={() => {
                    setStop(place)
                    onPoint(one)
                  }}
                  onPointerEnter={() => onPoint(one)}
                  onClick={() => onChoose(one)}
                >
                  {withTone(one.emoji, tone)}
                </button>
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

function Tones({ tone, onChange }: { tone: number; onChange: (tone: number) => void }) {
  const t = useTranslate()
  return (
    <div
      className="chat-emoji-tones"
      role="radiogroup"
      aria-label={t('emoji.tone')}
      onKeyDown={(event) => rove(event, 'button', 'horizontal')?.click()}
    >
      {tones.map((one) => (
        // biome-ignore lint/a11y/useSemanticElements: the user selects a hand, not a radio button beside it.
        <button
          key={one}
          type="button"
          className="chat-emoji-tone"
          role="radio"
          aria-checked={one === tone}
          aria-label={t(toneNames[one])}
          title={t(toneNames[one])}
          tabIndex={one === tone ? 0 : -1}
          onClick={() => onChange(one)}
        >
          {withTone(HAND, one)}
        </button>
      ))}
    </div>
  )
}

function groupOf(set: EmojiSet, group: Shown, recent: readonly string[]): readonly Emoji[] {
  if (group !== 'recent') return set.groups[group]
  return recent.flatMap((used) => set.all.find(({ emoji }) => emoji === used) ?? [])
}

function useEmoji() {
  const { language } = useTranslation()
  const [set, setSet] = useState<EmojiSet>()
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    let current = true
    setFailed(false)
    readEmoji(language).then(
      (read) => current && setSet(read),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [language, attempt])
  return { set, failed, retry: () => setAttempt((count) => count + 1) }
}
