import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { keysShown, ownKeys, says } from './shortcut-list.ts'
import { isMac, type Shortcut, shortcuts } from './shortcuts.ts'

interface Listed {
  keys: string
  says: TextKey
}

const everywhere = (Object.keys(shortcuts) as Shortcut[]).map((name) => ({ keys: shortcuts[name], says: says[name] }))
const groups: { title: TextKey; listed: readonly Listed[] }[] = [
  { title: 'shortcuts.anywhere', listed: [...everywhere, ...ownKeys.anywhere] },
  { title: 'shortcuts.messages', listed: ownKeys.messages },
  { title: 'shortcuts.writing', listed: ownKeys.writing },
]

/** All that can be done by keys. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslate()
  return (
    <ChatDialog title={t('shortcuts.title')} onClose={onClose}>
      {groups.map(({ title, listed }) => (
        <section key={title}>
          <h3 className="chat-shortcuts-title">{t(title)}</h3>
          <dl className="chat-shortcuts">
            {listed.map(({ keys, says }) => (
              <div key={keys} style={{ display: 'contents' }}>
                <dt>{t(says)}</dt>
                <dd>
                  <Keys keys={keys} />
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
