import { Suspense, useState } from 'react'
import { ChannelList } from '../channel-list/ChannelList.tsx'
import { ChannelPane } from '../channel-pane/ChannelPane.tsx'
import { longWord } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { lazyPart } from './lazy-part.tsx'

/** A complete chat, in the usual composition. */
function Messenger({ cid: first }: { cid: string }) {
  const [cid, setCid] = useState(first)
  return (
    <div className="story-messenger">
      <ChannelList activeCid={cid} onSelect={(channel) => setCid(channel.cid)} />
      <ChannelPane key={cid} cid={cid} />
    </div>
  )
}

/** A part that does not depend on the connection. */
const Gone = lazyPart<{ onClose?: () => void }>(() => Promise.reject(new TypeError('Failed to fetch')))

export const chat: Stories = {
  component: 'Chat',
  room: 'pane',
  empty: (root) => <InChat root={root}>{() => null}</InChat>,
  typical: (root) => <InChat root={root}>{(channel) => <Messenger cid={channel.cid} />}</InChat>,
  tooMuch: (root) => <InChat root={root}>{() => <p style={{ overflowWrap: 'anywhere' }}>{longWord}</p>}</InChat>,
  error: (root) => (
    <InChat root={root}>
      {() => (
        <Suspense fallback={null}>
          <Gone />
          <Gone onClose={() => {}} />
        </Suspense>
      )}
    </InChat>
  ),
}
