import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { Room, type Visitor } from './browser.ts'
import { type Place, type Stack, startStack } from './stack.ts'

interface Wanted {
  /** On one node with SQLite unless said otherwise. */
  place?: Place
  /** What the chat server is told besides, once that is known. */
  settings?: () => Promise<Record<string, string>>
  /** Whether pages on this machine stand for public ones. */
  neighbours?: boolean
  /** Whether it fills itself with people. */
  demo?: boolean
  /** Another one for each test, and each time it is told: for what takes people or organizations away. */
  anew?: boolean
  /** Whether the browser shows notifications; else it is one without windows. */
  windows?: boolean
}

/** What there is between the first test and the last, and in between whenever there is another product. */
export interface TheProduct {
  readonly stack: Stack
  readonly room: Room
  /** Where people find it. */
  readonly url: string
  /** Somebody who has just opened a browser. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>
  /** Somebody who has signed in before, on the page named. */
  member(email: string, path?: string, options?: BrowserContextOptions): Promise<Visitor>
}

/** The product for all tests of a file or a group, and a browser that everybody has left after each test. */
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
