import { farTooMuch } from '../workshop/far-too-much.ts'
import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
import { Composer } from './Composer.tsx'

export const composer: Stories = {
  component: 'Composer',
  empty: (root) => <InChat>{(channel) => <Composer {...root} channel={channel} />}</InChat>,
  typical: (root) => (
    <InChat>
      {(channel) => {
        channel.composer.setText('Shall we say two? **Noon** is too early.')
        return <Composer {...root} channel={channel} />
      }}
    </InChat>
  ),
  tooMuch: (root) => (
    <InChat conversations={farTooMuch}>
      {(channel) => {
        channel.composer.setText('word '.repeat(2_000))
        return <Composer {...root} channel={channel} />
      }}
    </InChat>
  ),
  error: (root) => <InChat open="news">{(channel) => <Composer {...root} channel={channel} />}</InChat>,
}
