import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { syncChatUser } from '../chat/sync-users.server.ts'
import type { MessageKey } from '../i18n/catalogues.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { nameError, textOf } from '../people/person-fields.ts'
import { productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requirePerson } from '../session/session.server.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { foundOrganization } from './found-organization.server.ts'
import { NewOrganization } from './NewOrganization.tsx'
import { OrganizationTile } from './OrganizationTile.tsx'
import { membershipsOf, type Organization, organizationsFor } from './organization-store.server.ts'

export { sendForm as clientAction } from '../ui/send-form.ts'

export interface FoundAnswer {
  error: MessageKey
}

export async function loader({ request, url, context }: LoaderFunctionArgs) {
  const person = requirePerson({ request, url, context })
  return { organizations: await organizationsFor(context.get(productContext).database, person.id) }
}

/** Creates another organization. Owners may, and own the new one, too. */
export async function action({ request, url, context }: ActionFunctionArgs): Promise<FoundAnswer | Response> {
  const person = requirePerson({ request, url, context })
  const { database } = context.get(productContext)
  const name = textOf(await readForm(request), 'name')
  const own = await membershipsOf(database, person.id)
  const error = own.some(({ role }) => role === 'owner') ? nameError(name) : 'organizations.ownersOnly'
  if (error) return { error }
  const id = await foundOrganization(database, { name, ownerId: person.id }, new Date())
  await syncChatUser(context.get(productContext), person.id)
  return redirect(`/organizations/${id}/members`)
}

export default function OrganizationsPage() {
  const t = useTranslate()
  const { organizations } = useLoaderData<typeof loader>()
  const own = organizations.filter(({ role }) => role)
  const others = organizations.filter(({ role }) => !role)
  return (
    <div className="page">
      <PageTitle>{t('organizations.title')}</PageTitle>
      <header className="page-head">
        <h1>{t('organizations.title')}</h1>
        <p className="lead">{t('organizations.lead')}</p>
        {own.some(({ role }) => role === 'owner') && <NewOrganization />}
      </header>
      {organizations.length === 0 && <p className="empty">{t('organizations.none')}</p>}
      <Tiles title={t('organizations.own')} organizations={own} />
      <Tiles title={t('organizations.others')} organizations={others} />
    </div>
  )
}

function Tiles({ title, organizations }: { title: string; organizations: Organization[] }) {
  const t = useTranslate()
  if (organizations.length === 0) return null
  return (
    <section className="section">
      <h2>{title}</h2>
      <ul className="tiles">
        {organizations.map(({ id, displayName, memberCount, role }) => (
          <OrganizationTile
            key={id}
            id={id}
            displayName={displayName}
            about={t('organizations.members', { count: memberCount })}
            role={role}
          />
        ))}
      </ul>
    </section>
  )
}
