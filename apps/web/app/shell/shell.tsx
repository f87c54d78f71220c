import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import {
  Form,
  Link,
  type LoaderFunctionArgs,
  NavLink,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router'
import { ChatWidget } from '../chat/ChatWidget.tsx'
import { ChatProvider } from '../chat/chat-provider.tsx'
import { UnreadToast } from '../chat/UnreadToast.tsx'
import { useChat } from '../chat/use-chat.ts'
import { showTo, whenSignedOut } from '../http-client.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { onWish, wantsNotices } from '../notifications/wishes.ts'
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
/** Fetched when somebody first starts a chat: dialogs are no part of reading one. */
const NewChatModal = lazy(async () => ({ default: (await import('../chat/NewChatModal.tsx')).NewChatModal }))

/** The mobile navigation opens after this long, so that a brush of the finger does not open it [APP-26]. */
const OPEN_NAVIGATION_MS = 100

export async function loader({ request, url, context }: LoaderFunctionArgs) {
  const person = requirePerson({ request, url, context })
  return await sessionData(context.get(productContext), person, new Date())
}

/** The session changes by what people do, not by where they look. */
export function shouldRevalidate({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return formMethod !== undefined && formMethod !== 'GET' && defaultShouldRevalidate
}

/** What stands around every page of a signed-in person: navigation, chat, notices. */
export default function Shell() {
  const session = useLoaderData<typeof loader>()
  const { id } = session.user
  useEffect(() => {
    showTo(id)
    return () => showTo(undefined)
  }, [id])
  const navigate = useNavigate()
  const { state, formAction, location: next } = useNavigation()
  // On a busy machine the session has ended before the form that ends it is drawn as sent.
  const signingOut = useRef(false)
  useEffect(() => {
    if (state === 'idle') signingOut.current = false
  }, [state])
  // What is being written is kept, and is there again afterwards [APP-31]. A form on its way, by which the session may
  // be ending, leads on by itself: whoever signs out here wants no way back.
  const signInAgain = useEffectEvent(() => {
    if (formAction || signingOut.current) return
    const { pathname, search } = next ?? location
    navigate(`/sign-in?back=${encodeURIComponent(pathname + search)}`)
  })
  useEffect(() => whenSignedOut(() => signInAgain()), [])
  return (
    <ChatProvider session={session} key={id}>
      <Frame
        session={session}
        onSignOut={() => {
          signingOut.current = true
        }}
      />
      {session.chatAccess && session.chatUser && (
        <>
          <ChatWidget />
          <NewChat />
          <UnreadToast />
          <NoticesOfHiddenPages />
        </>
      )}
      <Notices />
    </ChatProvider>
  )
}

/** Fetched where somebody wants them on this device. */
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

function NewChat() {
  const { newChatModalOpen } = useChat().state
  const [used, setUsed] = useState(false)
  // Once here it stays, so that it can close with its motion.
  if (newChatModalOpen && !used) setUsed(true)
  return used ? (
    <Suspense fallback={null}>
      <NewChatModal />
    </Suspense>
  ) : null
}

interface FrameProps {
  session: SessionData
  /** Told before anything is sent. */
  onSignOut: () => void
}

function Frame({ session, onSignOut }: FrameProps) {
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
        onSignOut={onSignOut}
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

interface NavigationProps extends FrameProps {
  open: boolean
  onClose: () => void
}

function Navigation({ session, open, onClose, onSignOut }: NavigationProps) {
  const t = useTranslate()
  const drawer = useRef<HTMLElement>(null)
  const { state } = useChat()
  const unread = badge(state.unreadCount)

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
      {/* Pressing beside the drawer closes it; the same is done by Escape and by the close button. */}
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
            <strong>{fullName(session.user)}</strong>
            <span>{session.organizations.map(({ displayName }) => displayName).join(', ')}</span>
          </div>
          <Form method="post" action="/sign-out" onSubmit={onSignOut}>
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
  /** What stands in the purple spot at the end; nothing hides it. */
  badge?: string
  /** What the badge means, for those who do not see it. */
  badgeLabel?: string
  end?: boolean
}
