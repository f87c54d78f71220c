/// <reference types="vite/client" />
import { indexedDBStorage } from '@parley/client/storage'
import { useEffect, useMemo, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { ChannelList } from '../channel-list/ChannelList.tsx'
import { ChannelPane } from '../channel-pane/ChannelPane.tsx'
import { Chat } from '../chat/Chat.tsx'
import type { People } from '../chat/people.ts'
import { addTexts } from '../i18n/add-texts.ts'
import { PreferencesButton } from '../preferences/PreferencesButton.tsx'
import type { SearchPlace } from '../search/search-place.ts'
import type { Theme } from '../theme/theme.ts'
import { ThreadInbox } from '../threads/ThreadInbox.tsx'
import { ada, aWorkingDay, bo, cy } from './a-working-day.ts'
import { type Conversation, FakeServer } from './fake-server.ts'
import '../styles.css'
import './kit-fixture.css'

export interface KitOptions {
  theme?: Theme
  themeClass?: string
  language?: string
  open?: string
  conversations?: Conversation[]
  /** a button that opens the preferences */
  preferences?: boolean
  /** the client's storage is the browser's, as in the product */
  remembers?: boolean
  originalPictures?: boolean
  people?: People
  pinnedBanner?: boolean
  /** the thread inbox replaces the list of conversations */
  inbox?: boolean
  /** the page goes to messages of other conversations, too */
  leaves?: boolean
  /** the browser's history contains the target message, as in the product */
  history?: boolean
  /** ms after which the page passes the search back, like one that loads something first */
  searchTakes?: number
}

let root: Root | undefined
let server: FakeServer
let show: (options: KitOptions) => void

function Kit({ given }: { given: KitOptions }) {
  const [options, setOptions] = useState(given)
  const [cid, setCid] = useState(given.open && `messaging:${given.open}`)
  const [search, setSearch] = useState<SearchPlace>()
  const { searchTakes } = options
  const visits = useVisits()
  show = (next) => setOptions((now) => ({ ...now, ...next }))
  return (
    <Chat
      client={server.client}
      theme={options.theme}
      themeClass={options.themeClass}
      language={options.language}
      originalPictures={options.originalPictures}
      messageHref={(cid, id) => `https://example.com/${cid}#${id}`}
      people={options.people}
    >
      <div className="kit" data-open={cid || undefined} data-search={search?.text}>
        {options.inbox ? (
          <ThreadInbox onSelect={(thread) => setCid(thread.channel.cid)} />
        ) : (
          <ChannelList
            header={
              <>
                <h1 className="chat-hidden">Kit</h1>
                {options.preferences && <PreferencesButton />}
              </>
            }
            activeCid={cid}
            onSelect={(channel) => setCid(channel.cid)}
            onNewChat={() => {}}
            onMessage={options.leaves ? () => {} : undefined}
          />
        )}
        <main>
          {cid && (
            <ChannelPane
              cid={cid}
              onBack={() => setCid(undefined)}
              onChannel={setCid}
              pinnedBanner={options.pinnedBanner}
              {...(options.history && visits)}
              onMessage={options.leaves ? () => {} : undefined}
              search={search}
              onSearch={searchTakes === undefined ? undefined : (place) => setTimeout(setSearch, searchTakes, place)}
            />
          )}
        </main>
      </div>
    </Chat>
  )
}

/** The target message in the browser's history. */
function useVisits() {
  const now = () => (history.state ?? { visit: 'first' }) as { visit: string; message?: string }
  const [{ visit, message }, setPlace] = useState(now)
  useEffect(() => {
    const end = new AbortController()
    addEventListener('popstate', () => setPlace(now()), end)
    return () => end.abort()
  })
  const onJump = (message: string) => {
    history.pushState({ visit: crypto.randomUUID(), message }, '')
    setPlace(now())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: every visit is a separate target
  const target = useMemo(() => (message === undefined ? undefined : { id: message }), [message, visit])
  return { visit, target, onJump }
}

const kitFixture = {
  ada,
  bo,
  cy,
  aWorkingDay,
  /** @param before  runs before anything is connected, for example to refuse calls */
  async start(options: KitOptions = {}, before: (server: FakeServer) => void = () => {}) {
    root?.unmount()
    const storage = options.remembers ? await indexedDBStorage() : undefined
    server = new FakeServer(ada, options.conversations ?? aWorkingDay(), storage)
    before(server)
    await server.connect()
    root = createRoot(document.getElementById('root')!)
    root.render(<Kit given={{ theme: 'light', language: 'en', ...options }} />)
  },
  /** The kit is on the page before anybody has signed in. */
  startSignedOut(options: KitOptions) {
    root?.unmount()
    server = new FakeServer(ada, aWorkingDay())
    root = createRoot(document.getElementById('root')!)
    root.render(<Kit given={{ theme: 'light', language: 'en', ...options }} />)
  },
  /** The server refuses the first connection for good. */
  async startUnreachable() {
    root?.unmount()
    server = new FakeServer(ada, [])
    server.connect({ refused: true }).catch(() => {})
    root = createRoot(document.getElementById('root')!)
    root.render(<Kit given={{ theme: 'light', language: 'en', open: 'bo' }} />)
  },
  server: () => server,
  addTexts,
  show: (options: KitOptions) => show(options),
  calls: (path: string) => server.calls.filter((call) => call.path.endsWith(path)),
}

declare global {
  interface Window {
    kitFixture: typeof kitFixture
  }
}
window.kitFixture = kitFixture
document.documentElement.dataset.ready = ''
