import {
  type ActionFunctionArgs,
  type FetcherWithComponents,
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from 'react-router'
import { useStartChat } from '../chat/use-start-chat.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { useTimes } from '../i18n/use-times.ts'
import { Invitations } from '../invitations/Invitations.tsx'
import { InvitePeople } from '../invitations/InvitePeople.tsx'
import { invitationsOf } from '../invitations/invitation-store.server.ts'
import { DeleteOrganization } from '../organizations/DeleteOrganization.tsx'
import { organizationWithId, type Role } from '../organizations/organization-store.server.ts'
import { Avatar } from '../people/Avatar.tsx'
import { fullName } from '../people/person.ts'
import { productContext } from '../product.server.ts'
import { requirePerson } from '../session/session.server.ts'
import { useSession } from '../session/use-session.ts'
import '../styles/members.css'
import { Icon } from '../ui/Icon.tsx'
import { PeopleIcon } from '../ui/later-icons.tsx'
import { Pager } from '../ui/Pager.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { useFocusKept } from '../ui/use-focus-kept.ts'
import { changeMembers, type MemberChangeAnswer } from './change-members.server.ts'
import { LeaveOrganization } from './LeaveOrganization.tsx'
import { MemberMenu, MemberRole } from './MemberMenu.tsx'
import { type Member, type MemberSort, memberSorts, membersOf } from './member-store.server.ts'
import { directoryParameters, readPage } from './paging.ts'
import { useMemberChange } from './use-member-change.ts'

export { sendForm as clientAction } from '../ui/send-form.ts'

export async function loader({ request, url, context, params }: LoaderFunctionArgs) {
  const person = requirePerson({ request, url, context })
  const { database } = context.get(productContext)
  const organization = await organizationWithId(database, params.organizationId!, person.id)
  if (!organization) throw new Response('Not found', { status: 404 })
  const { searchParams } = new URL(request.url)
  const search = searchParams.get(directoryParameters.search) ?? ''
  const { sort, descending } = readSort(searchParams.get(directoryParameters.sort))
  const page = readPage(searchParams.get(directoryParameters.page))
  const isOwn = organization.role !== undefined
  const query = { organizationId: organization.id, search, sort, descending, page, isOwn }
  const members = await membersOf(database, query)
  const invitations = manages(organization) ? await invitationsOf(database, organization.id, new Date()) : []
  return { organization, search, sort, descending, invitations, ...members }
}

export async function action({
  request,
  url,
  context,
  params,
}: ActionFunctionArgs): Promise<MemberChangeAnswer | Response> {
  const person = requirePerson({ request, url, context })
  return changeMembers(context.get(productContext), request, person, params.organizationId!)
}

/** Whether this role manages members [APP-29]. */
function manages({ role }: { role?: Role }): boolean {
  return role === 'owner' || role === 'admin'
}

/** "name", or "-name" for descending order. */
function readSort(value: string | null): { sort: MemberSort; descending: boolean } {
  const descending = value?.startsWith('-') ?? false
  const sort = memberSorts.find((known) => known === value?.replace('-', '')) ?? 'name'
  return { sort, descending }
}

/** The directory of one organization: searchable, sortable, ten to a page. */
export default function MembersPage() {
  const t = useTranslate()
  const { organization, invitations, rows, search, total, page, pageCount, sort, descending } =
    useLoaderData<typeof loader>()
  const [, setParameters] = useSearchParams()
  const busy = useNavigation().state === 'loading'
  const isManager = manages(organization)
  const leaving = useMemberChange()
  const place = useFocusKept<HTMLDivElement>()

  const show = (changes: Partial<Record<keyof typeof directoryParameters, string>>, options?: { replace: boolean }) =>
    setParameters(
      (parameters) => {
        if (!('page' in changes)) parameters.delete(directoryParameters.page)
        for (const [name, value] of Object.entries(changes)) {
          const key = directoryParameters[name as keyof typeof directoryParameters]
          if (value) parameters.set(key, value)
          else parameters.delete(key)
        }
        return parameters
      },
      { preventScrollReset: true, ...options },
    )

  return (
    <div className="page" data-wide ref={place}>
      <PageTitle>{organization.displayName}</PageTitle>
      <header className="page-head">
        <Link className="back" to="/organizations">
          <Icon name="left" />
          <span>{t('members.back')}</span>
        </Link>
        <h1>{organization.displayName}</h1>
        <p className="lead">{t('members.lead', { count: organization.memberCount })}</p>
      </header>
      <div className="toolbar">
        <SearchField
          key={organization.id}
          label={t('members.search')}
          search={search}
          onSearch={(text) => show({ search: text }, { replace: true })}
        />
        {isManager && <InvitePeople role={organization.role!} />}
      </div>
      {rows.length === 0 ? (
        <div className="empty">
          <PeopleIcon />
          <p>{search ? t('members.nobody', { search }) : t('members.none')}</p>
          {search && <p className="muted">{t('members.nobody.hint')}</p>}
        </div>
      ) : (
        <div className="table-frame" aria-busy={busy}>
          <table className="members">
            <thead>
              <tr>
                <SortHeader
                  column="name"
                  name={t('members.name')}
                  {...{ sort, descending }}
                  onSort={(value) => show({ sort: value })}
                />
                <SortHeader
                  column="role"
                  name={t('members.role')}
                  {...{ sort, descending }}
                  onSort={(value) => show({ sort: value })}
                />
                <SortHeader
                  column="joined"
                  name={t('members.joined')}
                  {...{ sort, descending }}
                  onSort={(value) => show({ sort: value })}
                />
                <th scope="col" className="members-actions">
                  <span className="unseen">{t('members.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((member) => (
                <MemberRow key={member.memberId} member={member} ownRole={organization.role} leaving={leaving} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="table-foot" aria-live="polite">
        {search !== '' && rows.length > 0 && <span className="muted">{t('newChat.results', { count: total })}</span>}
        <Pager page={page} pageCount={pageCount} onPage={(next) => show({ page: next > 1 ? String(next) : '' })} />
      </div>
      <Invitations invitations={invitations} />
      {organization.role === 'owner' && <DeleteOrganization organization={organization.displayName} />}
    </div>
  )
}

function SortHeader({ column, name, sort, descending, onSort }: SortHeaderProps) {
  const t = useTranslate()
  const active = sort === column
  const next = active && !descending ? `-${column}` : column
  return (
    <th
      scope="col"
      className={`members-${column}`}
      aria-sort={active ? (descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="sort"
        title={t('members.sort', { column: name })}
        onClick={() => onSort(next === 'name' ? '' : next)}
      >
        <span>{name}</span>
        {active && <Icon name={descending ? 'down' : 'up'} />}
      </button>
    </th>
  )
}

interface SortHeaderProps {
  column: MemberSort
  name: string
  sort: MemberSort
  descending: boolean
  onSort: (value: string) => void
}

function MemberRow({ member, ownRole, leaving }: MemberRowProps) {
  const t = useTranslate()
  const written = useTimes()
  const session = useSession()
  const startChat = useStartChat()
  const fetcher = useMemberChange()
  const { id, identity } = member.user
  const name = fullName(identity)
  const isOneself = id === session.user.id
  const isOwner = ownRole === 'owner'
  // Only owners may change owners.
  const isManaged = !isOneself && manages({ role: ownRole }) && (isOwner || member.role !== 'owner')
  const reachable = !ownRole && !isOneself && member.chatAccess && !!session.chatUser

  return (
    <tr data-busy={fetcher.state !== 'idle' || undefined}>
      <th scope="row" className="members-name">
        <span className="person">
          <Avatar id={id} {...identity} image={identity.imageUrl} size={40} />
          <span className="person-text">
            <span className="person-name">
              <bdi>{name}</bdi>
              {isOneself && <span className="tag">{t('members.you')}</span>}
            </span>
            {member.email && <span className="muted">{member.email}</span>}
          </span>
        </span>
      </th>
      <td className="members-role">
        {isManaged ? (
          <MemberRole member={member} isOwner={isOwner} submit={fetcher.submit} />
        ) : (
          <span className="tag" data-role={member.role}>
            {t(`role.${member.role}`)}
          </span>
        )}
        {!isManaged && !member.chatAccess && (
          <span className="tag" data-kind="off">
            {t('members.noChat')}
          </span>
        )}
      </td>
      <td className="members-joined muted">
        <time dateTime={member.joinedAt}>{written(member.joinedAt, { dateStyle: 'medium' })}</time>
      </td>
      <td className="members-actions">
        <span className="actions">
          {reachable && (
            <button
              type="button"
              className="button"
              data-size="small"
              aria-label={t('members.messageTo', { name })}
              aria-disabled={startChat.busy !== undefined || undefined}
              onClick={() => startChat.direct({ userId: id, orgId: member.organization.id })}
            >
              <Icon name="chat" />
              <span className="button-text">{t('members.message')}</span>
            </button>
          )}
          {isOneself && <LeaveOrganization organization={member.organization.displayName} submit={leaving.submit} />}
          {isManaged && <MemberMenu member={member} submit={fetcher.submit} remove={leaving.submit} />}
        </span>
      </td>
    </tr>
  )
}

interface MemberRowProps {
  member: Member
  /** The viewer's role; absent when they are not a member of this organization. */
  ownRole?: Role
  /** Submits the change that removes the row. */
  leaving: FetcherWithComponents<MemberChangeAnswer>
}
