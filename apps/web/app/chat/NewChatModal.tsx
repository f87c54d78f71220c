import { useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { useLeaveAddress } from '../members/use-member-search.ts'
import '../styles/new-chat.css'
import { Dialog } from '../ui/Dialog.tsx'
import { noticeDone } from '../ui/notices.tsx'
import type { NewChatView } from './chat-state.ts'
import { DirectView } from './DirectView.tsx'
import { GroupSettingsView } from './GroupSettingsView.tsx'
import { GroupView } from './GroupView.tsx'
import { useChat } from './use-chat.ts'
import { type FirstMessageFields, type StartOutcome, useStartChat } from './use-start-chat.ts'

/** Starts a chat: pick one person, or several and then the group's settings [NEW-1, NEW-2]. */
export function NewChatModal() {
  const t = useTranslate()
  const { state, dispatch } = useChat()
  const [asking, setAsking] = useState(false)
  const [written, setWritten] = useState(nothingWritten)
  const leaveAddress = useLeaveAddress()
  const open = state.newChatModalOpen

  const close = () => {
    setAsking(false)
    dispatch({ type: 'NewChatModalCloseClicked' })
    leaveAddress()
  }
  const discard = () => {
    setWritten(nothingWritten)
    close()
  }
  const title = {
    direct: t('newChat.title'),
    group: t('newChat.title.group'),
    groupSettings: t('newChat.title.groupSettings'),
  }[state.newChatView]
  const previous: Partial<Record<NewChatView, NewChatView>> = { group: 'direct', groupSettings: 'group' }
  const back = previous[state.newChatView]

  return (
    <>
      <Dialog
        title={title}
        size="large"
        open={open}
        onClose={() => (state.selectedUsers.length > 0 ? setAsking(true) : close())}
        start={back && { icon: 'left', label: t('newChat.back'), onClick: () => switchTo(back) }}
      >
        <Views onSwitch={switchTo} written={written} onWrite={setWritten} />
      </Dialog>
      <Dialog title={t('newChat.discard')} open={asking} onClose={() => setAsking(false)} role="alertdialog">
        <p>{t('newChat.discard.body')}</p>
        <div className="dialog-foot">
          <button type="button" className="button" onClick={() => setAsking(false)}>
            {t('newChat.discard.no')}
          </button>
          <button type="button" className="button" data-kind="danger" onClick={discard}>
            {t('newChat.discard.yes')}
          </button>
        </div>
      </Dialog>
    </>
  )

  /** Returning to the first view clears the selection [NEW-10]; a notice offers to restore it. */
  function switchTo(view: NewChatView) {
    const users = state.selectedUsers
    dispatch({ type: 'NewChatViewSwitched', view })
    if (view !== 'direct' || users.length === 0) return
    noticeDone(t('newChat.cleared'), {
      label: t('newChat.undo'),
      onClick: () => dispatch({ type: 'SelectionRestored', users }),
    })
  }
}

/** The input: it survives a change of views and a failure, and is reset when the wizard is opened again. */
interface Written {
  groupName: string
  first: FirstMessageFields
}

const nothingWritten: Written = { groupName: '', first: {} }

function Views({ onSwitch, written, onWrite }: ViewsProps) {
  const { state } = useChat()
  const startChat = useStartChat()
  const { groupName, first } = written
  const [firstError, setFirstError] = useState<string>()
  const onFirst = (first: FirstMessageFields) => {
    setFirstError(undefined)
    onWrite({ ...written, first })
  }
  const start = async (starting: () => Promise<StartOutcome>) => {
    setFirstError(undefined)
    const { done, firstMessageError } = await starting()
    if (done) onWrite(nothingWritten)
    else setFirstError(firstMessageError)
  }

  switch (state.newChatView) {
    case 'direct':
      return (
        <DirectView
          first={first}
          firstError={firstError}
          onFirst={onFirst}
          busy={startChat.busy}
          onStart={(user) => start(() => startChat.direct(user, first))}
          onGroup={() => onSwitch('group')}
        />
      )
    case 'group':
      return <GroupView onNext={() => onSwitch('groupSettings')} />
    case 'groupSettings':
      return (
        <GroupSettingsView
          name={groupName}
          onName={(groupName) => onWrite({ ...written, groupName })}
          first={first}
          firstError={firstError}
          onFirst={onFirst}
          busy={!!startChat.busy}
          onCreate={() => start(() => startChat.group(groupName, state.selectedUsers, first))}
        />
      )
    default:
      return state.newChatView satisfies never
  }
}

interface ViewsProps {
  onSwitch: (view: NewChatView) => void
  written: Written
  onWrite: (written: Written) => void
}
