import { Suspense, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import type { WaysBack } from './MiniPlayer.tsx'

const MiniPlayer = lazyPart(() => import('./MiniPlayer.tsx'))

/** Shows and stops audio whose row is out of view. Renders nothing until then. */
export function NowPlaying(ways: WaysBack) {
  const { away } = useChat()
  const player = useSyncExternalStore(away.subscribe, away.snapshot, away.snapshot)
  if (!player) return null
  return (
    <Suspense fallback={null}>
      <MiniPlayer player={player} {...ways} />
    </Suspense>
  )
}
