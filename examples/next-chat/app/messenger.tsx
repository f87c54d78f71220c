'use client'

import { ChatClient } from '@parley/client'
import { ChannelList, ChannelPane, Chat } from '@parley/widgets'
import { useEffect, useState } from 'react'

interface MessengerProps {
  url: string
  apiKey: string
  language: string
}

/** The server renders skeletons of it; the browser connects, and fills them. */
export function Messenger({ url, apiKey, language }: MessengerProps) {
  const [client] = useState(() => new ChatClient(apiKey, { baseURL: url }))
  const [cid, setCid] = useState<string>()
  useEffect(() => {
    const token = () => fetch('/token').then((answer) => answer.text())
    client.connectUser({ id: 'ada', name: 'Ada' }, token).catch(console.error)
    return () => {
      client.disconnectUser().catch(console.error)
    }
  }, [client])
  return (
    <Chat client={client} language={language}>
      <div style={{ display: 'grid', gridTemplateColumns: '20rem 1fr', blockSize: '100dvh' }}>
        <ChannelList activeCid={cid} onSelect={(channel) => setCid(channel.cid)} />
        {cid && <ChannelPane cid={cid} />}
      </div>
    </Chat>
  )
}
