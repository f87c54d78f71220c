/**
 * The content of every page as the server renders it: its headings, fields, buttons, links and texts, each in an
 * outline beside this file. Other tests, and the end-to-end tests, prove what pages do.
 */
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { beforeAll, describe, expect, it } from 'vitest'
import { outlineOf } from '../../../scripts/outline.ts'
import { NoConversation } from './chat/ChatParts.tsx'
import ChatPage from './chat/chat-page.tsx'
import { type ChatState, initialChatState } from './chat/chat-state.ts'
import { DirectView } from './chat/DirectView.tsx'
import { GroupSettingsView } from './chat/GroupSettingsView.tsx'
import { GroupView } from './chat/GroupView.tsx'
import { type Chat, ChatContext } from './chat/use-chat.ts'
import { loadAllCatalogues } from './i18n/catalogues.ts'
import { Translations } from './i18n/translate.tsx'
import InvitationPage from './invitations/invitation-page.tsx'
import MembersPage from './members/members-page.tsx'
import OrganizationsPage from './organizations/organizations-page.tsx'
import type { SessionData } from './session/session-data.server.ts'
import SignInPage from './session/sign-in-page.tsx'
import SignUpPage from './session/sign-up-page.tsx'
import SettingsPage from './settings/settings-page.tsx'
import { ErrorPage } from './shell/ErrorPage.tsx'
import Shell from './shell/shell.tsx'
import StartPage from './start/start-page.tsx'
import WelcomePage from './welcome/welcome-page.tsx'

beforeAll(loadAllCatalogues)

const ada: SessionData = {
  user: {
    id: 'ada',
    email: 'ada@northwind.example',
    givenName: 'Ada',
    familyName: 'Lindqvist',
    image: '/avatars/ada.svg',
    language: 'en',
    theme: 'dark',
    chatAccess: true,
  },
  organizations: [
    { id: 'northwind', displayName: 'Northwind Trading', role: 'owner' },
    { id: 'kiku', displayName: 'Kiku Robotics', role: 'member' },
  ],
  chatAccess: true,
  chatUser: { id: 'ada', token: 'a token' },
  chatServer: { url: 'https://chat.example', key: 'a key' },
}
const withoutChat: SessionData = { ...ada, chatAccess: false, chatUser: undefined, chatServer: undefined }
const alone: SessionData = { ...withoutChat, organizations: [] }

interface Drawn {
  /** The page's data, as its loader returns it. */
  data?: unknown
  /** The result of a form. */
  answer?: unknown
  session?: SessionData
  state?: Partial<ChatState>
  failed?: boolean
  path?: string
}

/** A page on its own, or inside its frame. */
function drawn(
  page: () => ReactNode,
  { data = null, answer, session = ada, state, failed = false, path = '/' }: Drawn,
) {
  const chat: Chat = {
    state: { ...initialChatState, ...state },
    dispatch: () => {},
    failed,
    need: () => {},
    isLastSeen: true,
    quietUntil: () => 0,
  }
  const { pathname } = new URL(path, 'http://localhost')
  const Routes = createRoutesStub([
    {
      id: 'root',
      path: '/',
      loader: () => null,
      HydrateFallback: () => null,
      children: [
        {
          id: 'shell/shell',
          loader: () => null,
          children: [{ id: 'page', path: pathname, loader: () => null, Component: page }],
        },
      ],
    },
  ])
  const html = renderToString(
    <Translations language="en">
      <ChatContext value={chat}>
        <Routes
          initialEntries={[path]}
          hydrationData={{
            loaderData: { root: { language: 'en', theme: 'dark' }, 'shell/shell': session, page: data },
            ...(answer !== undefined && { actionData: { page: answer } }),
          }}
        />
      </ChatContext>
    </Translations>,
  )
  // Devices format times differently.
  return outlineOf(html.replaceAll(/(<time[^>]*?)( title="[^"]*")?>[^<]*</g, '$1><'))
}

const secret = '/invitations/a-secret'
const invited = { email: 'grace@kiku.example', organization: 'Kiku Robotics', invitedBy: 'Bo Nakamura' }
const badPerson = {
  givenName: 'settings.namesRequired',
  familyName: 'settings.nameTooLong',
  email: 'invite.emailInvalid',
  password: 'password.tooShort',
}
const supply = {
  cid: 'messaging:supply',
  id: 'supply',
  type: 'messaging',
  name: 'Supply round table',
  face: { id: 'messaging:supply', image: null },
  memberIds: ['ada', 'bo'],
  lastMessageAt: '2020-05-04T10:00:00.000Z',
}
const gone = { ...supply, cid: 'messaging:gone', name: '', lastMessageAt: null }
const connected = { clientInitialized: true, unreadCount: 3, unreadChannels: 2 }
const member = (id: string, role: 'owner' | 'admin' | 'member', chatAccess = true) => ({
  memberId: `member-${id}`,
  user: { id, identity: { givenName: id, familyName: 'Smith', imageUrl: null } },
  organization: { id: 'northwind', displayName: 'Northwind Trading' },
  role,
  chatAccess,
  joinedAt: '2026-05-04T10:00:00.000Z',
  email: `${id}@northwind.example`,
})
const rows = [member('ada', 'owner'), member('priya', 'admin'), member('tom', 'member', false), member('eve', 'owner')]
const directory = {
  organization: { id: 'northwind', displayName: 'Northwind Trading', memberCount: 24, role: 'owner' },
  search: '',
  sort: 'name',
  descending: false,
  page: 2,
  pageCount: 3,
  total: 24,
  invitations: [],
  rows,
}
const invitation = {
  id: 'an-id',
  email: 'grace@kiku.example',
  role: 'admin',
  expiresAt: '2026-07-04T10:00:00.000Z',
  expired: false,
}
const settings = { pushKey: 'a push key', farewell: { ownedAlone: [], isLastOwner: false, goAlong: [] } }
const chosen = ['bo', 'mei'].map((userId) => ({
  userId,
  orgId: 'kiku',
  givenName: userId,
  familyName: 'Park',
  imageUrl: null,
  organization: 'Kiku Robotics',
}))
const picked = { selectedUsers: chosen, newChatModalOpen: true }
const nothing = () => {}
const refusal = (status: number, data: unknown = null) => ({ status, data, statusText: '', internal: true })
const found = new Error('Failed to fetch')

const pages: Record<string, [name: string, page: () => ReactNode, drawn: Drawn][]> = {
  welcome: [
    ['to strangers', WelcomePage, { data: { isEmpty: false, isFarewell: false } }],
    ['while there is nobody', WelcomePage, { data: { isEmpty: true, isFarewell: false } }],
    ['to whoever has just gone', WelcomePage, { data: { isEmpty: false, isFarewell: true } }],
  ],
  'sign-in': [
    ['first', SignInPage, { data: {} }],
    ['after a session', SignInPage, { data: { ended: 'Your session has ended.' } }],
    [
      'with nothing filled in',
      SignInPage,
      { data: {}, answer: { email: 'signIn.emailRequired', password: 'signIn.passwordRequired' } },
    ],
    ['refused', SignInPage, { data: { ended: 'Your session has ended.' }, answer: { form: 'signIn.refused' } }],
  ],
  'sign-up': [
    ['first', SignUpPage, {}],
    ['with all of it wrong', SignUpPage, { answer: { organizationName: 'settings.namesRequired', ...badPerson } }],
  ],
  invitation: [
    ['that is over', InvitationPage, { path: secret, data: { as: 'nobody' } }],
    ['of a newcomer', InvitationPage, { path: secret, data: { as: 'newcomer', ...invited } }],
    [
      'of a newcomer who errs',
      InvitationPage,
      { path: secret, data: { as: 'newcomer', ...invited }, answer: badPerson },
    ],
    ['of a stranger with an account', InvitationPage, { path: secret, data: { as: 'stranger', ...invited } }],
    ['of whoever is signed in', InvitationPage, { path: secret, data: { as: 'member', ...invited } }],
    [
      'of somebody else',
      InvitationPage,
      { path: secret, data: { as: 'other', ...invited, signedInAs: 'ada@northwind.example' } },
    ],
  ],
  start: [
    ['before chat is there', StartPage, {}],
    ['with conversations', StartPage, { state: { ...connected, userChannels: [supply, gone] } }],
    ['with none', StartPage, { state: { clientInitialized: true } }],
    [
      'with none, for somebody who manages nothing',
      StartPage,
      { state: { clientInitialized: true }, session: { ...ada, organizations: ada.organizations.slice(1) } },
    ],
    ['where chat has failed', StartPage, { failed: true }],
    ['without chat', StartPage, { session: withoutChat }],
    ['for somebody of no organization', StartPage, { session: alone }],
  ],
  shell: [
    ['with chat', Shell, { data: ada }],
    ['on the page of chat', Shell, { data: ada, path: '/chat/messaging:supply' }],
    ['without chat', Shell, { data: withoutChat }],
  ],
  organizations: [
    [
      'of an owner',
      OrganizationsPage,
      {
        data: {
          organizations: [
            { id: 'northwind', displayName: 'Northwind Trading', memberCount: 60, role: 'owner' },
            { id: 'kiku', displayName: 'Kiku Robotics', memberCount: 1 },
          ],
        },
      },
    ],
    [
      'of a member',
      OrganizationsPage,
      { data: { organizations: [{ id: 'kiku', displayName: 'Kiku Robotics', memberCount: 2, role: 'member' }] } },
    ],
    ['of nobody', OrganizationsPage, { data: { organizations: [] } }],
  ],
  members: [
    [
      'to an owner',
      MembersPage,
      { data: { ...directory, invitations: [invitation, { ...invitation, email: 'x@y.example', expired: true }] } },
    ],
    [
      'to an admin',
      MembersPage,
      { data: { ...directory, organization: { ...directory.organization, role: 'admin' } } },
    ],
    [
      'to a member, by role, found',
      MembersPage,
      {
        data: {
          ...directory,
          organization: { ...directory.organization, role: 'member' },
          sort: 'role',
          descending: true,
          search: 'smith',
          page: 1,
          pageCount: 1,
        },
      },
    ],
    [
      'to a stranger',
      MembersPage,
      { data: { ...directory, organization: { ...directory.organization, role: undefined }, page: 3, sort: 'joined' } },
    ],
    [
      'to a stranger without chat',
      MembersPage,
      {
        session: withoutChat,
        data: { ...directory, organization: { ...directory.organization, role: undefined }, page: 1 },
      },
    ],
    ['of whom none is found', MembersPage, { data: { ...directory, rows: [], search: 'nobody', pageCount: 1 } }],
    ['of whom there is none', MembersPage, { data: { ...directory, rows: [], pageCount: 1 } }],
  ],
  settings: [
    ['of somebody', SettingsPage, { data: settings }],
    [
      'of somebody without a picture and chat, who errs',
      SettingsPage,
      {
        session: { ...withoutChat, user: { ...ada.user, image: null, language: null, theme: 'system' } },
        data: settings,
        answer: { saved: false, errors: { givenName: 'settings.namesRequired', familyName: 'settings.nameTooLong' } },
      },
    ],
  ],
  chat: [
    ['while it connects', ChatPage, { path: '/chat' }],
    ['that could not be connected', ChatPage, { path: '/chat', failed: true }],
    ['without access', ChatPage, { path: '/chat', session: withoutChat }],
    ['without an organization', ChatPage, { path: '/chat', session: alone }],
    ['without a key', ChatPage, { path: '/chat', session: { ...ada, chatUser: undefined } }],
    ['with nothing chosen', NoConversation, { state: { ...connected, userChannels: [supply] } }],
    ['with nothing there', NoConversation, { state: connected }],
  ],
  'new chat': [
    ['with one', () => <DirectView first={{}} onFirst={nothing} onStart={nothing} onGroup={nothing} />, {}],
    [
      'with one, and a first message',
      () => (
        <DirectView
          first={{ firstMessage: 'Hello', picture: new File([''], 'lake.jpg') }}
          onFirst={nothing}
          onStart={nothing}
          onGroup={nothing}
        />
      ),
      { path: '/?chat-search=bo' },
    ],
    ['with several, of whom none is chosen', () => <GroupView onNext={nothing} />, {}],
    ['with several', () => <GroupView onNext={nothing} />, { state: picked }],
    ['with several, named', () => <GroupSettings name="Supply" />, { state: picked }],
    ['with several, without a name', () => <GroupSettings name=" " />, { state: picked }],
    ['with several, named at length', () => <GroupSettings name={'x'.repeat(200)} busy />, { state: picked }],
    ['with several, named too long', () => <GroupSettings name={'x'.repeat(256)} />, { state: picked }],
  ],
  error: [
    ['of an address nobody knows', () => <ErrorPage error={refusal(404)} />, {}],
    ['of another kind', () => <ErrorPage error={refusal(500)} />, {}],
    ['of a program', () => <ErrorPage error={new Error('broken')} inside />, {}],
    ['of the network', () => <ErrorPage error={found} inside />, {}],
    ['of a part that is gone', () => <ErrorPage error={new Error('error loading dynamically imported module')} />, {}],
    [
      'at a wrong address',
      () => (
        <ErrorPage
          error={refusal(403, {
            title: 'Another address',
            error: 'It is at https://chat.example.',
            publicUrl: 'https://chat.example',
          })}
        />
      ),
      {},
    ],
  ],
}

function GroupSettings({ name, busy = false }: { name: string; busy?: boolean }) {
  return <GroupSettingsView name={name} onName={nothing} first={{}} onFirst={nothing} busy={busy} onCreate={nothing} />
}

describe('the pages match their outlines:', () => {
  it.each(Object.entries(pages))('%s', async (name, looks) => {
    const outlines = looks.map(([look, page, options]) => `${name} ${look}\n${drawn(page, options)}`)
    await expect(outlines.join('\n')).toMatchFileSnapshot(`outlines/${name.replace(' ', '-')}.txt`)
  })
})
