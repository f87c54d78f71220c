import { ChatClient, type Subscription } from '@parley/client'
import { indexedDBStorage } from '@parley/client/storage'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { CallError, call } from '../http-client.ts'
import type { SessionData } from '../session/session-data.server.ts'
import type { ProductChannel } from './chat-service.server.ts'
import { type ChatStateEvent, chatState, initialChatState } from './chat-state.ts'
import { ChatContext } from './use-chat.ts'

/** The newest channels are watched at once; the channel list pages on from there. */
const WATCHED_CHANNELS = 30

/** The chat server is tried again so long after it could not be reached; up to twice, so that not all come at once. */
const AGAIN_MS = 5_000

/** These carry the receiver's unread numbers [APP-19…22]. */
const unreadEvents = ['notification.message_new', 'notification.mark_read', 'message.new', 'message.read'] as const

/** After these the person is in other channels than before [NEW-47…49]. */
const membershipEvents = [
  'notification.added_to_channel',
  'notification.removed_from_channel',
  'notification.channel_deleted',
] as const

/** Holds the chat state of the product and keeps one client connected for the signed-in person. */
export function ChatProvider({ session, children }: { session: SessionData; children: ReactNode }) {
  const [state, dispatch] = useReducer(chatState, initialChatState)
  const [connected, setConnected] = useState<{ client?: ChatClient; failed: boolean }>({ failed: false })
  const [attempt, setAttempt] = useState(0)
  const { id, token } = session.chatUser ?? {}
  const { url, key } = session.chatServer ?? {}
  const onChatPage = useRef(false)
  useEffect(() => {
    onChatPage.current = state.chatPageMounted
  }, [state.chatPageMounted])
  const navigate = useNavigate()
  const { formAction } = useNavigation()
  // What is being written is kept, and is there again afterwards [APP-31]. A form on its way, by which the session may
  // be ending, leads on by itself: whoever signs out here wants no way back.
  const signInAgain = useEffectEvent(() => {
    if (!formAction) navigate(`/sign-in?back=${encodeURIComponent(location.pathname + location.search)}`)
  })

  // A reload of the session data brings a new token for the same person; that is no reason to connect again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!id || !token || !url || !key) return // [APP-7]
    let current = true
    let leave = () => {}
    let again: ReturnType<typeof setTimeout> | undefined
    void indexedDBStorage().then((storage) => {
      if (!current) return
      const client = new ChatClient(key, { baseURL: url, storage })
      const ears = listen(client, dispatch)
      leave = () => {
        for (const ear of ears) ear.unsubscribe()
        void client.disconnectUser() // [APP-16]
      }

      // Whoever has left this page is not led away from the next one.
      const renewing = tokens(token, () => current && signInAgain())
      client.connectUser({ id }, renewing).then(
        ({ total_unread_count: totalUnreadCount, unread_channels: unreadChannels }) => {
          if (!current) return
          setConnected({ client, failed: false })
          dispatch({ type: 'ClientInitialized', totalUnreadCount, unreadChannels })
          prepare(client, dispatch)
          // The list of the chat page asks for the same channels by itself.
          if (!onChatPage.current) watchChannels(client, id)
        },
        (error: unknown) => {
          if (!current) return
          console.error(error)
          setConnected({ failed: true })
          again = setTimeout(() => setAttempt(attempt + 1), AGAIN_MS * (1 + Math.random()))
        },
      )
    })

    return () => {
      current = false
      clearTimeout(again)
      setConnected(({ failed }) => ({ failed }))
      leave()
    }
  }, [id, url, key, attempt])

  const chat = useMemo(() => ({ state, dispatch, ...connected }), [state, connected])
  return <ChatContext value={chat}>{children}</ChatContext>
}

/** What follows the first connection. None of it is needed to write and to read, so a failure is only logged. */
function prepare(client: ChatClient, dispatch: (event: ChatStateEvent) => void): void {
  client.getAppSettings().catch(console.error) // [APP-17]
  void fetchChannels(dispatch) // [NEW-46]
}

function watchChannels(client: ChatClient, id: string): void {
  const newestFirst = [{ last_message_at: -1 as const }]
  const watched = { watch: true, limit: WATCHED_CHANNELS }
  client.queryChannels({ members: { $in: [id] } }, newestFirst, watched).catch(console.error) // [APP-18]
}

/**
 * Gives the token of the session data first, then a fresh one each time the old one has run out.
 *
 * @param onSignedOut  called when the session has run out as well
 */
function tokens(first: string, onSignedOut: () => void): () => Promise<string> {
  let next: string | undefined = first
  return async () => {
    const token = next ?? (await freshToken(onSignedOut))
    next = undefined
    if (!token) throw new Error('Chat access has ended.')
    return token
  }
}

async function freshToken(onSignedOut: () => void): Promise<string | undefined> {
  try {
    return (await call<SessionData>('/session')).chatUser?.token
  } catch (error) {
    if (error instanceof CallError && error.status === 401) onSignedOut()
    throw error
  }
}

function listen(client: ChatClient, dispatch: (event: ChatStateEvent) => void): Subscription[] {
  return [
    ...unreadEvents.map((name) =>
      client.on(name, ({ total_unread_count: unreadCount, unread_channels: unreadChannels }) =>
        dispatch({ type: 'UnreadMessageNotification', unreadCount, unreadChannels }),
      ),
    ),
    ...membershipEvents.map((name) => client.on(name, () => void fetchChannels(dispatch))),
    // The client has taken over the new mutes by now; the list is read again so that their marks follow [APP-24].
    client.on('notification.mutes_updated', () => void fetchChannels(dispatch)),
  ]
}

async function fetchChannels(dispatch: (event: ChatStateEvent) => void): Promise<void> {
  dispatch({ type: 'ChannelListFetched' })
  try {
    const { channels } = await call<{ channels: ProductChannel[] }>('/chat/api/channels', { method: 'POST' })
    dispatch({ type: 'ChannelListUpdated', channels })
  } catch (error) {
    console.error('The channel list could not be fetched.', error)
    dispatch({ type: 'ChannelListFailed' })
  }
}
