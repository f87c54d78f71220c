import { useTranslate } from '../i18n/translate.tsx'
import type { Membership } from '../members/member-store.server.ts'
import { Avatar } from '../people/Avatar.tsx'
import { fullName } from '../people/person.ts'
import { Icon } from '../ui/Icon.tsx'
import { ReasonedButton } from '../ui/ReasonedButton.tsx'
import { Chosen } from './Chosen.tsx'
import { type SelectedPerson, selectionKey } from './chat-state.ts'
import { keyOf, MemberPicker } from './MemberPicker.tsx'
import { selectionError } from './start-chat.ts'
import { useChat } from './use-chat.ts'

/** Picks several people. The selection survives paging and searching [NEW-4]. */
export function GroupView({ onNext }: { onNext: () => void }) {
  const t = useTranslate()
  const { state, dispatch } = useChat()
  const selected = new Set(state.selectedUsers.map(selectionKey))
  const error = selectionError(state.selectedUsers.length)
  return (
    <>
      <p className="step muted">{t('newChat.step', { step: 1, steps: 2 })}</p>
      <MemberPicker
        row={(membership) => {
          const person = selectedPersonOf(membership)
          const name = fullName(person)
          const checked = selected.has(keyOf(membership))
          return (
            // biome-ignore lint/a11y/useSemanticElements: the whole row is the checkbox, with two lines of text
            <button
              type="button"
              role="checkbox"
              aria-checked={checked}
              className="row"
              onClick={() => dispatch({ type: 'UserToggled', user: person })}
            >
              <Avatar id={person.userId} {...person} image={person.imageUrl} />
              <span className="person-text">
                <bdi className="person-name">{name}</bdi>
                <span className="muted">{person.organization}</span>
              </span>
              <span className="check" aria-hidden="true">
                {checked && <Icon name="check" />}
              </span>
            </button>
          )
        }}
      >
        <Chosen />
      </MemberPicker>
      <div className="dialog-foot">
        <ReasonedButton reason={error && t(error.reason, error)} onPress={onNext}>
          {t('newChat.next')}
        </ReasonedButton>
      </div>
    </>
  )
}

function selectedPersonOf({ user, organization }: Membership): SelectedPerson {
  const { givenName, familyName, imageUrl } = user.identity
  return {
    userId: user.id,
    orgId: organization.id,
    givenName,
    familyName,
    imageUrl,
    organization: organization.displayName,
  }
}
