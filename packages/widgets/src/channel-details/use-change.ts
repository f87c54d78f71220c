import { useNotices } from '../notices/use-notices.ts'

/** Runs a change of the channel; a failure is shown in a notice, success is visible anyway. */
export function useChange(): (work: Promise<unknown>) => void {
  const notices = useNotices()
  return (work) => void work.catch((error) => notices.failed('details.failed', error))
}
