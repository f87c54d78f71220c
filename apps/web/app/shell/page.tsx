import { Outlet } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'

/** The content of the shell. A page that crashes breaks neither the navigation nor the chat connection. */
export default function Page() {
  return <Outlet />
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorPage error={error} inside />
}
