import { Outlet } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'

/** What changes inside the shell. A page that breaks takes neither the navigation nor the connection of chat along. */
export default function Page() {
  return <Outlet />
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorPage error={error} inside />
}
