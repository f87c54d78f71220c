import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
import { PreferencesButton } from './PreferencesButton.tsx'
import PreferencesDialog from './PreferencesDialog.tsx'

export const preferencesButton: Stories = {
  component: 'PreferencesButton',
  empty: (root) => <InChat>{() => <PreferencesButton {...root} />}</InChat>,
  typical: (root) => <InChat>{() => <PreferencesButton {...root} />}</InChat>,
  tooMuch: 'It is one button.',
  error: 'What cannot be saved is said when it happens.',
}

export const preferencesDialog: Stories = {
  component: 'PreferencesDialog',
  room: 'pane',
  empty: () => <InChat>{() => <PreferencesDialog onClose={() => {}} />}</InChat>,
  typical: () => <InChat>{() => <PreferencesDialog onClose={() => {}} />}</InChat>,
  tooMuch: 'There are as many as there are.',
  error: 'What cannot be saved is said when it happens.',
}
