import {
  type ActionFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
} from 'react-router'
import { endChatOf } from '../chat/sync-users.server.ts'
import type { MessageKey } from '../i18n/catalogues.ts'
import { serverText } from '../i18n/server-text.server.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { hasPeople } from '../people/person-store.server.ts'
import { clientAddressContext, productContext } from '../product.server.ts'
import { useFirstError } from '../ui/use-first-error.ts'
import { useSendOnce } from '../ui/use-send-once.ts'
import { EmailField } from './EmailField.tsx'
import { EntryPage } from './EntryPage.tsx'
import { PasswordField } from './PasswordField.tsx'
import { readForm } from './read-form.server.ts'
import { sessionContext, shownToHeader } from './session.server.ts'
import { safeBack, signInTo, signOut } from './sign-in.server.ts'

export { sendEntryForm as clientAction } from '../ui/send-form.ts'

interface Refusal {
  email?: MessageKey
  password?: MessageKey
  form?: MessageKey
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (context.get(sessionContext)) throw redirect(safeBack(new URL(request.url).searchParams.get('back')))
  if (!(await hasPeople(context.get(productContext).database.kysely))) throw redirect('/sign-up')
  return { ended: hasEnded(request) ? await serverText(request, null, 'signIn.ended') : undefined }
}

/** Whether the visitor's session has just ended: their page or a left-over cookie shows it. */
function hasEnded({ url, headers }: Request): boolean {
  const hadOne = headers.has(shownToHeader) || /session_token=/.test(headers.get('cookie') ?? '')
  return hadOne && new URL(url).searchParams.has('back')
}

export async function action({ request, context }: ActionFunctionArgs): Promise<Refusal | Response> {
  const product = context.get(productContext)
  const form = await readForm(request)
  const email = String(form.get('email') ?? '').trim()
  const password = String(form.get('password') ?? '')
  if (!email || !password)
    return {
      email: email ? undefined : 'signIn.emailRequired',
      password: password ? undefined : 'signIn.passwordRequired',
    }

  const back = safeBack(new URL(request.url).searchParams.get('back'))
  const answer = await signInTo(product, request, { email, password, address: context.get(clientAddressContext) }, back)
  if (answer instanceof Response) {
    // The user who was signed in here in another tab gets no more notifications here.
    const before = context.get(sessionContext)
    if (before) {
      await signOut(product, request)
      await endChatOf(product, before)
    }
    return answer
  }
  return { form: answer === 'tooOften' ? 'signIn.tooOften' : 'signIn.refused' }
}

export default function SignInPage() {
  const t = useTranslate()
  const { ended } = useLoaderData<typeof loader>()
  const refusal = useActionData<typeof action>() as Refusal | undefined
  const busy = useNavigation().state !== 'idle'
  const sendOnce = useSendOnce(busy)
  const form = useFirstError(refusal)
  return (
    <EntryPage
      title={t('signIn.title')}
      heading={t('signIn.welcome')}
      lead={t('signIn.lead')}
      notice={refusal ? undefined : ended}
    >
      <Form method="post" ref={form} noValidate onSubmit={sendOnce}>
        <EmailField error={refusal?.email && t(refusal.email)} />
        <PasswordField error={refusal?.password && t(refusal.password)} />
        <button type="submit" className="button" data-kind="primary" data-wide aria-disabled={busy || undefined}>
          {t(busy ? 'signIn.submitting' : 'signIn.submit')}
        </button>
      </Form>
    </EntryPage>
  )
}
