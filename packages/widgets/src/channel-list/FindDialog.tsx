import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { FIND_SHOWN } from '../limits.ts'
import { rove } from '../roving.ts'
import { SearchField } from '../search/SearchField.tsx'
import { isSearchable } from '../search/searchable.ts'
import Found, { CalledHit, type FoundProps, useCalled } from './Found.tsx'
import { leadsOn } from './leads-on.ts'
import './find-dialog.css'

export interface FindDialogProps extends Omit<FoundProps, 'text'> {
  /** the open channel, which is left out of the results */
  activeCid: string | undefined
  onClose: () => void
}

/**
 * Opens a conversation by a few letters of its name, if no list is in view: in a narrow window, in a panel with a
 * channel open. Before anything is typed it offers the most recent ones [interface.md 4.4].
 */
export default function FindDialog({ channels, activeCid, onSelect, onMessage, onClose }: FindDialogProps) {
  const t = useTranslate()
  const [text, setText] = useState('')
  const elsewhere = channels.filter(({ cid }) => cid !== activeCid)
  // While the dialog is open the focus cannot leave it.
  const closing =
    <Given extends unknown[]>(go: (...given: Given) => void) =>
    (...given: Given) => {
      flushSync(onClose)
      go(...given)
    }
  const select = closing(onSelect)
  return (
    <ChatDialog title={t('shortcuts.find')} onClose={onClose}>
      <div className="chat-find">
        <SearchField
          autoFocus
          label={t('channels.find')}
          text={text}
          onChange={setText}
          onKeyDown={(event) => leadsOn(event, '.chat-find')}
        />
        {isSearchable(text) ? (
          <Found text={text} channels={elsewhere} onSelect={select} onMessage={onMessage && closing(onMessage)} />
        ) : (
          <Lately text={text} channels={elsewhere} onSelect={select} />
        )}
      </div>
    </ChatDialog>
  )
}

/** The most recent conversations, or those of them whose name begins with the typed text. */
function Lately({ text, channels, onSelect }: Omit<FoundProps, 'onMessage'>) {
  const called = useCalled(channels, text.trim()).slice(0, FIND_SHOWN)
  const [focused, setFocused] = useState<string>()
  const stop = called.find(({ channel }) => channel.cid === focused) ?? called[0]
  return (
    <ul className="chat-hits" onKeyDown={(event) => rove(event, '.chat-hit', 'vertical')}>
      {called.map((one) => (
        <li key={one.channel.cid}>
          <CalledHit
            called={one}
            query={text.trim()}
            tabIndex={one === stop ? 0 : -1}
            onFocus={() => setFocused(one.channel.cid)}
            onSelect={onSelect}
          />
        </li>
      ))}
    </ul>
  )
}
