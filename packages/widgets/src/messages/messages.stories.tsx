import type { Channel } from '@parley/client'
import { type ComponentProps, useEffect } from 'react'
import { useMessages } from '../chat/use-channel-state.ts'
import { farTooMuch, longWord, trickyText } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import { Led } from '../component-gallery/Led.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { MessageList } from '../message-list/MessageList.tsx'
import { usePreferences } from '../preferences/use-preferences.ts'
import type { RootProps } from '../root-props.ts'
import { Message } from './Message.tsx'
import { MessageText } from './MessageText.tsx'
import './swipe.css'

interface OneProps {
  channel: Channel
  id: string
  root: RootProps<HTMLDivElement>
}

function One({ channel, id, root }: OneProps) {
  const message = channel.snapshot().messages.find((message) => message.id === id)
  if (!message) return null
  const own = message.user.id === channel.getClient().userID
  return <Message {...root} channel={channel} message={message} group="only" own={own} rowId="row" />
}

export const message: Stories = {
  component: 'Message',
  empty: (root) => <InChat>{(channel) => <One channel={channel} id="racks-12" root={root} />}</InChat>,
  typical: (root) => <InChat>{(channel) => <One channel={channel} id="racks-11" root={root} />}</InChat>,
  tooMuch: (root) => (
    <InChat conversations={farTooMuch}>{(channel) => <One channel={channel} id="much-56" root={root} />}</InChat>
  ),
  error: (root) => (
    <InChat
      before={(server) => server.refusals.set('POST /message', { status: 403, code: 17 })}
      then={(server) => void server.client.channel('messaging', 'racks').send({ text: 'This will not arrive' })}
    >
      {(channel) => <Failed channel={channel} root={root} />}
    </InChat>
  ),
}

function Failed({ channel, root }: Omit<OneProps, 'id'>) {
  const last = useMessages(channel).at(-1)
  return last?.status === 'failed' ? (
    <Message {...root} channel={channel} message={last} group="only" own rowId="row" />
  ) : null
}

const everything = `Hello **Ada**, have you seen *this*? ~~No~~

- one
- two with \`code\`

> quoted

\`\`\`ts
const answer = 42
\`\`\`

https://example.com/racks`

export const messageText: Stories = {
  component: 'MessageText',
  empty: (root) => <InChat>{() => <MessageText {...root} text="" />}</InChat>,
  typical: (root) => (
    <InChat>{() => <MessageText {...root} text={everything} mentioned={[{ id: 'ada', name: 'Ada' }]} />}</InChat>
  ),
  tooMuch: (root) => (
    <InChat>{() => <MessageText {...root} text={`${longWord}\n\n${trickyText}\n\n${'word '.repeat(2_000)}`} />}</InChat>
  ),
  error: (root) => (
    <InChat>{() => <MessageText {...root} text={'**never closed, [nowhere](javascript:alert(1)) ```'} />}</InChat>
  ),
}

/** The distance of a swipe that replies. */
const drawn =
  (far: number, state: 'begun' | 'answers') =>
  (bubble: HTMLElement): void => {
    const isRtl = getComputedStyle(bubble).direction === 'rtl'
    bubble.style.translate = `${isRtl ? -far : far}px`
    bubble.dataset.swipe = state
  }

/** A message that is being swiped. */
function Swiped({ root, steps }: Pick<ComponentProps<typeof Led>, 'steps'> & Pick<OneProps, 'root'>) {
  return (
    <Led steps={steps}>
      <InChat>
        {(channel) => (
          <div style={{ overflow: 'clip' }}>
            <One channel={channel} id="racks-11" root={root} />
          </div>
        )}
      </InChat>
    </Led>
  )
}

export const swipedMessage: Stories = {
  component: 'SwipedMessage',
  empty: (root) => <Swiped root={root} steps={[['.chat-bubble', drawn(24, 'begun')]]} />,
  typical: (root) => <Swiped root={root} steps={[['.chat-bubble', drawn(56, 'answers')]]} />,
  tooMuch: 'A message goes no farther, however far the finger does.',
  error: 'Where one may not answer, no message follows a finger.',
}

/** For a reader who prefers it so. */
function Flat({ channel }: { channel: Channel }) {
  const [, preferences] = usePreferences()
  useEffect(() => {
    preferences.set({ messages: 'flat' })
    return () => preferences.set({ messages: 'bubbles' })
  }, [preferences])
  return <MessageList channel={channel} />
}

export const flatMessages: Stories = {
  component: 'FlatMessages',
  room: 'pane',
  empty: (root) => (
    <InChat open="empty" root={root}>
      {(channel) => <Flat channel={channel} />}
    </InChat>
  ),
  typical: (root) => <InChat root={root}>{(channel) => <Flat channel={channel} />}</InChat>,
  tooMuch: (root) => (
    <InChat conversations={farTooMuch} root={root}>
      {(channel) => <Flat channel={channel} />}
    </InChat>
  ),
  error: 'What goes wrong looks as it does among bubbles.',
}
