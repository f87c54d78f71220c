import { useTranslate } from '../i18n/translate.tsx'
import { Avatar } from '../people/Avatar.tsx'
import { fullName } from '../people/person.ts'
import { Icon } from '../ui/Icon.tsx'
import { selectionKey } from './chat-state.ts'
import { useChat } from './use-chat.ts'

/** The selected people as chips; pressing a chip deselects the person. */
export function Chosen() {
  const t = useTranslate()
  const { state, dispatch } = useChat()
  return (
    <div className="chosen">
      <p className="chosen-count muted" aria-live="polite">
        {t('newChat.selected', { count: state.selectedUsers.length })}
      </p>
      {state.selectedUsers.length > 0 && (
        <ul className="chips">
          {state.selectedUsers.map((person) => (
            <li key={selectionKey(person)}>
              <button
                type="button"
                className="chip"
                aria-label={t('newChat.removeName', { name: `${fullName(person)}, ${person.organization}` })}
                onClick={() => dispatch({ type: 'UserToggled', user: person })}
              >
                <Avatar id={person.userId} {...person} image={person.imageUrl} size={22} />
                <bdi>{fullName(person)}</bdi>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
