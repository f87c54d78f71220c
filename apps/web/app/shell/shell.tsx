import { type ComponentType, lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import {
  Form,
  Link,
  type LoaderFunctionArgs,
  NavLink,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useRevalidator,
} from 'react-router'
import { ChatWidget } from '../chat/ChatWidget.tsx'
import { ChatProvider } from '../chat/chat-provider.tsx'
import { unreadToast } from '../chat/chat-state.ts'
import { useChat } from '../chat/use-chat.ts'
import { showTo, whenSignedOut } from '../http-client.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { onWish, wantsNotices } from '../notifications/notification-preferences.ts'
import { Avatar } from '../people/Avatar.tsx'
import { fullName } from '../people/person.ts'
import { productContext } from '../product.server.ts'
import { requirePerson } from '../session/session.server.ts'
import type { SessionData } from '../session/session-data.server.ts'
import { sessionData } from '../session/session-data.server.ts'
import { useSession } from '../session/use-session.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Notices } from '../ui/notices.tsx'
import { FILLED, useMedia } from '../ui/use-media.ts'
import { badge } from './badge.ts'
import { useFavicon } from './use-favicon.ts'
import { focusPage } from './use-focus-on-page.ts'

const HiddenPageNotices = lazy(() => import('../notifications/HiddenPageNotices.tsx'))
/** Loaded with the first unread message; if that fails, the launcher still shows the count. */
const UnreadToast = lazy(() =>
  import('../chat/UnreadToast.tsx').then(
    ({ UnreadToast }) => ({ default: UnreadToast }),
    () => ({ default: () => null }),
  ),
)
/** Loaded when a user first starts a chat: most visits need no dialog. */
const NewChatModal = lazy(async () => ({ default: (await import('../chat/NewChatModal.tsx')).NewChatModal }))

/** The mobile navigation opens after this delay, so that a brush of the finger does not open it [APP-26]. */
const OPEN_NAVIGATION_MS = 100

export async function loader({ request, url, context }: LoaderFunctionArgs) {
  const person = requirePerson({ request, url, context })
  return await sessionData(context.get(productContext), person)
}

/** Forms change the session, navigation does not. A reload of the same page loads it again. */
export function shouldRevalidate(asked: ShouldRevalidateFunctionArgs): boolean {
  const { formMethod, currentUrl, nextUrl, defaultShouldRevalidate } = asked
  const isForm = formMethod !== undefined && formMethod !== 'GET'
  return defaultShouldRevalidate && (isForm || currentUrl.href === nextUrl.href)
}

/** The frame of every page of a signed-in user: navigation, chat, notices. */
export default function Shell() {
  const session = useLoaderData<typeof loader>()
  const { id } = session.user
  useEffect(() => {
    showTo(id)
    return () => showTo(undefined)
  }, [id])
  const { revalidate } = useRevalidator()
  // Input is kept and restored afterwards [APP-31]. Only the router knows a pending navigation or sign-out at once;
  // rendering follows later.
  useEffect(() => whenSignedOut(() => void revalidate()), [revalidate])
  return (
    <ChatProvider session={session} key={id}>
      <Frame session={session} />
      {session.chatAccess && session.chatUser && (
        <>
          <ChatWidget />
          <NewChat />
          <Unread />
          <NoticesOfHiddenPages />
        </>
      )}
      <Notices />
    </ChatProvider>
  )
}

/** Loaded if the user wants notifications on this device. */
function NoticesOfHiddenPages() {
  const { user } = useSession()
  const wanted = useSyncExternalStore(
    onWish,
    () => wantsNotices(user.id),
    () => false,
  )
  return wanted ? (
    <Suspense fallback={null}>
      <HiddenPageNotices />
    </Suspense>
  ) : null
}

function Unread() {
  return <FirstWhen wanted={unreadToast(useChat().state) !== undefined} part={UnreadToast} />
}

function NewChat() {
  return <FirstWhen wanted={useChat().state.newChatModalOpen} part={NewChatModal} />
}

/** A lazy part that loads when it is first wanted. It stays mounted, so that it can animate out. */
function FirstWhen({ wanted, part: Part }: { wanted: boolean; part: ComponentType }) {
  const [used, setUsed] = useState(false)
  if (wanted && !used) setUsed(true)
  return used ? (
    <Suspense fallback={null}>
      <Part />
    </Suspense>
  ) : null
}

function Frame({ session }: { session: SessionData }) {
  const t = useTranslate()
  const { pathname } = useLocation()
  const { unreadCount, chatWidgetOpen } = useChat().state
  useFavicon(unreadCount)
  const isFilled = useMedia(FILLED)
  const [open, setOpen] = useState(false)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    clearTimeout(waiting.current)
    setOpen(false)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the navigation
  useEffect(close, [pathname])

  return (
    <div
      className="shell"
      data-page={pathname.startsWith('/chat') ? 'chat' : undefined}
      inert={isFilled && chatWidgetOpen}
    >
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <header className="topbar">
        <button
          type="button"
          className="icon-button"
          ref={opener}
          aria-label={t('nav.open')}
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => {
            clearTimeout(waiting.current)
            waiting.current = setTimeout(() => setOpen(true), OPEN_NAVIGATION_MS)
          }}
        >
          <Icon name="menu" />
        </button>
        <Link to="/" className="brand">
          <Logo />
          <span>{t('app.name')}</span>
        </Link>
      </header>
      <Navigation
        session={session}
        open={open}
        onClose={() => {
          close()
          opener.current?.focus()
        }}
      />
      <main id="content" className="content" tabIndex={-1} inert={open}>
        <Outlet />
      </main>
    </div>
  )
}

interface NavigationProps {
  session: SessionData
  open: boolean
  onClose: () => void
}

function Navigation({ session, open, onClose }: NavigationProps) {
  const t = useTranslate()
  const drawer = useRef<HTMLElement>(null)
  const { state } = useChat()
  const unread = badge(state.unreadCount)
  const name = fullName(session.user)
  const organizations = session.organizations.map(({ displayName }) => displayName).join(', ')

  useEffect(() => {
    const element = drawer.current
    if (!open || !element) return
    element.querySelector('a')?.focus()
    return () => {
      if (element.contains(document.activeElement)) focusPage()
    }
  }, [open])

  return (
    <>
      {/* A press beside the drawer closes it; so do Escape and the close button. */}
      {open && <div className="drawer-ground" onPointerDown={onClose} />}
      <nav
        id="navigation"
        className="navigation"
        aria-label={t('nav.label')}
        ref={drawer}
        data-open={open || undefined}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && open) onClose()
        }}
      >
        <div className="navigation-head">
          <Link to="/" className="brand">
            <Logo />
            <span className="navigation-word">{t('app.name')}</span>
          </Link>
          <button type="button" className="icon-button navigation-close" aria-label={t('nav.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <ul className="navigation-list">
          <Entry to="/" icon="home" name={t('nav.start')} end />
          {session.chatAccess && session.chatUser && (
            <Entry
              to="/chat"
              icon="chat"
              name={t('nav.chat')}
              badge={unread}
              badgeLabel={t('nav.unread', { count: state.unreadCount })}
            />
          )}
          <Entry to="/organizations" icon="building" name={t('nav.organizations')} />
          <Entry to="/settings" icon="settings" name={t('nav.settings')} />
        </ul>
        <div className="navigation-person">
          <Avatar {...session.user} size={36} />
          <div className="navigation-name">
            <strong title={name}>{name}</strong>
            <span title={organizations}>{organizations}</span>
          </div>
          <Form method="post" action="/sign-out">
            <button type="submit" className="icon-button" aria-label={t('nav.signOut')} title={t('nav.signOut')}>
              <Icon name="signOut" />
            </button>
          </Form>
        </div>
      </nav>
    </>
  )
}

function Entry({ to, icon, name, badge, badgeLabel, end }: EntryProps) {
  return (
    <li>
      <NavLink to={to} end={end} className="navigation-entry" title={name}>
        <Icon name={icon} />
        <span className="navigation-word">{name}</span>
        {badge && (
          <>
            <span className="badge" aria-hidden="true">
              {badge}
            </span>
            <span className="unseen">{badgeLabel}</span>
          </>
        )}
      </NavLink>
    </li>
  )
}

interface EntryProps {
  to: string
  icon: IconName
  name: string
  /** The text of the purple badge at the end; it is never hidden. */
  badge?: string
  /** The meaning of the badge, for screen readers. */
  badgeLabel?: string
  end?: boolean
}
