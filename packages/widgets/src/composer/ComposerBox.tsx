import type { Channel, Composer } from '@parley/client'
import {
  type FormEvent,
  type RefObject,
  Suspense,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Pasted } from '../attachments/PasteOffer.tsx'
import { useAttach } from '../attachments/use-attach.ts'
import type { Completion } from '../autocomplete/use-completion.tsx'
import { lazyPart } from '../chat/lazy-part.tsx'
import { CommandChip } from '../commands/CommandChip.tsx'
import { EmojiButton } from '../emoji/EmojiButton.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { isMac, keysOf } from '../shortcuts/shortcuts.ts'
import { InThread } from '../threads/thread-scope.ts'
import { isTouch } from './touch.ts'
import type { BoxKeys } from './use-box-keys.ts'
import type { Writing } from './use-writing.ts'

const PasteOffer = lazyPart(
  () => import('../attachments/PasteOffer.tsx'),
  ({ onEnd }) => onEnd(),
)
const FormatTools = lazyPart(() => import('./FormatTools.tsx'), 'nothing')

export interface ComposerBoxProps {
  channel: Channel
  writing: Writing
  completion: Completion
  keys: BoxKeys
  box: RefObject<HTMLTextAreaElement | null>
  autoFocus: boolean
  /** Names the box. */
  label: string
}

/** The text box, with the command before the text, and its descriptions on screen and for screen readers. */
export function ComposerBox({ channel, writing, completion, keys, box, autoFocus, label }: ComposerBoxProps) {
  const t = useTranslate()
  const [preferred] = usePreferences()
  const { enterSends, smileys } = preferred
  const thread = useContext(InThread)
  const attach = useAttach(channel)
  const ids = { hint: useId(), length: useId(), slow: useId(), asked: useId() }
  const { composer, text, editing, quoted, commands, asked, wait } = writing
  const { left, counted } = writing.length
  const tooLong = left < 0
  const sendKeys = keysOf('send', preferred).replace('Mod', isMac() ? '⌘' : 'Ctrl')
  const [offer, setOffer] = useState<Pasted>()
  const [formats, setFormats] = useState(false)
  if (text && !formats) setFormats(true)
  useGrowing(box, text)
  useFocusOn(box, composer, editing?.id ?? quoted?.id, autoFocus)
  const keepCaret = useCaretKept(box, writing)

  const moved = () => {
    completion.boxProps.onSelect()
    keepCaret()
  }
  const write = (event: FormEvent<HTMLTextAreaElement>) => {
    const { value } = event.currentTarget
    // Undoing the choice of a command restores the text typed for it.
    if ((event.nativeEvent as InputEvent).inputType === 'historyUndo' && commands.words === '') composer.setText(value)
    else commands.write(value)
    // Some keyboards move the caret without an event.
    moved()
    if (smileys) drawWritten(event.currentTarget, event.nativeEvent as InputEvent)
    if (!editing) reportTyping(channel, thread, value)
  }
  return (
    <div className="chat-composer-box">
      {commands.command && (
        <CommandChip
          command={commands.command}
          onRemove={() => {
            commands.end()
            box.current?.focus()
          }}
        />
      )}
      <textarea
        {...completion.boxProps}
        {...keys}
        ref={box}
        rows={1}
        value={commands.words}
        dir="auto"
        enterKeyHint={isTouch() || !enterSends ? 'enter' : 'send'}
        aria-label={label}
        placeholder={asked ?? label}
        aria-describedby={`${writing.aboutId} ${ids.hint} ${ids.slow} ${ids.asked} ${tooLong ? ids.length : ''}`}
        aria-invalid={tooLong || undefined}
        aria-errormessage={tooLong ? ids.length : undefined}
        onChange={write}
        onSelect={moved}
        onPaste={(event) => {
          const { words, files } = pasted(event.clipboardData)
          if (editing || files.length === 0) return
          if (words) return setOffer({ words, files })
          event.preventDefault()
          attach(files)
        }}
        onBlur={() => {
          completion.boxProps.onBlur()
          if (!editing && text) reportTyping(channel, thread, '')
        }}
      />
      <EmojiButton box={box} />
      {formats && !commands.command && (
        <Suspense fallback={null}>
          <FormatTools box={box} text={text} mentioned={writing.mentioned} />
        </Suspense>
      )}
      {offer && !editing && (
        <Suspense fallback={null}>
          <PasteOffer {...{ channel, composer, box, attach }} pasted={offer} onEnd={() => setOffer(undefined)} />
        </Suspense>
      )}
      {asked !== undefined && commands.lacksSomebody && commands.words !== '' && (
        <p className="chat-composer-hint">{asked}</p>
      )}
      {counted && (
        <span id={ids.length} className="chat-composer-count" data-over={tooLong || undefined}>
          {tooLong ? t('composer.tooLong', { count: -left }) : t('composer.left', { count: left })}
        </span>
      )}
      <span id={ids.hint} className="chat-hidden">
        {enterSends
          ? t('composer.hint')
          : sendKeys
            ? t('composer.hint.breaks', { keys: sendKeys })
            : t('composer.hint.button')}
      </span>
      <span id={ids.asked} className="chat-hidden">
        {asked}
      </span>
      <span id={ids.slow} className="chat-hidden">
        {wait > 0 && t('composer.slow.described', { seconds: wait })}
      </span>
    </div>
  )
}

/** Pasted text that also comes as an image, as from a table, stays text; the image is offered. */
function pasted(data: DataTransfer): Pasted {
  return { words: data.getData('text/plain'), files: [...data.files] }
}

let drawSmiley: ((box: HTMLTextAreaElement) => void) | undefined

/**
 * A completed smiley becomes an emoji; the code for it is loaded with the first key, if the user's preference is on.
 */
function drawWritten(box: HTMLTextAreaElement, { inputType, data, isComposing }: InputEvent) {
  const isKey = inputType === 'insertLineBreak' || (inputType === 'insertText' && data?.length === 1)
  if (!isKey || isComposing) return
  // Before the next key, which would complete it.
  if (drawSmiley) return queueMicrotask(() => drawSmiley?.(box))
  import('../emoji/smileys.ts').then(
    (module) => {
      drawSmiley = module.drawSmiley
      drawSmiley(box)
    },
    () => {},
  )
}

function reportTyping(channel: Channel, thread: string | undefined, text: string) {
  // A typing event that fails is not worth a notice.
  void (text.trim() ? channel.keystroke(thread) : channel.stopTyping(thread)).catch(() => {})
}

/** Browsers without `field-sizing` are sized by script. */
function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height depends on the text.
  useLayoutEffect(() => {
    const element = box.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight}px`
  }, [box, text])
}

/** Editing and quoting focus the text box, with the caret at the end; a restored draft has its caret where it was. */
function useFocusOn(
  box: RefObject<HTMLTextAreaElement | null>,
  composer: Composer,
  about: string | undefined,
  atOnce: boolean,
) {
  const wanted = about ?? (atOnce && !isTouch() ? 'open' : undefined)
  useEffect(() => {
    const element = box.current
    if (!wanted || !element) return
    element.focus({ preventScroll: true })
    const end = element.value.length
    const { from, to } = (wanted === 'open' && composer.context.caret) || { from: end, to: end }
    element.setSelectionRange(from, to)
  }, [box, composer, wanted])
}

/**
 * Restores the caret of a draft.
 * @returns a function that stores the present caret
 */
function useCaretKept(box: RefObject<HTMLTextAreaElement | null>, { composer, text, editing }: Writing) {
  const own = useRef<typeof composer.context.caret>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what is restored.
  useLayoutEffect(() => {
    const { caret } = composer.context
    if (!caret || editing || caret === own.current) return
    own.current = caret
    box.current?.setSelectionRange(caret.from, caret.to)
  }, [box, composer, text, editing])
  return () => {
    if (!box.current || editing) return
    const { selectionStart: from, selectionEnd: to } = box.current
    own.current = composer.context.caret = { from, to }
  }
}
