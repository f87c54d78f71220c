import { afterAll, afterEach, beforeAll } from 'vitest'
import { Room } from './browser.ts'
import { type Stack, startStack } from './stack.ts'

/**
 * The product with its demo for all tests of a file or a group, on one node with SQLite, and a browser that everybody has
 * left after each test.
 *
 * @param given     gets both before the first test
 * @param settings  what the chat server is told besides, once that is known
 */
export function theProduct(
  given: (stack: Stack, room: Room) => void,
  settings: () => Promise<Record<string, string>> = async () => ({}),
) {
  let stack: Stack | undefined
  let room: Room | undefined
  beforeAll(async () => {
    stack = await startStack('sqlite', { web: true, settings: await settings() })
    room = await Room.open()
    given(stack, room)
  })
  afterEach(({ task }) => room?.clear(task))
  afterAll(async () => {
    await room?.close()
    await stack?.stop()
  })
}
