import type { Channel } from '@parley/client'
import { useState } from 'react'
import { farTooMuch } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import SearchPaneHere from './SearchPane.tsx'

function Searching({ channel, words }: { channel: Channel; words: string }) {
  const [place, setPlace] = useState({ text: words, everywhere: true })
  return (
    <SearchPaneHere
      channel={channel}
      place={place}
      onPlace={setPlace}
      canLeave
      onSelect={() => {}}
      onClose={() => {}}
    />
  )
}

export const searchPane: Stories = {
  component: 'SearchPane',
  room: 'column',
  empty: () => <InChat>{(channel) => <Searching channel={channel} words="" />}</InChat>,
  typical: () => <InChat>{(channel) => <Searching channel={channel} words="row" />}</InChat>,
  tooMuch: () => (
    <InChat conversations={farTooMuch}>{(channel) => <Searching channel={channel} words="word" />}</InChat>
  ),
  error: () => (
    <InChat before={(server) => server.refusals.set('GET /search', { status: 500, code: -1 })}>
      {(channel) => <Searching channel={channel} words="row" />}
    </InChat>
  ),
}
