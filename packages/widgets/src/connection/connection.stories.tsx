import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'

export const connectionBanner: Stories = {
  component: 'ConnectionBanner',
  empty: (root) => <InChat>{() => <ConnectionBanner {...root} />}</InChat>,
  typical: (root) => <InChat then={(server) => server.drops()}>{() => <ConnectionBanner {...root} />}</InChat>,
  tooMuch: 'There is one connection, and one sentence about it.',
  error: (root) => <InChat then={(server) => server.drops()}>{() => <ConnectionBanner {...root} />}</InChat>,
}
