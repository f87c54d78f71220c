import { aWorkingDay } from '../testing/a-working-day.ts'
import { memberCapabilities } from '../testing/pretend-server.ts'
import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
import { PollButton } from './PollButton.tsx'

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
