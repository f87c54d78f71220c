import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { keysShown } from './keys-shown.ts'
import { groups, says } from './shortcut-list.ts'
import { isMac, keysOf } from './shortcuts.ts'

/** All that can be done by keys. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslate()
  const [preferred] = usePreferences()
  return (
    <ChatDialog title={t('shortcuts.title')} onClose={onClose}>
      {Object.values(groups).map(({ title, shortcuts, fixed }) => (
        <section key={title}>
          <h3 className="chat-shortcuts-title">{t(title)}</h3>
          <dl className="chat-shortcuts">
            {[...shortcuts.map((name) => ({ keys: keysOf(name, preferred), says: says[name] })), ...fixed].map((one) => (
              <div key={one.says} style={{ display: 'contents' }}>
                <dt>{t(one.says)}</dt>
                <dd>
                  <Keys keys={one.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </ChatDialog>
  )
}

function Keys({ keys }: { keys: string }) {
  const ways = keysShown(keys, isMac()).map((parts) => ({ parts, name: parts.join('+') }))
  return ways.map(({ parts, name }) => (
    <span key={name}>
      {parts.map((part) => (
        <kbd key={part} className="chat-key">
          {part}
        </kbd>
      ))}{' '}
    </span>
  ))
}
