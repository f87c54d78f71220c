import { useNotices } from '../notices/use-notices.ts'

/** A change of the channel that fails is said; one that works is seen. */
export function useChange(): (work: Promise<unknown>) => void {
  const notices = useNotices()
  return (work) => void work.catch((error) => notices.failed('details.failed', error))
}
