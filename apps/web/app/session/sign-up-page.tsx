import {
  type ActionFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useNavigation,
} from 'react-router'
import type { MessageKey } from '../i18n/catalogues.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { foundFirst } from '../organizations/found-organization.server.ts'
import { type FieldErrors, nameError, type PersonFields, readPersonFields, textOf } from '../people/person-fields.ts'
import { hasPeople } from '../people/person-store.server.ts'
import { clientAddressContext, productContext } from '../product.server.ts'
import { Field } from '../ui/Field.tsx'
import { useFirstError } from '../ui/use-first-error.ts'
import { useSendOnce } from '../ui/use-send-once.ts'
import { EntryPage } from './EntryPage.tsx'
import { PersonForm } from './PersonForm.tsx'
import { readForm } from './read-form.server.ts'
import { signInTo } from './sign-in.server.ts'

export { sendEntryForm as clientAction } from '../ui/send-form.ts'

type Errors = FieldErrors<'organizationName' | keyof PersonFields>

/** Only while there are no users: later users join by invitation. */
export async function loader({ context }: LoaderFunctionArgs) {
  if (await hasPeople(context.get(productContext).database.kysely)) throw redirect('/sign-in')
  return null
}

export async function action({ request, context }: ActionFunctionArgs): Promise<Errors | Response> {
  const product = context.get(productContext)
  const form = await readForm(request)
  const organizationName = textOf(form, 'organizationName')
  const read = readPersonFields(form)
  const invalid = nameError(organizationName)
  if (invalid || !read.ok) return { organizationName: invalid, ...(read.ok ? {} : read.errors) }

  if (!(await foundFirst(product, { ...read.fields, organizationName }, new Date()))) return redirect('/sign-in')
  const answer = await signInTo(product, request, { ...read.fields, address: context.get(clientAddressContext) }, '/')
  return answer instanceof Response ? answer : redirect('/sign-in')
}

/** The first page of an empty product: creates its first organization and the owner. */
export default function SignUpPage() {
  const t = useTranslate()
  const errors = useActionData<typeof action>() as Errors | undefined
  const busy = useNavigation().state !== 'idle'
  const sendOnce = useSendOnce(busy)
  const form = useFirstError(errors)
  const said = (key: MessageKey | undefined) => key && t(key)
  return (
    <EntryPage title={t('signUp.title')} heading={t('signUp.title')} lead={t('signUp.lead')}>
      <Form method="post" ref={form} noValidate onSubmit={sendOnce}>
        <Field
          label={t('organizations.name')}
          name="organizationName"
          autoComplete="organization"
          hint={t('organizations.name.hint')}
          error={said(errors?.organizationName)}
        />
        <PersonForm errors={errors} />
        <button type="submit" className="button" data-kind="primary" data-wide aria-disabled={busy || undefined}>
          {t('signUp.submit')}
        </button>
      </Form>
    </EntryPage>
  )
}
