import { useEffect, useRef, useState } from 'react'
import {
  type ActionFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useNavigation,
} from 'react-router'
import { chatPersonOf } from '../chat/start-new-chat.server.ts'
import type { MessageKey } from '../i18n/catalogues.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { personWithEmail } from '../people/person-store.server.ts'
import { clientAddressContext, type Product, productContext } from '../product.server.ts'
import { Field } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { readForm } from './read-form.server.ts'
import { sessionContext } from './session.server.ts'
import { safeBack, signIn } from './sign-in.server.ts'

interface Refusal {
  email?: MessageKey
  password?: MessageKey
  form?: MessageKey
}

export function loader({ request, context }: LoaderFunctionArgs) {
  if (context.get(sessionContext)) throw redirect(safeBack(new URL(request.url).searchParams.get('back')))
  return null
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

  const answer = await signIn(product, { email, password, address: context.get(clientAddressContext) })
  if (answer.type === 'tooOften') return { form: 'signIn.tooOften' }
  if (answer.type === 'refused') return { form: 'signIn.refused' }
  await tellChat(product, email)

  const headers = new Headers(answer.cookies.map((cookie) => ['set-cookie', cookie]))
  return redirect(safeBack(new URL(request.url).searchParams.get('back')), { headers })
}

/** The chat server learns the name and picture of today. Without it people still get into the product. */
async function tellChat({ database, chat }: Product, email: string): Promise<void> {
  const person = await personWithEmail(database, email)
  if (!chat || !person?.chatAccess) return
  try {
    await chat.savePeople([await chatPersonOf(database, person)])
  } catch (error) {
    console.error('The chat server could not be told about a person who signed in.', error)
  }
}

export default function SignInPage() {
  const t = useTranslate()
  const refusal = useActionData<typeof action>() as Refusal | undefined
  const busy = useNavigation().state !== 'idle'
  const [shown, setShown] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  // The first field in need of attention gets the focus, so that a screen reader reads its error.
  useEffect(() => {
    if (!refusal) return
    const field = refusal.email ? 'email' : 'password'
    form.current?.querySelector<HTMLInputElement>(`input[name=${field}]`)?.focus()
  }, [refusal])

  return (
    <main className="sign-in">
      <PageTitle>{t('signIn.title')}</PageTitle>
      <section className="sign-in-picture" aria-hidden="true">
        <Bubbles />
      </section>
      <section className="sign-in-panel">
        <div className="brand">
          <Logo />
          <span>{t('app.name')}</span>
        </div>
        <h1>{t('signIn.welcome')}</h1>
        <p className="lead">{t('signIn.lead')}</p>
        <Form method="post" ref={form} noValidate>
          {refusal?.form && (
            <p className="notice" data-kind="danger" role="alert">
              {t(refusal.form)}
            </p>
          )}
          <Field
            label={t('signIn.email')}
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            error={refusal?.email && t(refusal.email)}
          />
          <div className="password">
            <Field
              label={t('signIn.password')}
              name="password"
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              error={refusal?.password && t(refusal.password)}
            />
            <button
              type="button"
              className="icon-button"
              aria-label={t(shown ? 'signIn.hidePassword' : 'signIn.showPassword')}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              <Icon name="eye" />
            </button>
          </div>
          <button type="submit" className="button" data-kind="primary" data-wide aria-disabled={busy || undefined}>
            {t(busy ? 'signIn.submitting' : 'signIn.submit')}
          </button>
        </Form>
      </section>
    </main>
  )
}

/** A quiet picture of a conversation between two sides. */
function Bubbles() {
  return (
    <div className="bubbles">
      <span className="bubble" data-side="theirs" style={{ inlineSize: '62%' }} />
      <span className="bubble" data-side="theirs" style={{ inlineSize: '44%' }} />
      <span className="bubble" data-side="own" style={{ inlineSize: '54%' }} />
      <span className="bubble" data-side="theirs" style={{ inlineSize: '70%' }} />
      <span className="bubble" data-side="own" style={{ inlineSize: '38%' }} />
      <span className="bubble" data-side="own" style={{ inlineSize: '58%' }} />
    </div>
  )
}
