/// <reference types="vite/client" />
import type { Channel } from '@parley/client'
import { useLayoutEffect, useRef, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Chat } from '../chat/Chat.tsx'
import { MessageList } from '../message-list/MessageList.tsx'
import { finishReading } from '../message-list/use-reading.ts'
import { type Conversation, FakeServer, type FakeUser } from './fake-server.ts'
import { type Frame, framesOf, painted, type Watched } from './frames.ts'
import { ada, bo, theLunchGroup } from './the-lunch-group.ts'
import '../styles.css'
import './chat-fixture.css'

let root: Root | undefined
let server: FakeServer
let channel: Channel
let show: (change: Partial<Look>) => void = () => {}

/** Elements around the list that do not concern it. */
interface Look {
  theme: 'light' | 'dark'
  language: string
  /** px of a pane beside the list */
  beside: number
  /** px of the text box */
  composer: number
}

function Pane({ theme }: { theme: 'light' | 'dark' }) {
  const input = useRef<HTMLInputElement>(null)
  const [look, setLook] = useState<Look>({ theme, language: 'en', beside: 0, composer: 56 })
  useLayoutEffect(() => {
    show = (change) => setLook((before) => ({ ...before, ...change }))
  }, [])
  return (
    <Chat client={server.client} theme={look.theme} language={look.language}>
      <div className="pane" style={{ marginInlineEnd: look.beside }}>
        <div className="pane-list">
          <MessageList channel={channel} onLeave={() => input.current?.focus()} />
        </div>
        <div className="pane-composer" style={{ blockSize: look.composer, boxSizing: 'border-box' }}>
          <input ref={input} aria-label="Message" />
        </div>
      </div>
    </Chat>
  )
}

export interface FixtureOptions {
  theme?: 'light' | 'dark'
  /** Starts without waiting for the channel to be loaded. */
  hold?: boolean
  /** Refused calls, as "POST /query". */
  refusing?: string[]
}

const scroller = () => document.querySelector<HTMLElement>('.chat-scroll')!
const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-key="${CSS.escape(id)}"]`)

const chatFixture = {
  theLunchGroup,
  bo,
  async open(given: Conversation, { theme = 'light', hold = false, refusing = [] }: FixtureOptions = {}) {
    root?.unmount()
    server = new FakeServer(ada, [given])
    await server.connect()
    channel = server.client.channel('messaging', given.id)
    if (hold) server.hold()
    for (const call of refusing) chatFixture.refuse(call)
    root = createRoot(document.getElementById('root')!)
    root.render(<Pane theme={theme} />)
  },
  /** Leaves the channel and opens it again. */
  async reopen() {
    root?.unmount()
    root = createRoot(document.getElementById('root')!)
    root.render(<Pane theme="light" />)
  },
  server: () => server,
  show: (change: Partial<Look>) => show(change),
  refuse: (call: string) => void server.refusals.set(call, { status: 404, code: 16 }),
  says: (user: FakeUser, text: string, fields = {}) => server.says(channel.id!, user, text, fields),
  /** The browser's events when a page goes to the background, and when it comes back. */
  hide(hidden: boolean) {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: hidden ? 'hidden' : 'visible' })
    document.dispatchEvent(new Event('visibilitychange'))
  },
  blur(away: boolean) {
    document.hasFocus = () => !away
    dispatchEvent(new Event(away ? 'blur' : 'focus'))
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
  /** The first row fully in view, and the one above it. */
  readingRow() {
    const rows = chatFixture.rows()
    const at = rows.findIndex((key) => chatFixture.topOf(key) >= -1)
    return { above: rows[at - 1]!, reading: rows[at]!, below: rows[at + 1]! }
  },
  async scrollBy(px: number) {
    scroller().scrollTop += px
    await painted()
    await painted()
  },
  watch(row: string, change: () => void | Promise<void>): Promise<Watched> {
    return framesOf(() => ({ top: rowOf(row)?.getBoundingClientRect().top, toEnd: chatFixture.toEnd() }), change)
  },
  /** Records every painted frame from now on, until the function at `endWatch` is called. */
  startWatch(row: string) {
    const frames: Frame[] = []
    let watching = true
    const note = async () => {
      for (await painted(); watching; await painted())
        frames.push({ top: rowOf(row)?.getBoundingClientRect().top, toEnd: chatFixture.toEnd() })
    }
    void note()
    chatFixture.endWatch = () => {
      watching = false
      return frames
    }
  },
  endWatch: (): Frame[] => [],
}

declare global {
  interface Window {
    chatFixture: typeof chatFixture
  }
}
window.chatFixture = chatFixture
document.documentElement.dataset.ready = ''
