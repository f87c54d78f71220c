import { longName } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import { Led, type Step, write } from '../component-gallery/Led.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { aWorkingDay } from '../testing/a-working-day.ts'
import { memberCapabilities } from '../testing/fake-server.ts'
import { PollButton } from './PollButton.tsx'
import PollComposer from './PollComposer.tsx'

const withPolls = () =>
  aWorkingDay().map((conversation) => ({ ...conversation, capabilities: [...memberCapabilities, 'send-poll'] }))

export const pollButton: Stories = {
  component: 'PollButton',
  empty: (root) => <InChat>{(channel) => <PollButton {...root} channel={channel} />}</InChat>,
  typical: (root) => (
    <InChat conversations={withPolls}>{(channel) => <PollButton {...root} channel={channel} />}</InChat>
  ),
  tooMuch: 'It is one button, whatever the conversation.',
  error: 'A poll that cannot be sent says so in its dialog.',
}

/** A question and options, typed one after the other: filling a field adds the next one. */
const writing = (...options: string[]): Step[] => [
  ['.chat-dialog .chat-input', write('Where do we meet?')],
  ...options.map((text, place): Step => [`[data-option="${place}"]`, write(text)]),
]

export const pollComposer: Stories = {
  component: 'PollComposer',
  room: 'pane',
  empty: () => <InChat>{(channel) => <PollComposer channel={channel} onClose={() => {}} />}</InChat>,
  typical: () => (
    <Led steps={writing('By the old crane', 'In the canteen', 'Nowhere')}>
      <InChat>{(channel) => <PollComposer channel={channel} onClose={() => {}} />}</InChat>
    </Led>
  ),
  tooMuch: () => (
    <Led steps={writing(...Array.from({ length: 12 }, (_, place) => `${longName} ${place}`))}>
      <InChat>{(channel) => <PollComposer channel={channel} onClose={() => {}} />}</InChat>
    </Led>
  ),
  error: () => (
    <Led steps={writing('By the old crane', 'by the old crane ')}>
      <InChat>{(channel) => <PollComposer channel={channel} onClose={() => {}} />}</InChat>
    </Led>
  ),
}
