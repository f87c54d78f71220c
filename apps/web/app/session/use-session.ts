import { useRouteLoaderData } from 'react-router'
import type { SessionData } from './session-data.server.ts'

/** The session data, on any page inside the shell. */
export function useSession(): SessionData {
  const session = useRouteLoaderData<SessionData>('shell/shell')
  if (!session) throw new Error('There is no shell around this page.')
  return session
}
