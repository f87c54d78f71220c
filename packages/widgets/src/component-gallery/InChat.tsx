import type { Channel } from '@parley/client'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { Chat } from '../chat/Chat.tsx'
import type { RootProps } from '../root-props.ts'
import { ada, aWorkingDay } from '../testing/a-working-day.ts'
import { type Conversation, FakeServer } from '../testing/fake-server.ts'
import type { Theme } from '../theme/theme.ts'

/** The options of the gallery's view. */
export interface Light {
  theme: Theme
  language: string
}
export const LightContext = createContext<Light>({ theme: 'light', language: 'en' })

export interface InChatProps {
  /** Ada's conversations; a working day by default */
  conversations?: () => Conversation[]
  /** Ada, with changed fields */
  me?: typeof ada
  /** the open conversation */
  open?: string
  /** faults set up before the client connects */
  before?: (server: FakeServer) => void
  /** runs once it is shown */
  then?: (server: FakeServer) => void
  /** for the element of the chat itself */
  root?: RootProps<HTMLDivElement>
  children: (channel: Channel, server: FakeServer) => ReactNode
}

/** A component in a chat of Ada’s, against a fake server. */
export function InChat({
  conversations = aWorkingDay,
  me = ada,
  open = 'racks',
  before,
  then,
  root,
  children,
}: InChatProps) {
  const light = useContext(LightContext)
  const [server] = useState(() => new FakeServer(me, conversations()))
  const [channel, setChannel] = useState<Channel>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: an example starts once
  useEffect(() => {
    let current = true
    const start = async () => {
      await server.connect()
      const channel = server.client.channel('messaging', open)
      if (server.conversations.some(({ id }) => id === open)) await channel.watch()
      before?.(server)
      if (!current) return
      setChannel(channel)
      setTimeout(() => current && then?.(server))
    }
    void start()
    return () => {
      current = false
      void server.client.disconnectUser()
    }
  }, [server])
  if (!channel) return null
  return (
    <Chat client={server.client} {...light} {...root}>
      {children(channel, server)}
    </Chat>
  )
}
