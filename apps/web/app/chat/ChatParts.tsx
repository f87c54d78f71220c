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
 * The root of the chat components: waits for the client, speaks the language and wears the theme of the product, which
 * also keeps them when they are chosen here.
 *
 * @param props.shortcuts  `page` where chat is what the page is for
 */
export function ChatParts({ shortcuts, children }: Pick<ChatProps, 'shortcuts' | 'children'>) {
  const t = useTranslate()
  const { client, failed, dispatch } = useChat()
  const navigate = useNavigate()
  const people = useDirectory()
  const { language, theme } = useRouteLoaderData<typeof rootLoader>('root')!
  const { submit } = useFetcher()
  // It comes while the client connects.
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
      {/* By its address and after those of the product, whose layers come before. */}
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

/** What one copies to lead somebody to a message. */
const messageHref = (cid: string, messageId: string) => new URL(messagePath(cid, messageId), location.origin).href

/** The person's channels, newest first. */
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
  /** A channel lies over the list, or the threads do; it is as it was when it comes to light again. */
  covered?: boolean
  /** Makes the rows links. */
  hrefOf?: (cid: string) => string
  onSelect: (cid: string) => void
  /** Opens a message that was found. */
  onMessage?: ChannelListProps['onMessage']
}

/** One channel: header, messages, composer. */
export function Conversation(props: ChannelPaneProps) {
  return <ChannelPane {...props} />
}

/** What stands beside the list while no channel was chosen; an empty list itself has the button of a new one. */
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
          {t('chat.new')}
        </button>
      )}
    </div>
  )
}
