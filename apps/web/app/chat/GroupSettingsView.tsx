import { useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { graphemeCount } from '../people/graphemes.ts'
import { Field } from '../ui/Field.tsx'
import { ReasonedButton } from '../ui/ReasonedButton.tsx'
import { Chosen } from './Chosen.tsx'
import { FirstMessage } from './FirstMessage.tsx'
import { groupNameError, LONGEST_GROUP_NAME, selectionError } from './start-chat.ts'
import { useChat } from './use-chat.ts'
import type { FirstMessageFields } from './use-start-chat.ts'

/** From this length on, the field shows a character count. */
const COUNT_FROM = 200

/** The group's name and first message [NEW-5]. */
export function GroupSettingsView({ name, onName, first, firstError, onFirst, busy, onCreate }: GroupSettingsProps) {
  const t = useTranslate()
  const { state } = useChat()
  const [left, setLeft] = useState(false)
  const nameError = groupNameError(name)
  const error = nameError ?? selectionError(state.selectedUsers.length)
  const length = graphemeCount(name.trim())
  return (
    <>
      <p className="step muted">{t('newChat.step', { step: 2, steps: 2 })}</p>
      <div className="form picker">
        <Field
          label={t('newChat.groupName')}
          value={name}
          required
          onChange={(event) => onName(event.target.value)}
          onBlur={() => setLeft(true)}
          autoComplete="off"
          hint={
            length >= COUNT_FROM ? t('newChat.groupName.count', { count: length, max: LONGEST_GROUP_NAME }) : undefined
          }
          error={
            nameError && (left || nameError.reason === 'group.nameTooLong') ? t(nameError.reason, nameError) : undefined
          }
          autoFocus
        />
        <Chosen />
        <FirstMessage first={first} error={firstError} onChange={onFirst} />
      </div>
      <div className="dialog-foot">
        <ReasonedButton reason={error && t(error.reason, error)} busy={busy} onPress={onCreate}>
          {t(busy ? 'newChat.starting' : 'newChat.create')}
        </ReasonedButton>
      </div>
    </>
  )
}

interface GroupSettingsProps {
  name: string
  onName: (name: string) => void
  first: FirstMessageFields
  firstError?: string | undefined
  onFirst: (first: FirstMessageFields) => void
  busy: boolean
  onCreate: () => void
}
