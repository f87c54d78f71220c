import { ChatClient, type Subscription } from '@parley/client'
import { indexedDBStorage } from '@parley/client/storage'
import { quietUntil } from '@parley/widgets/quiet'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { call } from '../http-client.ts'
import type { SessionData } from '../session/session-data.server.ts'
import { ChannelList } from './channel-list.ts'
import { chatState, initialChatState } from './chat-state.ts'
import { retryDelayMs } from './retry-delay.ts'
import { ChatContext } from './use-chat.ts'
import { useOnlyPage } from './use-only-page.ts'
import { type PageUpdate, usePages } from './use-pages.ts'

/** The client watches the newest channels at once; the channel list pages on from there. */
const WATCHED_CHANNELS = 30

/** Events about a new message. */
const messageEvents = ['notification.message_new', 'message.new'] as const

/**
 * Events after which the user's channels are different [NEW-47…49]. Of a channel that the client watches, the server
 * sends the event itself instead of its notification.
 */
const membershipEvents = [
  'notification.added_to_channel',
  'notification.removed_from_channel',
  'notification.channel_deleted',
  'channel.deleted',
  'channel.updated',
] as const

/**
 * Holds the chat state of the product and keeps a client connected for the signed-in user. Of several pages in one
 * browser, one connects for all; another page gets its own client once chat is opened in it [interface.md 8.3].
 */
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

  // Only the router knows the page of a pending navigation.
  const { revalidate } = useRevalidator()
  const end = useEffectEvent(() => void revalidate())

  const canConnect = Boolean(id && token && url && key) // [APP-7]
  const leads = useOnlyPage(`parley.chat.${id}`, canConnect)
  const [needed, need] = useReducer(() => true, false)
  if (!needed && (state.chatPageMounted || state.chatWidgetOpen || state.newChatModalOpen)) need()
  const connects = canConnect && (leads || needed)

  // A reload of the session data has a new token for the same user, which is no reason to reconnect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!connects || !id || !token || !url || !key) return
    let current = true
    let leave = () => {}
    let again: ReturnType<typeof setTimeout> | undefined
    void indexedDBStorage().then((storage) => {
      if (!current) return
      const client = new ChatClient(key, { baseURL: url, storage })
      const channelList = new ChannelList(dispatch)
      const ears = listen(client, channelList)
      // Any event may change the counts, as in chat itself [APP-19…22].
      const stopCounting = client.unread.subscribe(() => {
        const { total: unreadCount, channels: unreadChannels } = client.unread.snapshot()
        dispatch({ type: 'UnreadMessageNotification', unreadCount, unreadChannels })
      })
      leave = () => {
        for (const ear of ears) ear.unsubscribe()
        stopCounting()
        channelList.end()
        void client.disconnectUser() // [APP-16]
      }

      client.connectUser({ id }, tokens(token, end)).then(
        ({ total_unread_count: totalUnreadCount, unread_channels: unreadChannels }) => {
          if (!current) return
          setConnected({ client, failed: false })
          dispatch({ type: 'ClientInitialized', totalUnreadCount, unreadChannels })
          // Reading and writing need neither.
          client.getAppSettings().catch(console.error) // [APP-17]
          void channelList.fetch() // [NEW-46]
          // Any page sends the pending messages of an earlier page; with nothing pending, that code is not loaded.
          if ([...storage.keys()].length > 0) client.sendAgain().catch(console.error)
          // The list of the chat page queries the same channels itself.
          if (!onChatPage.current) watchChannels(client, id)
        },
        (error: unknown) => {
          if (!current) return
          console.error(error)
          setConnected({ failed: true })
          again = setTimeout(() => setAttempt(attempt + 1), retryDelayMs())
        },
      )
    })

    return () => {
      current = false
      clearTimeout(again)
      setConnected(({ failed }) => ({ failed }))
      leave()
    }
  }, [id, url, key, attempt, connects])

  const { client } = connected
  const { clientInitialized, unreadCount, unreadChannels, userChannels, userChannelsLoading } = state
  const [quiet, setMutes] = useState(0)
  const channels = userChannelsLoading ? undefined : userChannels
  const tells = leads && client ? { unreadCount, unreadChannels, channels, quietUntil: quietUntil(client) } : undefined
  const hear = (told?: PageUpdate) => {
    if (!told) return need()
    const { unreadCount, unreadChannels, channels } = told
    if (clientInitialized) dispatch({ type: 'UnreadMessageNotification', unreadCount, unreadChannels })
    else dispatch({ type: 'ClientInitialized', totalUnreadCount: unreadCount, unreadChannels })
    dispatch(channels ? { type: 'ChannelListUpdated', channels } : { type: 'ChannelListFetched' })
    setMutes(told.quietUntil)
  }
  const isLastSeen = usePages(canConnect ? id : undefined, tells, connects ? undefined : hear)

  const chat = useMemo(
    () => ({
      state,
      dispatch,
      ...connected,
      need,
      isLastSeen,
      quietUntil: () => (client ? quietUntil(client) : quiet),
    }),
    [state, connected, client, isLastSeen, quiet],
  )
  return <ChatContext value={chat}>{children}</ChatContext>
}

function watchChannels(client: ChatClient, id: string): void {
  const newestFirst = [{ last_message_at: -1 as const }]
  const watched = { watch: true, limit: WATCHED_CHANNELS }
  client.queryChannels({ members: { $in: [id] } }, newestFirst, watched).catch(console.error) // [APP-18]
}

/**
 * Returns the token of the session data first, then a fresh one each time the last one has expired.
 *
 * @param onEnd  called when there is no further token: the user has lost chat access
 */
function tokens(first: string, onEnd: () => void): () => Promise<string> {
  let next: string | undefined = first
  return async () => {
    const token = next ?? (await call<SessionData>('/session')).chatUser?.token
    next = undefined
    if (token) return token
    onEnd()
    throw new Error('Chat access has ended.')
  }
}

function listen(client: ChatClient, channelList: ChannelList): Subscription[] {
  const fetchChannels = () => void channelList.fetch()
  return [
    ...messageEvents.map((name) =>
      client.on(name, ({ cid, channel_last_message_at: at }) => channelList.spokenIn(cid, at)),
    ),
    ...membershipEvents.map((name) => client.on(name, fetchChannels)),
    // The client has applied the new mutes by now; the list is fetched again to update their marks [APP-24].
    client.on('notification.mutes_updated', fetchChannels),
  ]
}
