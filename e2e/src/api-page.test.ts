/** The API page, as an author of a client reads it. */
import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { Room } from './kit/browser.ts'
import { type Stack, startStack } from './kit/stack.ts'

let stack: Stack
let room: Room
beforeAll(async () => {
  stack = await startStack('sqlite', { web: false })
  room = await Room.open()
})
afterAll(async () => {
  await room?.close()
  await stack?.stop()
})

it('lists every call with its parameters and an example that was really sent', async () => {
  const { page, faults } = await room.visitor(stack.chats[0]!.url)
  // It loads some hundred calls before it shows any.
  page.setDefaultTimeout(50_000)
  await page.goto('/docs#/channels/SendMessage')
  const call = page.locator('#operations-channels-SendMessage')
  await call.getByText('The first flush is here!').first().waitFor()
  assert.match(await call.innerText(), /channels\/\{type\}\/\{id\}\/message/)
  assert.deepEqual(faults, [])
})
