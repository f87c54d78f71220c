import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { Room } from './browser.ts'
import { type Stack, startStack } from './stack.ts'

interface Wanted {
  /** What the chat server is told besides, once that is known. */
  settings?: () => Promise<Record<string, string>>
  /** Whether it fills itself with people. */
  demo?: boolean
  /** Another one for each test, and each time it is told: for what takes people or organizations away. */
  anew?: boolean
}

/**
 * The product for all tests of a file or a group, on one node with SQLite, and a browser that everybody has left after
 * each test.
 *
 * @param given  gets both before the first test, and again whenever there is another product
 */
export function theProduct(given: (stack: Stack, room: Room) => void, { settings, demo, anew }: Wanted = {}) {
  let stack: Stack | undefined
  let room: Room | undefined
  const [start, stop] = anew ? [beforeEach, afterEach] : [beforeAll, afterAll]
  beforeAll(async () => {
    room = await Room.open()
  })
  afterAll(() => room?.close())
  start(async () => {
    stack = await startStack('sqlite', { web: true, demo, settings: await settings?.() })
    given(stack, room!)
  })
  stop(() => stack?.stop())
  afterEach(({ task }) => room?.clear(task))
}
