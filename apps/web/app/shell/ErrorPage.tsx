import { useEffect } from 'react'
import { isRouteErrorResponse, Link, useRevalidator } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { wrongOriginIn } from '../session/wrong-origin.ts'
import { Logo } from '../ui/Logo.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { beginAnew, isFetchFailure, isPartMissing } from './missing-part.ts'

/** How often a page that failed to load is tried again. */
const LOOK_AGAIN_MS = 5_000

/** Shown instead of a page that does not exist, crashed, or failed to load. */
export function ErrorPage({ error, inside }: ErrorPageProps) {
  const t = useTranslate()
  const { revalidate } = useRevalidator()
  const Frame = inside ? 'div' : 'main'
  const partMissing = isPartMissing(error)
  const wasUnreachable = partMissing || isFetchFailure(error)
  const again = () => (partMissing ? beginAnew() : revalidate()).catch(() => {})

  // The page loads once the server is reachable again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the retry depends on the error alone
  useEffect(() => {
    if (!wasUnreachable) return
    addEventListener('online', again)
    const timer = setInterval(again, LOOK_AGAIN_MS)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [error])

  const notFound = isRouteErrorResponse(error) && error.status === 404
  const what = wasUnreachable ? 'offline' : notFound ? 'error.notFound' : 'error'
  const wrongOrigin = wrongOriginIn(error)
  const title = wrongOrigin?.title ?? t(what === 'error.notFound' ? what : `${what}.title`)
  return (
    <Frame className="lonely">
      <PageTitle>{title}</PageTitle>
      <Logo />
      <h1>{title}</h1>
      <p className="lead">{wrongOrigin?.error ?? t(`${what}.body`)}</p>
      {wrongOrigin ? (
        <a className="button" data-kind="primary" href={wrongOrigin.publicUrl}>
          {wrongOrigin.publicUrl}
        </a>
      ) : wasUnreachable ? (
        <button type="button" className="button" data-kind="primary" onClick={again}>
          {t('offline.retry')}
        </button>
      ) : (
        <Link className="button" data-kind="primary" to="/" reloadDocument={!notFound}>
          {t('error.back')}
        </Link>
      )}
    </Frame>
  )
}

interface ErrorPageProps {
  error: unknown
  /** Rendered inside the shell, which has the main landmark. */
  inside?: boolean
}
