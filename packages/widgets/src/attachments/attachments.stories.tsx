/// <reference types="vite/client" />
import type { Channel } from '@parley/client'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useMessages } from '../chat/use-channel-state.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import lake from '../component-gallery/lake.svg?no-inline'
import type { Stories } from '../component-gallery/stories.ts'
import { Preferences } from '../preferences/preferences.ts'
import { PreferencesContext } from '../preferences/use-preferences.ts'
import type { RootProps } from '../root-props.ts'
import { ada, aWorkingDay, bo } from '../testing/a-working-day.ts'
import { AttachmentList } from './AttachmentList.tsx'
import MiniPlayer from './MiniPlayer.tsx'
import { soundOf, usePlayer } from './player.ts'

const picture = () => ({
  type: 'image',
  image_url: new URL(lake, location.href).href,
  fallback: 'The lake in the evening',
  original_width: 1_200,
  original_height: 800,
})
const file = (title: string) => ({
  type: 'file',
  title,
  asset_url: 'https://files.example.com/one',
  file_size: 1_572_864,
})
const voice = {
  type: 'voiceRecording',
  asset_url: 'https://files.example.com/voice',
  duration: 12,
  waveform_data: Array.from({ length: 100 }, (_, i) => Math.abs(Math.sin(i / 7) * Math.cos(i / 3))),
}

interface LastProps {
  channel: Channel
  root: RootProps<HTMLDivElement>
}

function Last({ channel, root }: LastProps) {
  const message = useMessages(channel).at(-1)
  return message ? <AttachmentList {...root} channel={channel} message={message} entered /> : null
}

/** Ada’s newest message has these. */
const carrying =
  (attachments: () => object[], Shown = Last) =>
  (root: RootProps<HTMLDivElement>) => {
    const conversations = () =>
      aWorkingDay().map((conversation) => {
        const newest = { id: 'carrying', user: ada, text: '', created_at: new Date().toISOString() }
        const message = { ...newest, attachments: attachments() }
        return { ...conversation, messages: conversation.id === 'racks' ? [message] : conversation.messages }
      })
    return <InChat conversations={conversations}>{(channel) => <Shown channel={channel} root={root} />}</InChat>
  }

export const attachmentList: Stories = {
  component: 'AttachmentList',
  room: 'card',
  empty: carrying(() => []),
  typical: carrying(() => [picture(), file('Quarterly figures.pdf'), voice]),
  tooMuch: carrying(() => [
    ...Array.from({ length: 10 }, picture),
    file(`${'w'.repeat(10_000)}.pdf`),
    file('\u202Egpj.exe'),
    ...Array.from({ length: 18 }, (_, i) => file(`${i}.txt`)),
  ]),
  error: carrying(() => [
    // A page has no picture.
    { ...picture(), image_url: location.href },
    { type: 'image', image_url: 'javascript:alert(1)', fallback: 'Not a picture' },
    { type: 'file', title: 'No address at all.txt' },
  ]),
}

/** No picture is loaded before the user asks for it. */
function Asking({ channel, root }: LastProps) {
  const [preferences] = useState(() => new Preferences(undefined, undefined))
  useLayoutEffect(() => preferences.set({ pictures: 'asked' }), [preferences])
  return (
    <PreferencesContext value={preferences}>
      <Last channel={channel} root={root} />
    </PreferencesContext>
  )
}

export const askedPicture: Stories = {
  component: 'AskedPicture',
  room: 'card',
  empty: 'Without pictures nobody asks for any.',
  typical: carrying(() => [{ ...picture(), file_size: 1_572_864 }], Asking),
  tooMuch: carrying(
    () =>
      Array.from({ length: 10 }, () => ({ ...picture(), fallback: `${'w'.repeat(500)}.png`, file_size: 1_572_864 })),
    Asking,
  ),
  error: 'A picture that does not come is one of the gallery.',
}

/** A voice message of the newest message, in a channel that is not open. */
function Away({ channel }: { channel: Channel }) {
  const player = usePlayer()
  const message = useMessages(channel).at(-1)
  useEffect(() => {
    if (message) player.sound.set(soundOf(voice, { channel, message }, () => false))
  }, [player, channel, message])
  return <MiniPlayer player={player} onChannel={() => {}} />
}

const saidBy = (user: typeof bo) => () => {
  const newest = { id: 'said', user, text: '', created_at: new Date().toISOString(), attachments: [voice] }
  const conversations = () => aWorkingDay().map((one) => (one.id === 'racks' ? { ...one, messages: [newest] } : one))
  return <InChat conversations={conversations}>{(channel) => <Away channel={channel} />}</InChat>
}

export const miniPlayer: Stories = {
  component: 'MiniPlayer',
  room: 'column',
  empty: 'It is there while something is heard.',
  typical: saidBy(bo),
  tooMuch: saidBy({ ...bo, name: 'w'.repeat(10_000) }),
  error: 'What cannot be played is said when it happens.',
}
