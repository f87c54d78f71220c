import type { People } from '@parley/widgets'
import { useMemo } from 'react'
import { useSession } from '../session/use-session.ts'

/** The people of other organizations: a user can add the people they can start a chat with, and no others. */
export function useDirectory(): People {
  const own = useSession()
    .organizations.map(({ id }) => id)
    .join()
  return useMemo(() => {
    const directory = () => import('./directory.ts')
    const foreign = (ids: unknown) => (Array.isArray(ids) ? ids.find((id) => !own.split(',').includes(id)) : undefined)
    return {
      find: async (...asked) => (await directory()).find(...asked),
      add: async (...asked) => (await directory()).add(...asked),
      invite: async (...asked) => (await directory()).invite(...asked),
      manage: async (...asked) => (await directory()).manage(...asked),
      mayWriteTo: ({ organization_ids }) => foreign(organization_ids) !== undefined,
      startWith: async ({ id, organization_ids }) => (await directory()).startWith(id, foreign(organization_ids)),
    }
  }, [own])
}
