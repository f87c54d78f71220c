import { type Channel, ChatClient, type LocalMessage } from '@parley/client'
import { type FormEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'

const me = new URLSearchParams(location.search).get('me') ?? 'ada'

createRoot(document.getElementById('chat')!).render(<Chat />)

/** Connects, and shows the user's conversations. */
function Chat() {
  const [channels, setChannels] = useState<Channel[]>([])
  const [open, setOpen] = useState<Channel>()
  useEffect(() => {
    let client: ChatClient | undefined
    let isLeft = false
    async function begin() {
      const { key, baseURL } = await (await fetch('/settings')).json()
      if (isLeft) return
      client = new ChatClient(key, { baseURL })
      await client.connectUser({ id: me }, async () => (await fetch(`/token?user=${me}`)).text())
      setChannels(await client.queryChannels({ members: { $in: [me] } }, { last_message_at: -1 }))
    }
    void begin()
    return () => {
      isLeft = true
      void client?.disconnectUser()
    }
  }, [])

  return (
    <>
      <nav aria-label="Conversations">
        {channels.map((channel) => (
          <Row key={channel.cid} channel={channel} onOpen={() => setOpen(channel)} />
        ))}
      </nav>
      {open && <Conversation key={open.cid} channel={open} />}
    </>
  )
}

function Row({ channel, onOpen }: { channel: Channel; onOpen: () => void }) {
  const { data, unreadCount } = useSyncExternalStore(channel.subscribe, channel.snapshot)
  return (
    <button type="button" onClick={onOpen}>
      <span>{data.name ?? channel.cid}</span> {unreadCount > 0 && <b>{unreadCount}</b>}
    </button>
  )
}

function Conversation({ channel }: { channel: Channel }) {
  const { messages, unreadCount } = useSyncExternalStore(channel.subscribe, channel.snapshot)
  const typists = useSyncExternalStore(channel.typists.subscribe, channel.typists.snapshot)
  const { text } = useSyncExternalStore(channel.composer.subscribe, channel.composer.snapshot)
  useEffect(() => {
    if (unreadCount > 0) channel.markRead()
  }, [channel, unreadCount])

  const send = (event: FormEvent) => {
    event.preventDefault()
    void channel.composer.send()
  }
  return (
    <section aria-label={String(channel.data.name ?? channel.cid)}>
      <ol>
        {messages.map((message) => (
          <Message key={message.id} message={message} onRetry={() => channel.retry(message.id)} />
        ))}
      </ol>
      <p role="status">{typists.map(({ name, id }) => `${name || id} is typing`).join(', ')}</p>
      <form onSubmit={send}>
        <input
          aria-label="Message"
          value={text}
          onChange={({ target }) => channel.composer.setText(target.value)}
          onKeyDown={() => channel.keystroke()}
        />
        <button type="submit">Send</button>
      </form>
    </section>
  )
}

function Message({ message, onRetry }: { message: LocalMessage; onRetry: () => void }) {
  return (
    <li style={{ opacity: message.status === 'sending' ? 0.5 : 1 }}>
      <b>{message.user.name || message.user.id}</b> <span>{message.text}</span>{' '}
      {message.status === 'failed' && <button onClick={onRetry} children="Not sent. Try again" type="button" />}
    </li>
  )
}
