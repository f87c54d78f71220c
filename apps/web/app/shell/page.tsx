import { useEffect } from 'react'
import { isRouteErrorResponse, Outlet, useRevalidator } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'

/** A page that could not be fetched is asked for again this often. */
const LOOK_AGAIN_MS = 5_000

/** What changes inside the shell. A page that breaks takes neither the navigation nor the connection of chat along. */
export default function Page() {
  return <Outlet />
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const { revalidate } = useRevalidator()
  const wasUnreachable = isFetchFailure(error)

  // A page that could not be fetched comes as soon as there is a way again.
  useEffect(() => {
    if (!wasUnreachable) return
    const again = () => void revalidate()
    addEventListener('online', again)
    const timer = setInterval(again, LOOK_AGAIN_MS)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [revalidate, wasUnreachable])

  return (
    <ErrorPage
      inside
      notFound={isRouteErrorResponse(error) && error.status === 404}
      onRetry={wasUnreachable ? () => void revalidate() : undefined}
    />
  )
}

/** Chromium, Firefox and Safari each say in their own words that no answer came. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message)
}
