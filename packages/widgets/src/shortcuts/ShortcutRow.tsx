import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { type Translate, useTranslate } from '../i18n/translate.ts'
import { isComposing } from './composing.ts'
import { Keys } from './Keys.tsx'
import { keysRead } from './keys-shown.ts'
import { keysRecorded, type Verdict, verdictOn } from './record-keys.ts'
import { says } from './shortcut-list.ts'
import { isMac, keysOf, type Shortcut, type ShortcutsSet, shortcuts, spelt } from './shortcuts.ts'

export interface ShortcutRowProps {
  name: Shortcut
  preferred: ShortcutsSet
  /** its keys are being set */
  open: boolean
  onOpen: () => void
  onClose: () => void
  /** Sets these keys, none to turn it off; another shortcut that has them loses them. */
  onSet: (keys: string) => void
}

/** One shortcut, and while its keys are being set, a field that records the next key press. */
export function ShortcutRow({ name, preferred, open, onOpen, onClose, onSet }: ShortcutRowProps) {
  const t = useTranslate()
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const keys = keysOf(name, preferred)
  useFocusBack(button, open)
  return (
    <li className="chat-shortcut" data-open={open || undefined}>
      <span id={id} className="chat-shortcut-does">
        {t(says[name])}
      </span>
      {!preferred.shortcuts ? null : open ? (
        <KeysField name={name} keys={keys} set={preferred.keys} onClose={onClose} onSet={onSet} />
      ) : (
        <button
          ref={button}
          type="button"
          className="chat-shortcut-keys"
          id={`${id}keys`}
          aria-labelledby={`${id} ${id}keys`}
          title={t('shortcuts.change')}
          onClick={onOpen}
        >
          {keys ? <Keys keys={keys} /> : t('shortcuts.off')}
        </button>
      )}
    </li>
  )
}

interface KeysFieldProps extends Pick<ShortcutRowProps, 'name' | 'onClose' | 'onSet'> {
  keys: string
  set: ShortcutsSet['keys']
}

/**
 * Takes every key but Tab, which moves on, and Escape, which cancels. It is a read-only text box, so that screen
 * readers pass the keys to it.
 */
function KeysField({ name, keys, set, onClose, onSet }: KeysFieldProps) {
  const t = useTranslate()
  const announce = useAnnounce()
  const mac = isMac()
  const id = useId()
  const [wanted, setWanted] = useState('')
  const verdict = wanted ? verdictOn(wanted, name, set, mac) : undefined
  const want = (wanted: string) => {
    const verdict = verdictOn(wanted, name, set, mac)
    if (verdict.at === 'free') return onSet(wanted)
    setWanted(wanted)
    announce('notice', { text: sentenceOf(verdict, wanted, t) })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Tab' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    // The key that opened the field may still be down.
    if (event.repeat) return
    if (event.key === 'Escape') return onClose()
    const pressed = keysRecorded(event, mac)
    if (pressed) want(name === 'region' ? pressed.replace('Shift+', '') : pressed)
  }
  return (
    <>
      <input
        className="chat-input chat-shortcut-field"
        readOnly
        // biome-ignore lint/a11y/noAutofocus: the user opened the field to press keys.
        autoFocus
        autoComplete="off"
        aria-label={t('shortcuts.pressFor', { does: t(says[name]) })}
        aria-describedby={verdict && id}
        aria-invalid={verdict ? true : undefined}
        placeholder={t('shortcuts.press')}
        value={keysRead(wanted, mac)}
        onKeyDown={press}
      />
      <div className="chat-shortcut-edit">
        {verdict && (
          <p id={id} className="chat-field-fault">
            {sentenceOf(verdict, wanted, t)}
          </p>
        )}
        {verdict?.at === 'taken' && (
          <button type="button" className="chat-button" onClick={() => onSet(wanted)}>
            {t('shortcuts.takeOver')}
          </button>
        )}
        {keys !== '' && (
          <button type="button" className="chat-button" data-kind="quiet" onClick={() => onSet('')}>
            {t('shortcuts.turnOff')}
          </button>
        )}
        {name in set && (
          <button
            type="button"
            className="chat-button"
            data-kind="quiet"
            onClick={() => want(spelt(shortcuts[name], mac))}
          >
            {t('preferences.reset')}
          </button>
        )}
        <button type="button" className="chat-button" data-kind="quiet" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </>
  )
}

/** Why the keys cannot be used, or what using them changes. */
function sentenceOf(verdict: Verdict, keys: string, t: Translate): string {
  const shown = keysRead(keys, isMac())
  switch (verdict.at) {
    case 'free':
      return ''
    case 'taken':
      return t('shortcuts.taken', { keys: shown, does: t(says[verdict.by]) })
    case 'refused':
      return t(verdict.because, { keys: shown, mod: keysRead('Mod', isMac()) })
    default:
      return verdict satisfies never
  }
}

/** The button replaces the field, and takes its focus. */
function useFocusBack(button: RefObject<HTMLElement | null>, open: boolean) {
  const wasOpen = useRef(open)
  useLayoutEffect(() => {
    const lost = document.activeElement === document.body
    if (wasOpen.current && !open && lost) button.current?.focus()
    wasOpen.current = open
  }, [button, open])
}
