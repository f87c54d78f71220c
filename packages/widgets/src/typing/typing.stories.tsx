import { farTooMuch, longName } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { bo, cy } from '../testing/a-working-day.ts'
import { TypingIndicator } from './TypingIndicator.tsx'

export const typingIndicator: Stories = {
  component: 'TypingIndicator',
  empty: (root) => <InChat>{(channel) => <TypingIndicator {...root} channel={channel} />}</InChat>,
  typical: (root) => (
    <InChat
      then={(server) => {
        server.types('racks', bo)
        server.types('racks', cy)
      }}
    >
      {(channel) => <TypingIndicator {...root} channel={channel} />}
    </InChat>
  ),
  tooMuch: (root) => (
    <InChat conversations={farTooMuch} then={(server) => server.types('racks', { id: 'max', name: longName })}>
      {(channel) => <TypingIndicator {...root} channel={channel} />}
    </InChat>
  ),
  error: 'Who is typing is never asked for, so nothing can fail.',
}
