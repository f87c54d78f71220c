import {
  type ActionFunctionArgs,
  Form,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
} from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { type FieldErrors, type PersonFields, readPersonFields } from '../people/person-fields.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import { clientAddressContext, productContext } from '../product.server.ts'
import { EntryPage } from '../session/EntryPage.tsx'
import { PersonForm } from '../session/PersonForm.tsx'
import { readForm } from '../session/read-form.server.ts'
import { sessionContext } from '../session/session.server.ts'
import { signInTo } from '../session/sign-in.server.ts'
import { useFirstError } from '../ui/use-first-error.ts'
import { useSendOnce } from '../ui/use-send-once.ts'
import { joinByInvitation, signUpByInvitation } from './accept-invitation.server.ts'
import { openInvitation } from './invitation-store.server.ts'

export { sendEntryForm as clientAction } from '../ui/send-form.ts'

type Errors = FieldErrors<keyof PersonFields>

/** What the visitor can do with the link. */
type Invited =
  /** It has expired, was revoked, or is used. */
  | { as: 'nobody' }
  | (Invitation & { as: 'newcomer' | 'stranger' | 'member' })
  /** Another user is signed in. */
  | (Invitation & { as: 'other'; signedInAs: string })

interface Invitation {
  email: string
  organization: string
  invitedBy: string
}

export async function loader({ params, context }: LoaderFunctionArgs): Promise<Invited> {
  const { database } = context.get(productContext)
  const invitation = await openInvitation(database, params.secret!, new Date())
  if (!invitation) return { as: 'nobody' }
  const { email, invitedBy } = invitation
  const shown = { email, invitedBy, organization: invitation.organization.displayName }
  const person = context.get(sessionContext)
  if (person)
    return person.email === email ? { ...shown, as: 'member' } : { ...shown, as: 'other', signedInAs: person.email }
  return { ...shown, as: (await personWithEmail(database, email)) ? 'stranger' : 'newcomer' }
}

export async function action({ request, url, params, context }: ActionFunctionArgs): Promise<Errors | Response> {
  const product = context.get(productContext)
  const now = new Date()
  const path = url.pathname
  const form = await readForm(request)
  const invitation = await openInvitation(product.database, params.secret!, now)
  if (!invitation) return redirect(path)

  const members = `/organizations/${invitation.organization.id}/members`
  const person = context.get(sessionContext)
  if (person) return redirect((await joinByInvitation(product, invitation, person, now)) ? members : path)

  form.set('email', invitation.email)
  const read = readPersonFields(form)
  if (!read.ok) return read.errors
  if (!(await signUpByInvitation(product, invitation, read.fields, now))) return redirect(path)
  const given = { ...read.fields, address: context.get(clientAddressContext) }
  const answer = await signInTo(product, request, given, '/')
  return answer instanceof Response ? answer : redirect('/sign-in')
}

/** `/invitations/{secret}`: the page of an invitation link. */
export default function InvitationPage() {
  const t = useTranslate()
  const invited = useLoaderData<typeof loader>()
  const { pathname } = useLocation()
  const errors = useActionData<typeof action>() as Errors | undefined
  const busy = useNavigation().state !== 'idle'
  const form = useFirstError(errors)
  const sendOnce = useSendOnce(busy)

  if (invited.as === 'nobody')
    return (
      <EntryPage title={t('invited.title')} heading={t('invited.gone')} lead={t('invited.gone.body')}>
        <Link className="button" data-kind="primary" data-wide to="/">
          {t('error.back')}
        </Link>
      </EntryPage>
    )

  const { organization, invitedBy, email } = invited
  const heading = t('invited.heading', { organization })
  const lead = t('invited.lead', { name: invitedBy, organization })
  return (
    <EntryPage title={t('invited.title')} heading={heading} lead={lead}>
      {invited.as === 'newcomer' && (
        <Form method="post" ref={form} noValidate onSubmit={sendOnce}>
          <PersonForm errors={errors} email={email} />
          <button type="submit" className="button" data-kind="primary" data-wide aria-disabled={busy || undefined}>
            {t('invited.signUp')}
          </button>
        </Form>
      )}
      {invited.as === 'stranger' && (
        <Link
          className="button"
          data-kind="primary"
          data-wide
          to={`/sign-in?${new URLSearchParams({ back: pathname })}`}
        >
          {t('invited.signIn', { email })}
        </Link>
      )}
      {invited.as === 'member' && (
        <Form method="post" onSubmit={sendOnce}>
          <button type="submit" className="button" data-kind="primary" data-wide aria-disabled={busy || undefined}>
            {t('invited.join', { organization })}
          </button>
        </Form>
      )}
      {invited.as === 'other' && (
        <Form method="post" action="/sign-out">
          <p className="notice">{t('invited.other', { email, other: invited.signedInAs })}</p>
          <input type="hidden" name="back" value={pathname} />
          <button type="submit" className="button" data-kind="primary" data-wide aria-disabled={busy || undefined}>
            {t('nav.signOut')}
          </button>
        </Form>
      )}
    </EntryPage>
  )
}
