import type { Channel } from '@parley/client'
import { useMessages } from '../chat/use-channel-state.ts'
import type { RootProps } from '../root-props.ts'
import { farTooMuch, longWord, trickyText } from '../workshop/far-too-much.ts'
import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'
import { Message } from './Message.tsx'
import { MessageText } from './MessageText.tsx'

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
