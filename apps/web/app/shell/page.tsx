import { useEffect } from 'react'
import { isRouteErrorResponse, Outlet, useRevalidator } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'

/** What changes inside the shell. A page that breaks takes neither the navigation nor the connection of chat along. */
export default function Page() {
  return <Outlet />
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const { revalidate } = useRevalidator()

  // A page that could not be fetched comes as soon as there is a way again.
  useEffect(() => {
    const again = () => void revalidate()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [revalidate])

  return (
    <ErrorPage
      inside
      notFound={isRouteErrorResponse(error) && error.status === 404}
      onRetry={isFetchFailure(error) ? () => void revalidate() : undefined}
    />
  )
}

/** Browsers say it each in their own words; they have the kind of error in common. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && !navigator.onLine
}
