import type { People } from '@parley/widgets'
import { useMemo } from 'react'
import { useSession } from '../session/use-session.ts'

/** The people of other organizations: whoever a chat can be started with can be added to one, and nobody else. */
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
