import {
  ChannelList,
  type ChannelListProps,
  ChannelPane,
  type ChannelPaneProps,
  Chat,
  type ChatProps,
  loadLanguage,
  type Theme,
} from '@parley/widgets'
import styles from '@parley/widgets/styles.css?url'
import { useCallback, useEffect } from 'react'
import { useFetcher, useNavigate, useRouteLoaderData } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import type { loader as rootLoader } from '../root.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Connecting } from './Connecting.tsx'
import { isDoNotDisturb } from './chat-state.ts'
import { channelPath, messagePath } from './message-path.ts'
import { useChat } from './use-chat.ts'
import { useDirectory } from './use-directory.ts'

/**
 * The root of the chat components: waits for the client, and sets the product's language and theme. A theme or language
 * chosen in the components is saved by the product.
 *
 * @param props.shortcuts  `page` where chat is the page's purpose
 */
export function ChatParts({ shortcuts, children }: Pick<ChatProps, 'shortcuts' | 'children'>) {
  const t = useTranslate()
  const { client, failed, dispatch } = useChat()
  const navigate = useNavigate()
  const people = useDirectory()
  const { language, theme } = useRouteLoaderData<typeof rootLoader>('root')!
  const { submit } = useFetcher()
  // The language loads while the client connects.
  useEffect(() => void loadLanguage(language), [language])
  const save = useCallback(
    (looks: { theme: string } | { language: string }) =>
      void submit(looks, { method: 'post', action: '/settings/looks' }),
    [submit],
  )
  const saveTheme = useCallback((theme: Theme) => save({ theme }), [save])
  const saveLanguage = useCallback((language = '') => save({ language }), [save])
  const leave = useCallback(
    (cid: string) => {
      dispatch({ type: 'ChatChannelCloseClicked' })
      if (location.pathname === channelPath(cid)) void navigate('/chat', { replace: true })
    },
    [dispatch, navigate],
  )
  if (failed)
    return (
      <div className="chat-off">
        <p>{t('chat.fatal')}</p>
        <button type="button" className="button" data-kind="primary" onClick={() => location.reload()}>
          {t('chat.reload')}
        </button>
      </div>
    )
  return (
    <>
      {/* Loaded by its URL and after the product's styles, whose layers come first. */}
      <link rel="stylesheet" href={styles} precedence="chat" />
      {client ? (
        <Chat
          client={client}
          theme={theme}
          language={language}
          onTheme={saveTheme}
          onLanguage={saveLanguage}
          messageHref={messageHref}
          onLeave={leave}
          shortcuts={shortcuts}
          people={people}
        >
          {children}
        </Chat>
      ) : (
        <p className="chat-off muted">
          <Connecting />
        </p>
      )}
    </>
  )
}

/** The link that "copy link" copies for a message. */
const messageHref = (cid: string, messageId: string) => new URL(messagePath(cid, messageId), location.origin).href

/** The user's channels, newest first. */
export function Conversations({ activeCid, covered, hrefOf, onSelect, onMessage }: ConversationsProps) {
  const { dispatch } = useChat()
  return (
    <ChannelList
      style={covered ? { display: 'none' } : undefined}
      activeCid={activeCid ?? undefined}
      hrefOf={hrefOf}
      onSelect={({ cid }) => onSelect(cid)}
      onNewChat={() => dispatch({ type: 'NewChatModalOpenClicked' })}
      onMessage={onMessage}
    />
  )
}

interface ConversationsProps {
  activeCid: string | null
  /** A channel or the thread list covers this list, which keeps its state. */
  covered?: boolean
  /** Makes the rows links. */
  hrefOf?: (cid: string) => string
  onSelect: (cid: string) => void
  /** Opens a message from the search results. */
  onMessage?: ChannelListProps['onMessage']
}

/** One channel: header, messages, composer. */
export function Conversation(props: ChannelPaneProps) {
  return <ChannelPane {...props} />
}

/** Shown beside the list while no channel is open. An empty list has its own button for a new chat. */
export function NoConversation() {
  const t = useTranslate()
  const { state, dispatch } = useChat()
  const quiet = isDoNotDisturb(state)
  return (
    <div className="chat-off">
      <span className="hero-mark">
        <Icon name="chat" />
      </span>
      <h2>{t(quiet ? 'welcome.slide.together' : 'chat.pick')}</h2>
      <p className="muted">{t(quiet ? 'welcome.slide.together.body' : 'chat.pick.body')}</p>
      {!quiet && (
        <button type="button" className="button" onClick={() => dispatch({ type: 'NewChatModalOpenClicked' })}>
          <Icon name="plus" />
          <span>{t('chat.new')}</span>
        </button>
      )}
    </div>
  )
}
