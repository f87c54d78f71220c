import { type ReactNode, useContext, useEffect } from 'react'
import { ChannelList } from '../channel-list/ChannelList.tsx'
import { InChat, LightContext } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { addTexts, type Texts } from './add-texts.ts'

const shop: Texts = {
  'channels.label': 'Orders',
  'channels.empty': 'No orders yet',
  'channels.new': 'Ask about an order',
}
const swedish: Texts = {
  'channels.label': 'Samtal',
  'channels.empty': 'Inga samtal ännu',
  'channels.new': 'Ny chatt',
  'channels.unread': '{count, plural, one {# oläst meddelande} other {# olästa meddelanden}}',
}

/** The texts apply while the example is shown. */
function Saying({ language, texts, children }: { language: string; texts: Texts; children: ReactNode }) {
  const light = useContext(LightContext)
  useEffect(() => addTexts(language, texts), [language, texts])
  return <LightContext value={{ ...light, language }}>{children}</LightContext>
}

const list = () => <ChannelList activeCid="messaging:racks" onSelect={() => {}} onNewChat={() => {}} />

export const addedTexts: Stories = {
  component: 'AddedTexts',
  room: 'column',
  empty: () => (
    <Saying language="en" texts={shop}>
      <InChat conversations={() => []}>{list}</InChat>
    </Saying>
  ),
  typical: () => (
    <Saying language="sv" texts={swedish}>
      <InChat>{list}</InChat>
    </Saying>
  ),
  tooMuch: 'A text has the room of the one it stands for.',
  error: 'A text that is wrong is left out, and the kit’s own stands in its place.',
}
