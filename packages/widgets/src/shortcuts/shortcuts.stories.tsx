import { useEffect, useRef } from 'react'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { ShortcutRow } from './ShortcutRow.tsx'
import ShortcutsDialog from './ShortcutsDialog.tsx'
import type { Shortcut, ShortcutsSet } from './shortcuts.ts'

export const shortcutsDialog: Stories = {
  component: 'ShortcutsDialog',
  room: 'pane',
  empty: () => <InChat>{() => <ShortcutsDialog onClose={() => {}} />}</InChat>,
  typical: () => <InChat>{() => <ShortcutsDialog onClose={() => {}} />}</InChat>,
  tooMuch: 'There are as many as there are.',
  error: 'Nothing is asked for, so nothing can fail.',
}

export const shortcutRow: Stories = {
  component: 'ShortcutRow',
  room: 'card',
  empty: () => <InChat>{() => <Row name="find" keys={{ find: '' }} />}</InChat>,
  typical: () => <InChat>{() => <Row name="find" open />}</InChat>,
  tooMuch: () => (
    <InChat>{() => <Row name="previousUnread" keys={{ previousUnread: 'Mod+Shift+J' }} open press="x" />}</InChat>
  ),
  error: () => <InChat>{() => <Row name="find" keys={{ find: 'Mod+J' }} open press="f" />}</InChat>,
}

interface RowProps {
  name: Shortcut
  keys?: ShortcutsSet['keys']
  open?: boolean
  /** the key pressed in its field, with Ctrl */
  press?: string
}

function Row({ name, keys = {}, open = false, press }: RowProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const field = list.current?.querySelector('input')
    if (press) field?.dispatchEvent(new KeyboardEvent('keydown', { key: press, ctrlKey: true, bubbles: true }))
  }, [press])
  const nothing = () => {}
  return (
    <ul ref={list} className="chat-shortcuts">
      <ShortcutRow
        name={name}
        preferred={{ shortcuts: true, keys }}
        open={open}
        onOpen={nothing}
        onClose={nothing}
        onSet={nothing}
      />
    </ul>
  )
}
