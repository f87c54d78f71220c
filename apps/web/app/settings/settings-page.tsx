import { useEffect } from 'react'
import {
  type ActionFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  useActionData,
  useLoaderData,
  useNavigation,
} from 'react-router'
import { syncChatUser } from '../chat/sync-users.server.ts'
import { languages } from '../i18n/languages.ts'
import { serverText } from '../i18n/server-text.server.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { NotificationSettings } from '../notifications/NotificationSettings.tsx'
import { farewellOf } from '../people/delete-person.server.ts'
import { NameFields } from '../people/NameFields.tsx'
import { saveProfile } from '../people/person-store.server.ts'
import { clientAddressContext, productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requirePerson } from '../session/session.server.ts'
import { useSession } from '../session/use-session.ts'
import '../styles/settings.css'
import { Choice } from '../ui/Field.tsx'
import { noticeDone, noticeError } from '../ui/notices.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useFocusKept } from '../ui/use-focus-kept.ts'
import { useRestoredInput } from '../ui/use-restored-input.ts'
import { DeleteAccount } from './DeleteAccount.tsx'
import { type AccountRefusal, deleteAccount } from './delete-account.server.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { ProfilePicture } from './ProfilePicture.tsx'
import { type ProfileErrors, readProfile } from './read-profile.ts'

export { sendForm as clientAction } from '../ui/send-form.ts'

interface Answer {
  saved: boolean
  /** In the newly chosen language. */
  notice?: string
  errors?: ProfileErrors
  /** Why the account was not deleted. */
  refusal?: AccountRefusal
}

export async function loader({ request, url, context }: LoaderFunctionArgs) {
  const person = requirePerson({ request, url, context })
  const { push, database } = context.get(productContext)
  return { pushKey: push.publicKey, farewell: await farewellOf(database.kysely, person.id) }
}

export async function action({ request, url, context }: ActionFunctionArgs): Promise<Answer | Response> {
  const person = requirePerson({ request, url, context })
  const product = context.get(productContext)
  const form = await readForm(request)
  if (form.get('do') === 'deleteAccount') {
    const refusal = await deleteAccount(product, { request, address: context.get(clientAddressContext) }, person, form)
    return refusal instanceof Response ? refusal : { saved: false, refusal }
  }

  const read = readProfile(form)
  if (!read.ok) return { saved: false, errors: read.errors }

  await saveProfile(product.database, person.id, read.profile)
  await syncChatUser(product, person.id)
  return { saved: true, notice: await serverText(request, { ...person, ...read.profile }, 'settings.saved') }
}

export default function SettingsPage() {
  const t = useTranslate()
  const { user, chatUser } = useSession()
  const { pushKey, farewell } = useLoaderData<typeof loader>()
  const answer = useActionData<Answer>()
  const busy = useNavigation().state !== 'idle'
  const place = useFocusKept<HTMLDivElement>()
  useRestoredInput()

  // biome-ignore lint/correctness/useExhaustiveDependencies: one notice per response, not one per language
  useEffect(() => {
    if (answer?.notice) noticeDone(answer.notice)
    else if (answer?.errors) noticeError(t(Object.values(answer.errors).find((key) => key)!))
  }, [answer])

  return (
    <div className="page" data-narrow ref={place}>
      <PageTitle>{t('settings.title')}</PageTitle>
      <header className="page-head">
        <h1>{t('settings.title')}</h1>
      </header>
      <Form method="post" noValidate className="form" preventScrollReset>
        <section className="card">
          <div className="card-head">
            <h2>{t('settings.profile')}</h2>
            <p className="muted">{t('settings.profile.lead')}</p>
          </div>
          <ProfilePicture user={user} />
          <NameFields user={user} errors={answer?.errors} />
        </section>
        <section className="card">
          <div className="card-head">
            <h2>{t('settings.appearance')}</h2>
            <p className="muted">{t('settings.appearance.lead')}</p>
          </div>
          <Choice label={t('settings.language')} name="language" defaultValue={user.language ?? ''}>
            <option value="">{t('settings.language.browser')}</option>
            {Object.entries(languages).map(([language, name]) => (
              <option key={language} value={language} lang={language}>
                {name}
              </option>
            ))}
          </Choice>
          <fieldset className="themes">
            <legend>{t('settings.theme')}</legend>
            <div className="theme-choices">
              {(['light', 'dark', 'system'] as const).map((theme) => (
                <label key={theme} className="theme-choice" data-preview={theme}>
                  <input type="radio" name="theme" value={theme} defaultChecked={user.theme === theme} />
                  <span className="theme-preview" aria-hidden="true">
                    <i />
                    <i />
                    <i />
                  </span>
                  <span>{t(`settings.theme.${theme}`)}</span>
                </label>
              ))}
            </div>
          </fieldset>
        </section>
        <div className="form-foot">
          <button type="submit" className="button" data-kind="primary" aria-disabled={busy || undefined}>
            {t('settings.save')}
          </button>
        </div>
      </Form>
      {chatUser && <NotificationSettings publicKey={pushKey} />}
      <PasswordForm />
      <DeleteAccount farewell={farewell} refusal={answer?.refusal} />
    </div>
  )
}
