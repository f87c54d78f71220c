import { useLayoutEffect, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { isRightToLeft } from '../roving.ts'
import { Keys } from './Keys.tsx'
import { keysRead } from './keys-shown.ts'
import { withKeys } from './record-keys.ts'
import { ShortcutRow } from './ShortcutRow.tsx'
import { fixedGroups, groups, says } from './shortcut-list.ts'
import { isMac, keysOf, type Shortcut, type ShortcutsSet } from './shortcuts.ts'
import './shortcuts.css'

const names = Object.keys(says) as Shortcut[]

/**
 * All shortcuts. Each can be changed, turned off and reset; that applies at once.
 *
 * Style hooks: `.chat-shortcut` with `[data-open]` while its keys are being set.
 */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslate()
  const announce = useAnnounce()
  const [preferred, preferences] = usePreferences()
  const [open, setOpen] = useState<Shortcut>()
  /** the setting before the last change */
  const [before, setBefore] = useState<ShortcutsSet['keys']>()

  const change = (keys: ShortcutsSet['keys'], said: string) => {
    setBefore(preferred.keys)
    setOpen(undefined)
    preferences.set({ keys })
    announce('notice', { text: said })
  }
  const set = (name: Shortcut, wanted: string) => {
    const keys = withKeys(preferred.keys, name, wanted, isMac())
    const changed = names.filter((one) => keys[one] !== preferred.keys[one])
    const said = changed.map((one) => {
      const shown = keysRead(keysOf(one, { shortcuts: true, keys }), isMac()) || t('shortcuts.off')
      return t('shortcuts.now', { does: t(says[one]), keys: shown })
    })
    change(keys, said.join('. '))
  }

  return (
    <ChatDialog title={t('shortcuts.title')} onClose={onClose}>
      {preferred.shortcuts ? (
        <p className="chat-dialog-text">{t('shortcuts.hint')}</p>
      ) : (
        <button type="button" className="chat-button" onClick={() => preferences.set({ shortcuts: true })}>
          {t('preferences.shortcuts')}
        </button>
      )}
      {Object.values(groups).map(({ title, shortcuts }) => (
        <section key={title}>
          <h3 className="chat-shortcuts-title">{t(title)}</h3>
          <ul className="chat-shortcuts">
            {shortcuts.map((name) => (
              <ShortcutRow
                key={name}
                name={name}
                preferred={preferred}
                open={open === name}
                onOpen={() => setOpen(name)}
                onClose={() => setOpen(undefined)}
                onSet={(keys) => set(name, keys)}
              />
            ))}
          </ul>
        </section>
      ))}
      <FixedKeys enterSends={preferred.enterSends} />
      <div className="chat-dialog-buttons">
        {before && (
          <button type="button" className="chat-button" onClick={() => change(before, t('shortcuts.undone'))}>
            {t('undo')}
          </button>
        )}
        <button type="button" className="chat-button" onClick={() => change({}, t('shortcuts.allReset'))}>
          {t('shortcuts.resetAll')}
        </button>
        <button type="button" className="chat-button" data-kind="primary" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </ChatDialog>
  )
}

/** Keys that cannot be changed; some are mirrored in right-to-left languages. */
function FixedKeys({ enterSends }: { enterSends: boolean }) {
  const t = useTranslate()
  const section = useRef<HTMLElement>(null)
  const [rightToLeft, setRightToLeft] = useState(false)
  useLayoutEffect(() => setRightToLeft(isRightToLeft(section.current!)), [])
  return (
    <section ref={section} className="chat-shortcuts-fixed">
      <h3>{t('shortcuts.fixed')}</h3>
      {fixedGroups({ enterSends, rightToLeft }).map(({ title, keys }) => (
        <section key={title}>
          <h4 className="chat-shortcuts-title">{t(title)}</h4>
          <ul className="chat-shortcuts">
            {keys.map(({ keys, says }) => (
              <li key={says} className="chat-shortcut">
                <span className="chat-shortcut-does">{t(says)}</span>
                <Keys keys={keys} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
