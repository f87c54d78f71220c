/// <reference types="vite/client" />
import { type ReactNode, useReducer } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createRoutesStub, useLocation } from 'react-router'
import { toast } from 'sonner'
import { chatState, initialChatState } from '../../app/chat/chat-state.ts'
import { NewChatModal } from '../../app/chat/NewChatModal.tsx'
import { ChatContext } from '../../app/chat/use-chat.ts'
import { usePanelSize } from '../../app/chat/use-panel-size.ts'
import { loadCatalogue } from '../../app/i18n/catalogues.ts'
import { Translations } from '../../app/i18n/translate.tsx'
import { Invitations } from '../../app/invitations/Invitations.tsx'
import { InvitePeople } from '../../app/invitations/InvitePeople.tsx'
import { LeaveOrganization } from '../../app/members/LeaveOrganization.tsx'
import { MemberMenu, MemberRole } from '../../app/members/MemberMenu.tsx'
import type { Member } from '../../app/members/member-store.server.ts'
import { useMemberChange } from '../../app/members/use-member-change.ts'
import { NotificationSettings } from '../../app/notifications/NotificationSettings.tsx'
import { DeleteOrganization } from '../../app/organizations/DeleteOrganization.tsx'
import { NewOrganization } from '../../app/organizations/NewOrganization.tsx'
import type { SessionData } from '../../app/session/session-data.server.ts'
import { DeleteAccount } from '../../app/settings/DeleteAccount.tsx'
import { PasswordForm } from '../../app/settings/PasswordForm.tsx'
import { ProfilePicture } from '../../app/settings/ProfilePicture.tsx'
import { useFavicon } from '../../app/shell/use-favicon.ts'
import { Notices } from '../../app/ui/notices.tsx'
import { Pager } from '../../app/ui/Pager.tsx'
import { SearchField } from '../../app/ui/SearchField.tsx'

await loadCatalogue('en')

const session: SessionData = {
  user: {
    id: 'ada',
    email: 'ada@northwind.example',
    givenName: 'Ada',
    familyName: 'Lindqvist',
    image: '/avatars/ada.svg',
    language: 'en',
    theme: 'system',
    chatAccess: true,
  },
  organizations: [{ id: 'northwind', displayName: 'Northwind Trading', role: 'owner' }],
  chatAccess: true,
  chatUser: { id: 'ada', token: 'a token' },
  chatServer: { url: 'https://chat.example', key: 'a key' },
}
const tom: Member = {
  memberId: 'member-tom',
  user: { id: 'tom', identity: { givenName: 'Tom', familyName: 'Hadley', imageUrl: null } },
  organization: { id: 'northwind', displayName: 'Northwind Trading' },
  role: 'member',
  chatAccess: true,
  joinedAt: '2026-05-04T10:00:00.000Z',
}
const invitation = {
  id: 'an-id',
  email: 'grace@kiku.example',
  role: 'admin',
  expiresAt: '2026-07-04T10:00:00.000Z',
  expired: false,
} as const
const northwind = { id: 'northwind', displayName: 'Northwind Trading' }

let root: Root | undefined
/** The forms that the components have sent, and their targets. */
let sent: Record<string, string>[] = []
let answer: unknown
let told: unknown[] = []

const parts = {
  // biome-ignore lint/a11y/useValidAriaRole: a member's role
  invite: () => <InvitePeople role="owner" />,
  // biome-ignore lint/a11y/useValidAriaRole: a member's role
  inviteAsAdmin: () => <InvitePeople role="admin" />,
  invitations: () => <Invitations invitations={[invitation]} />,
  member: () => <OneMember />,
  leave: () => <LeaveOrganization organization="Northwind Trading" submit={useMemberChange().submit} />,
  deleteOrganization: () => <DeleteOrganization organization="Northwind Trading" />,
  newOrganization: () => <NewOrganization />,
  password: () => <PasswordForm />,
  picture: () => <ProfilePicture user={session.user} />,
  deleteAccount: () => <DeleteAccount farewell={{ ownedAlone: [], isLastOwner: false, goAlong: [northwind] }} />,
  heldAccount: () => <DeleteAccount farewell={{ ownedAlone: [northwind], isLastOwner: false, goAlong: [] }} />,
  lastAccount: () => <DeleteAccount farewell={{ ownedAlone: [], isLastOwner: true, goAlong: [northwind] }} />,
  notifications: () => <NotificationSettings publicKey="a key" />,
  newChat: () => <NewChatModal />,
  panel: () => <Panel />,
  pager: () => <Pager page={2} pageCount={3} onPage={(page) => told.push(page)} />,
  firstPage: () => <Pager page={1} pageCount={2} onPage={(page) => told.push(page)} />,
  search: () => <SearchField label="Search" search="" onSearch={(text) => told.push(text)} />,
  unread: () => <Unread count={3} />,
  read: () => <Unread count={0} />,
} satisfies Record<string, () => ReactNode>

function OneMember() {
  const { submit } = useMemberChange()
  return (
    <>
      <MemberRole member={tom} isOwner submit={submit} />
      <MemberMenu member={tom} submit={submit} remove={submit} />
    </>
  )
}

function Panel() {
  const { style, grip } = usePanelSize()
  return (
    <div
      data-panel
      style={{ ...style, position: 'absolute', insetInlineStart: '600px', inlineSize: '380px' } as object}
    >
      <button type="button" {...grip}>
        Size
      </button>
    </div>
  )
}

function Unread({ count }: { count: number }) {
  useFavicon(count)
  return null
}

function Page({ part: Part }: { part: () => ReactNode }) {
  const [state, dispatch] = useReducer(chatState, { ...initialChatState, newChatModalOpen: true })
  const { pathname, search } = useLocation()
  const chat = { state, dispatch, failed: false, need: () => {}, isLastSeen: true, quietUntil: () => 0 }
  return (
    <ChatContext value={chat}>
      <output data-address={pathname + search} data-state={JSON.stringify(state)} />
      <Part />
      <Notices />
    </ChatContext>
  )
}

async function takes({ request }: { request: Request }) {
  const form = [...(await request.formData())].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.name,
  ])
  sent.push({ to: new URL(request.url).pathname, ...Object.fromEntries(form) })
  return answer
}

const partsFixture = {
  show(part: keyof typeof parts, answers: unknown = null) {
    toast.dismiss()
    root?.unmount()
    sent = []
    told = []
    answer = answers
    const Routes = createRoutesStub([
      {
        id: 'root',
        path: '/',
        children: [
          {
            id: 'shell/shell',
            loader: () => session,
            HydrateFallback: () => null,
            children: [
              { path: '*', action: takes, Component: () => <Page part={parts[part]} /> },
              { path: 'organizations/northwind/members', action: takes, Component: () => <Page part={parts[part]} /> },
              ...['settings/password', 'settings/picture'].map((path) => ({ path, action: takes })),
            ],
          },
        ],
      },
    ])
    root = createRoot(document.getElementById('root')!)
    root.render(
      <Translations language="en">
        <Routes initialEntries={['/organizations/northwind/members']} />
      </Translations>,
    )
  },
  sent: () => sent,
  told: () => told,
}

declare global {
  interface Window {
    partsFixture: typeof partsFixture
  }
}
window.partsFixture = partsFixture
document.documentElement.dataset.ready = ''
