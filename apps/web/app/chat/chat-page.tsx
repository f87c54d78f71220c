import { isCid } from '@parley/protocol/cid'
import {
  type ChannelPaneProps,
  type MessageTarget,
  PreferencesButton,
  type SearchPlace,
  ThreadInbox,
  ThreadInboxButton,
} from '@parley/widgets'
import { useEffect, useMemo, useState } from 'react'
import { Link, type LoaderFunctionArgs, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { requirePerson } from '../session/session.server.ts'
import { useSession } from '../session/use-session.ts'
import { Icon } from '../ui/Icon.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useMedia } from '../ui/use-media.ts'
import { ChatParts, Conversation, Conversations, NoConversation } from './ChatParts.tsx'
import { channelPath } from './message-path.ts'
import { followOwn } from './own-link.ts'
import { useChat } from './use-chat.ts'

/** Below this width the page shows either the list or the conversation; the style sheet has the same value. */
const ONE_PANE = '(width < 60rem)'

export function loader({ request, url, context, params }: LoaderFunctionArgs) {
  requirePerson({ request, url, context })
  if (params.cid !== undefined && !isCid(params.cid)) throw new Response('Not found', { status: 404 })
  return null
}

/** The session does not change between conversations, and no navigation should wait for it. */
export const shouldRevalidate = () => false

/**
 * `/chat` and `/chat/{cid}?message=&thread=&beside=&search=&in=`: the address contains the open channel and thread, the
 * target message and the search, so Back restores the previous ones [APP-27].
 */
export default function ChatPage() {
  const { chatAccess, chatUser, organizations } = useSession()
  if (!chatAccess) return <ChatOff title="chat.off" body={organizations[0] ? 'chat.off.body' : 'start.alone.body'} />
  if (!chatUser) return <ChatOff title="chat.notConfigured" body="chat.notConfigured.body" />
  return <Chatting />
}

function Chatting() {
  const t = useTranslate()
  const { cid } = useParams()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const place = placeOf(query)
  const { key: visit } = useLocation()
  const target = useTarget(place.message, visit)
  const { state, dispatch } = useChat()
  const narrow = useMedia(ONE_PANE)
  const [inbox, setInbox] = useState(false)
  const channel = state.userChannels.find((known) => known.cid === cid)

  useEffect(() => {
    dispatch({ type: 'ChatPageMounted' })
    return () => dispatch({ type: 'ChatPageUnmounted' })
  }, [dispatch])

  useEffect(() => {
    if (cid) dispatch({ type: 'ChannelSelected', channelId: cid })
  }, [cid, dispatch])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are clickable.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click, too.
    <div
      className="chat-page"
      data-open={cid ? true : undefined}
      onClick={(event) => {
        const own = followOwn(event)
        if (own) void navigate(own.path)
      }}
    >
      <PageTitle>{channel?.name || t('chat.title')}</PageTitle>
      <h1 className="unseen">{t('chat.title')}</h1>
      <ChatParts shortcuts="page">
        <div className="chat-panes">
          <div className="chat-side">
            <div className="chat-side-head">
              <h2>{t(inbox ? 'chat.threads' : 'chat.messages')}</h2>
              <PreferencesButton />
              <ThreadInboxButton pressed={inbox} onPress={() => setInbox(!inbox)} />
              <button
                type="button"
                className="icon-button"
                aria-label={t('chat.new')}
                title={t('chat.new')}
                onClick={() => dispatch({ type: 'NewChatModalOpenClicked' })}
              >
                <Icon name="plus" />
              </button>
            </div>
            {inbox && <ThreadInbox onSelect={({ id, channel }) => navigate(pathOf(channel.cid, { thread: id }))} />}
            <Conversations
              covered={inbox}
              activeCid={cid ?? null}
              hrefOf={(channelId) => pathOf(channelId)}
              onSelect={(channelId) => navigate(pathOf(channelId))}
              onMessage={({ cid: where, id: message }) => where && navigate(pathOf(where, { message }))}
            />
          </div>
          <div className="chat-main">
            {cid ? (
              <Conversation
                key={cid}
                cid={cid}
                onBack={narrow ? () => navigate('/chat') : undefined}
                threadId={place.thread}
                onThread={(thread, message) =>
                  // For a reply that is already in the address, only its thread opens beside it.
                  navigate(pathOf(cid, { ...place, thread, message }), {
                    replace: message !== undefined && message === place.message,
                  })
                }
                target={target}
                visit={visit}
                onJump={(message, alone) => navigate(pathOf(cid, alone ? { message } : { ...place, message }))}
                search={place.search}
                beside={place.beside}
                onBeside={(beside) => navigate(pathOf(cid, { search: place.search, beside }))}
                onSearch={(search) =>
                  // Only the last query of a search stays in the history.
                  navigate(pathOf(cid, { search }), { replace: search !== undefined && place.search !== undefined })
                }
                onChannel={(channelId) => navigate(pathOf(channelId))}
                onMessage={({ cid: where = cid, id: message }, search) => navigate(pathOf(where, { search, message }))}
              />
            ) : (
              <NoConversation />
            )}
          </div>
        </div>
      </ChatParts>
    </div>
  )
}

/** The open parts of a channel, as in the address. */
interface Place {
  message?: string
  thread?: string
  beside?: ChannelPaneProps['beside']
  search?: SearchPlace
}

function placeOf(query: URLSearchParams): Place {
  const text = query.get('search')
  return {
    message: query.get('message') ?? undefined,
    thread: query.get('thread') ?? undefined,
    beside: (['pins', 'details'] as const).find((beside) => beside === query.get('beside')),
    search:
      text === null
        ? undefined
        : {
            text,
            everywhere: query.get('in') === 'all',
            from: query.get('from') ?? undefined,
            since: query.get('since') ?? undefined,
            until: query.get('until') ?? undefined,
            files: query.has('files') || undefined,
            mentions: query.has('mentions') || undefined,
          },
  }
}

function pathOf(cid: string, { message, thread, beside, search }: Place = {}): string {
  const query = new URLSearchParams()
  if (message !== undefined) query.set('message', message)
  if (thread !== undefined) query.set('thread', thread)
  if (beside) query.set('beside', beside)
  if (search) query.set('search', search.text)
  if (search?.everywhere) query.set('in', 'all')
  for (const narrowed of ['from', 'since', 'until', 'files', 'mentions'] as const)
    if (search?.[narrowed]) query.set(narrowed, String(search[narrowed]))
  const path = channelPath(cid)
  return query.size > 0 ? `${path}?${query}` : path
}

/** The message in the address. Another visit to the same address scrolls to the message again. */
function useTarget(message: string | undefined, visit: string): MessageTarget | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: every visit is a target of its own
  return useMemo(() => (message === undefined ? undefined : { id: message }), [message, visit])
}

/** A direct visit without chat access [APP-30]. */
function ChatOff({
  title,
  body,
}: {
  title: 'chat.off' | 'chat.notConfigured'
  body: `${typeof title | 'start.alone'}.body`
}) {
  const t = useTranslate()
  return (
    <div className="lonely">
      <PageTitle>{t('chat.title')}</PageTitle>
      <span className="hero-mark">
        <Icon name="chat" />
      </span>
      <h1>{t(title)}</h1>
      <p className="muted">{t(body)}</p>
      <Link className="button" data-kind="primary" to="/">
        {t('chat.off.back')}
      </Link>
    </div>
  )
}
