import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
import ShortcutsDialog from './ShortcutsDialog.tsx'

export const shortcutsDialog: Stories = {
  component: 'ShortcutsDialog',
  room: 'pane',
  empty: () => <InChat>{() => <ShortcutsDialog onClose={() => {}} />}</InChat>,
  typical: () => <InChat>{() => <ShortcutsDialog onClose={() => {}} />}</InChat>,
  tooMuch: 'There are as many as there are.',
  error: 'Nothing is asked for, so nothing can fail.',
}
