import { localeWith } from '@parley/widgets/locale-with'
import { fullTime, rowTime } from '@parley/widgets/row-time'
import { Link } from 'react-router'
import { Connecting } from '../chat/Connecting.tsx'
import { isDoNotDisturb } from '../chat/chat-state.ts'
import { channelPath } from '../chat/message-path.ts'
import { useChat } from '../chat/use-chat.ts'
import { useLocale, useTranslate } from '../i18n/translate.tsx'
import { OrganizationTile } from '../organizations/OrganizationTile.tsx'
import { Avatar } from '../people/Avatar.tsx'
import { greetedAs } from '../people/person.ts'
import { useSession } from '../session/use-session.ts'
import { Icon } from '../ui/Icon.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

/** The number of recent conversations with links. */
const RECENT_CHANNELS = 6

export default function StartPage() {
  const t = useTranslate()
  const session = useSession()
  const { state, dispatch, failed } = useChat()
  const quiet = isDoNotDisturb(state)
  return (
    <div className="page">
      <PageTitle />
      <header className="page-head">
        <h1>{t('start.title', { name: greetedAs(session.user) })}</h1>
        <p className="lead">{t('start.lead')}</p>
      </header>
      {session.chatAccess && session.chatUser && !quiet && (
        <section className="card hero">
          <span className="hero-mark">
            <Icon name="chat" />
          </span>
          <div className="hero-text">
            <h2>{t('start.chat.title')}</h2>
            {/* Before chat has connected, the unread count is unknown. */}
            <p>
              {state.clientInitialized ? (
                t('start.chat.body', { count: state.unreadCount })
              ) : failed ? (
                t('chat.fatal')
              ) : (
                <Connecting />
              )}
            </p>
          </div>
          <div className="actions">
            <Link className="button" data-kind="primary" to="/chat">
              {t('start.chat.open')}
            </Link>
            <button type="button" className="button" onClick={() => dispatch({ type: 'NewChatModalOpenClicked' })}>
              <Icon name="plus" />
              <span>{t('start.chat.new')}</span>
            </button>
          </div>
        </section>
      )}
      {session.chatUser && !failed && !quiet && (
        <section className={state.userChannels.length > 0 ? 'section' : 'section scripted'}>
          <h2>{t('start.recent')}</h2>
          <ul className="tiles">
            {state.userChannels.length === 0 && <Coming />}
            {state.userChannels.slice(0, RECENT_CHANNELS).map((channel) => (
              <li key={channel.cid}>
                <Link className="tile" to={channelPath(channel.cid)}>
                  <Avatar {...channel.face} givenName={channel.name || t('chat.deletedUser')} familyName="" size={44} />
                  <span className="tile-text">
                    <strong>
                      <bdi>{channel.name || t('chat.deletedUser')}</bdi>
                    </strong>
                    {channel.lastMessageAt && <LastMessage at={channel.lastMessageAt} />}
                  </span>
                  <Icon name="right" />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {session.organizations.length === 0 ? <Alone /> : quiet && <NoConversations />}
      {session.organizations.length > 0 && (
        <section className="section">
          <div className="section-head">
            <h2>{t('start.organizations.title')}</h2>
            <Link to="/organizations">{t('start.organizations.all')}</Link>
          </div>
          <ul className="tiles">
            {session.organizations.map(({ id, displayName, role }) => (
              <OrganizationTile key={id} id={id} displayName={displayName} about={t(`role.${role}`)} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Explains how a user without an organization joins one. */
function Alone() {
  const t = useTranslate()
  return (
    <section className="card nothing">
      <span className="hero-mark">
        <Icon name="building" />
      </span>
      <h2>{t('start.alone.title')}</h2>
      <p>{t('start.alone.body')}</p>
    </section>
  )
}

/** Suggests a first step to a user without conversations. */
function NoConversations() {
  const t = useTranslate()
  const { organizations } = useSession()
  const { dispatch } = useChat()
  const managed = organizations.find(({ role }) => role !== 'member')
  return (
    <section className="card nothing">
      <span className="hero-mark">
        <Icon name="chat" />
      </span>
      <h2>{t('start.empty.title')}</h2>
      <p>{t('start.empty.body')}</p>
      <div className="actions">
        <button
          type="button"
          className="button"
          data-kind="primary"
          onClick={() => dispatch({ type: 'NewChatModalOpenClicked' })}
        >
          <Icon name="plus" />
          <span>{t('start.chat.new')}</span>
        </button>
        {managed && (
          <Link className="button" to={`/organizations/${managed.id}/members`}>
            {t('invite.button')}
          </Link>
        )}
      </div>
    </section>
  )
}

const places = Array.from({ length: RECENT_CHANNELS }, (_, place) => place)

/** Reserves space for the conversations, so that nothing below moves when they load. */
function Coming() {
  return places.map((place) => (
    <li key={place} className="tile" aria-hidden="true">
      <span className="tile-mark" />
    </li>
  ))
}

/** The time of the last message, in the chat list's format; the full time is in the tooltip. */
function LastMessage({ at }: { at: string }) {
  const locale = localeWith(useLocale())
  return (
    <time dateTime={at} title={fullTime(locale, new Date(at))}>
      {rowTime(locale, new Date(at), new Date())}
    </time>
  )
}
