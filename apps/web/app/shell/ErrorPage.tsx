import { Link } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

/** What is shown instead of a page that does not exist, broke, or could not be fetched. */
export function ErrorPage({ notFound, inside, onRetry }: ErrorPageProps) {
  const t = useTranslate()
  const Frame = inside ? 'div' : 'main'
  if (onRetry)
    return (
      <Frame className="lonely">
        <PageTitle>{t('offline.title')}</PageTitle>
        <Logo />
        <h1>{t('offline.title')}</h1>
        <p className="lead">{t('offline.body')}</p>
        <button type="button" className="button" data-kind="primary" onClick={onRetry}>
          {t('offline.retry')}
        </button>
      </Frame>
    )
  const title = t(notFound ? 'error.notFound' : 'error.title')
  return (
    <Frame className="lonely">
      <PageTitle>{title}</PageTitle>
      <Logo />
      <h1>{title}</h1>
      <p className="lead">{t(notFound ? 'error.notFound.body' : 'error.body')}</p>
      <Link className="button" data-kind="primary" to="/" reloadDocument={!notFound}>
        {t('error.back')}
      </Link>
    </Frame>
  )
}

interface ErrorPageProps {
  notFound: boolean
  /** It stands in the shell, which has the main landmark. */
  inside?: boolean
  /** Given when the page could not be fetched and may come another time. */
  onRetry?: () => void
}
