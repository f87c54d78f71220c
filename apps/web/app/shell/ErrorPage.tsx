import { Link } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

/** What is shown instead of a page that does not exist or broke. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const t = useTranslate()
  const title = t(notFound ? 'error.notFound' : 'error.title')
  return (
    <main className="lonely">
      <PageTitle>{title}</PageTitle>
      <Logo />
      <h1>{title}</h1>
      <p>{t(notFound ? 'error.notFound.body' : 'error.body')}</p>
      <Link className="button" data-kind="primary" to="/" reloadDocument={!notFound}>
        {t('error.back')}
      </Link>
    </main>
  )
}
