import { useState } from 'react'
import { trickyText } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import type { Elements } from '../elements.ts'
import { MessageList } from '../message-list/MessageList.tsx'
import { ada, bo } from '../testing/a-working-day.ts'
import type { Conversation } from '../testing/fake-server.ts'
import { showTranslation } from './translated.ts'

/** A message that was translated into every language of the gallery. */
const translated = (said: string): Conversation[] => {
  const languages = ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'tr']
  const i18n = { language: 'la', ...Object.fromEntries(languages.map((code) => [`${code}_text`, said])) }
  const message = { id: 'salve', user: bo, text: 'Salve', i18n, created_at: new Date().toISOString() }
  return [{ id: 'racks', members: [ada, bo], messages: [message] }]
}

function Shown({ children }: { children: Elements }) {
  useState(() => showTranslation('salve', true))
  return children
}

export const translatedText: Stories = {
  component: 'TranslatedText',
  room: 'pane',
  empty: 'A message without words is not translated.',
  typical: (root) => (
    <InChat conversations={() => translated('Hello')}>
      {(channel) => (
        <Shown>
          <MessageList {...root} channel={channel} />
        </Shown>
      )}
    </InChat>
  ),
  tooMuch: (root) => (
    <InChat conversations={() => translated(trickyText.repeat(20))}>
      {(channel) => (
        <Shown>
          <MessageList {...root} channel={channel} />
        </Shown>
      )}
    </InChat>
  ),
  error: 'Without a translation the message stays as it was written, and a notice says so.',
}
