import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type Nats, startNats } from '../../../scripts/services/nats.ts'
import { BusyRoom } from './busy-room.ts'
import { startTlsStack, type TlsStackOptions } from './tls-stack.ts'

/** Gives the tests of a group a bus of their own, without other traffic. */
export function onABusOfItsOwn() {
  const before = process.env.TEST_NATS_URL
  let nats: Nats | undefined
  beforeAll(async () => {
    nats = await startNats({ nodes: 1 })
    process.env.TEST_NATS_URL = nats.url
  })
  afterAll(async () => {
    process.env.TEST_NATS_URL = before
    await nats?.stop()
  })
}

/** Has the stacks of this test use another PostgreSQL. */
export function onPostgresAt(url: string) {
  const before = process.env.TEST_POSTGRES_URL
  process.env.TEST_POSTGRES_URL = url
  onTestFinished(() => {
    process.env.TEST_POSTGRES_URL = before
  })
}

/** Users who have begun to chat, on two chat nodes behind TLS. */
export async function aRoomBehindTls(options: TlsStackOptions = {}) {
  const stack = await startTlsStack({ webNodes: 0, ...options })
  onTestFinished(() => stack.stop())
  const room = await BusyRoom.open(stack.company, stack.key, stack.chatUrl, ['ada', 'bo', 'cy', 'dee'])
  onTestFinished(() => room.close())
  room.begin()
  await room.goesOn()
  return { stack, room }
}
