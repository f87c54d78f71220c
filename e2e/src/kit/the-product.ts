import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { Room, type Visitor } from './browser.ts'
import { type Place, type Stack, startStack } from './stack.ts'

interface Wanted {
  /** One node with SQLite by default. */
  place?: Place
  /** Further settings of the chat server, once they are known. */
  settings?: () => Promise<Record<string, string>>
  /** Whether pages on this machine count as public ones. */
  neighbours?: boolean
  /** Whether it creates its demo data. */
  demo?: boolean
  /** A new product for each test and each retry: for tests that delete users or organizations. */
  anew?: boolean
  /** Whether the browser shows notifications; by default it is headless. */
  windows?: boolean
}

/** The product between the first test and the last; it can be replaced between tests. */
export interface TheProduct {
  readonly stack: Stack
  readonly room: Room
  /** Its public URL. */
  readonly url: string
  /** A user in a new browser context. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>
  /** A signed-in user on the given page. */
  member(email: string, path?: string, options?: BrowserContextOptions): Promise<Visitor>
}

/** The product for all tests of a file or a group, and a browser whose visitors are closed after each test. */
export function theProduct({ place = 'sqlite', settings, demo, neighbours, anew, windows }: Wanted = {}): TheProduct {
  let stack: Stack | undefined
  let room: Room | undefined
  const [start, stop] = anew ? [beforeEach, afterEach] : [beforeAll, afterAll]
  beforeAll(async () => {
    room = await Room.open({ windows })
  })
  afterAll(() => room?.close())
  start(async () => {
    stack = await startStack(place, { web: true, demo, neighbours, settings: await settings?.() })
  })
  stop(() => stack?.stop())
  afterEach(({ task }) => room?.clear(task))
  return {
    get stack() {
      return stack!
    },
    get room() {
      return room!
    },
    get url() {
      return stack!.webs[0]!.url
    },
    visitor(options) {
      return this.room.visitor(this.url, options)
    },
    member(email, path, options) {
      return this.room.member(this.url, email, path, options)
    },
  }
}
