/// <reference types="vite/client" />
import type { Channel } from '@parley/client'
import { useRef } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Chat } from '../chat/Chat.tsx'
import { MessageList } from '../message-list/MessageList.tsx'
import { finishReading } from '../message-list/use-reading.ts'
import { framesOf, painted, type Watched } from './frames.ts'
import { type Conversation, PretendServer, type PretendUser } from './pretend-server.ts'
import { ada, bo, theLunchGroup } from './the-lunch-group.ts'
import '../styles.css'
import './chat-fixture.css'

let root: Root | undefined
let server: PretendServer
let channel: Channel

function Pane({ theme, composer = true }: { theme: 'light' | 'dark'; composer?: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Chat client={server.client} theme={theme} language="en">
      <div className="pane">
        <div className="pane-list">
          <MessageList channel={channel} onLeave={() => input.current?.focus()} />
        </div>
        {composer && (
          <div className="pane-composer">
            <input ref={input} aria-label="Message" />
          </div>
        )}
      </div>
    </Chat>
  )
}

export interface FixtureOptions {
  theme?: 'light' | 'dark'
  /** Starts without waiting for the channel to be loaded. */
  hold?: boolean
  /** Calls that are refused, as "POST /query". */
  refusing?: string[]
}

const scroller = () => document.querySelector<HTMLElement>('.chat-scroll')!
const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-key="${CSS.escape(id)}"]`)

const chatFixture = {
  theLunchGroup,
  bo,
  async open(given: Conversation, { theme = 'light', hold = false, refusing = [] }: FixtureOptions = {}) {
    root?.unmount()
    server = new PretendServer(ada, [given])
    await server.connect()
    channel = server.client.channel('messaging', given.id)
    if (hold) server.hold()
    for (const call of refusing) chatFixture.refuse(call)
    root = createRoot(document.getElementById('root')!)
    root.render(<Pane theme={theme} />)
  },
  /** Leaves the channel and comes back to it. */
  async reopen() {
    root?.unmount()
    root = createRoot(document.getElementById('root')!)
    root.render(<Pane theme="light" />)
  },
  server: () => server,
  refuse: (call: string) => void server.refusals.set(call, { status: 404, code: 16 }),
  says: (user: PretendUser, text: string, fields = {}) => server.says(channel.id!, user, text, fields),
  /** What the browser says of a page in the background, and again when it comes back. */
  hide(hidden: boolean) {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: hidden ? 'hidden' : 'visible' })
    document.dispatchEvent(new Event('visibilitychange'))
  },
  channel: () => channel,
  finishReading: () => finishReading(channel),
  calls: (path: string) => server.calls.filter((call) => call.path.endsWith(path)).map(({ body }) => body),
  rows: () => [...document.querySelectorAll<HTMLElement>('[data-key]')].map((row) => row.dataset.key!),
  textOf: (id: string) => rowOf(id)?.textContent ?? undefined,
  toEnd: () => scroller().scrollHeight - scroller().clientHeight - scroller().scrollTop,
  topOf: (id: string) => rowOf(id)!.getBoundingClientRect().top - scroller().getBoundingClientRect().top,
  height: () => scroller().clientHeight,
  scroller,
  painted,
  inView() {
    const box = scroller().getBoundingClientRect()
    return chatFixture.rows().filter((key) => {
      const row = rowOf(key)!.getBoundingClientRect()
      return row.top >= box.top && row.bottom <= box.bottom
    })
  },
  async scrollBy(px: number) {
    scroller().scrollTop += px
    await painted()
    await painted()
  },
  watch(row: string, change: () => void | Promise<void>): Promise<Watched> {
    return framesOf(() => ({ top: rowOf(row)?.getBoundingClientRect().top, toEnd: chatFixture.toEnd() }), change)
  },
}

declare global {
  interface Window {
    chatFixture: typeof chatFixture
  }
}
window.chatFixture = chatFixture
document.documentElement.dataset.ready = ''
