import { ChannelList } from '../channel-list/ChannelList.tsx'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { ada } from '../testing/a-working-day.ts'
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

/** A user with do not disturb on until then. */
const doNotDisturbAda = { ...ada, push_preferences: { disabled_until: '2199-01-01T07:00:00Z' } }

export const quietHours: Stories = {
  component: 'DoNotDisturb',
  room: 'column',
  empty: 'Nothing is shown where nothing is put off.',
  typical: () => (
    <InChat me={doNotDisturbAda}>{() => <ChannelList activeCid="messaging:racks" onSelect={() => {}} />}</InChat>
  ),
  tooMuch: () => <InChat me={doNotDisturbAda}>{() => <PreferencesDialog onClose={() => {}} />}</InChat>,
  error: 'What cannot be saved is said when it happens.',
}
