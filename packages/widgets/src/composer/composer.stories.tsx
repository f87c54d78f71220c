import { farTooMuch, longWord } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import { Led } from '../component-gallery/Led.tsx'
import type { Stories } from '../component-gallery/stories.ts'
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

const toFormats = [['.chat-format-button'], ['.chat-format [aria-pressed]']] as const

export const formatTools: Stories = {
  component: 'FormatTools',
  room: 'card',
  empty: 'They come with the first letter.',
  typical: (root) => (
    <Led steps={toFormats}>
      <InChat>
        {(channel) => {
          channel.composer.setText('Shall we say **two**? ~~Noon~~ is too early:\n\n- the room is taken\n- `cron` runs')
          return <Composer {...root} channel={channel} />
        }}
      </InChat>
    </Led>
  ),
  tooMuch: (root) => (
    <Led steps={toFormats}>
      <InChat>
        {(channel) => {
          channel.composer.setText(`**${longWord}**\n\n${'- and another line\n'.repeat(40)}`)
          return <Composer {...root} channel={channel} />
        }}
      </InChat>
    </Led>
  ),
  error: 'What is not a mark stands as it was written.',
}
