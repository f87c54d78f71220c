import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTlsStack, type TlsStack } from './kit/tls-stack.ts'

/** Long enough for HAProxy's health checks, ten per second. */
const DRAIN_SECONDS = '2'
/** Concurrent clients. */
const CALLERS = 3

let stack: TlsStack
beforeAll(async () => {
  stack = await startTlsStack({ chatNodes: 1, webSettings: { DRAIN_SECONDS } })
})
afterAll(() => stack?.stop())

it('[APP-38] a rolling restart of two web apps behind HAProxy fails no call', async () => {
  const { webs, proxy, webUrl } = stack
  const failures: string[] = []
  let [answered, isOver] = [0, false]
  const calls = async (path: string) => {
    while (!isOver) {
      const answer = await fetch(webUrl + path, { redirect: 'manual' }).catch((error: Error) => error)
      const isAnswer = answer instanceof Response
      if (!isAnswer || answer.status >= 500)
        failures.push(isAnswer ? `${path} ${answer.status}` : `${path} ${answer.message} ${answer.cause}`)
      if (isAnswer) await answer.text()
      answered++
    }
  }
  const callers = Array.from({ length: CALLERS }, (_, n) =>
    calls(['/welcome', '/sign-in', '/manifest.webmanifest'][n % 3]!),
  )

  for (const [n, web] of webs.entries()) {
    const before = answered
    const stopped = web.stop()
    await proxy.sees(`web${n + 1}`, 'DOWN')
    await stopped
    await web.start()
    await proxy.sees(`web${n + 1}`, 'UP')
    expect(answered).toBeGreaterThan(before)
  }
  isOver = true
  await Promise.all(callers)
  expect(failures).toEqual([])
})
