import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { now } from '../../../scripts/machine-time.ts'
import { describeDatabases, type TestProduct } from '../src/testing/a-product.ts'
import { giveBack, purgeUnusedRateLimits, type RateLimit, spend } from './rate-limit.server.ts'

describeDatabases('an allowance', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open({ empty: true })
  })
  afterAll(() => test.close())

  const start = Date.UTC(2026, 10, 23, 12)
  const tea: RateLimit = { name: 'tea', atOnce: 3, pauseMs: 60_000 }

  /** How many of these concurrent attempts succeed. */
  async function succeed(whose: string, tries: number, afterMs: number, rateLimit = tea): Promise<number> {
    const now = new Date(start + afterMs)
    const spent = Array.from({ length: tries }, () => spend(test.product.database, rateLimit, whose, 1, now))
    return (await Promise.all(spent)).filter((isSpent) => isSpent).length
  }

  it('allows a number at once, and one more with each pause', async () => {
    expect(await succeed('ada', 20, 0)).toBe(3)
    expect(await succeed('ada', 20, 58_000)).toBe(0)
    expect(await succeed('ada', 20, 60_000)).toBe(1)
    expect(await succeed('ada', 20, 210_000)).toBe(2)
    expect(await succeed('ada', 20, 3_600_000)).toBe(3)
  })

  it('counts right where a later attempt is written first, as from a node with a slow clock', async () => {
    expect(await succeed('eva', 1, 0)).toBe(1)
    expect(await succeed('eva', 20, -700)).toBe(2)
  })

  it("[APP-40] uses the database's time, whatever the node's clock", async () => {
    const { database } = test.product
    const tries = async (hoursOff: number) => {
      vi.setSystemTime(now().getTime() + hoursOff * 3_600_000)
      return (await Promise.all(Array.from({ length: 5 }, () => spend(database, tea, 'samir')))).filter(Boolean).length
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await tries(-5)).toBe(3)
    expect(await tries(10)).toBe(0)
    await purgeUnusedRateLimits(database)
    expect(await tries(0)).toBe(0)
  })

  it('counts separately for each key and each limit', async () => {
    expect(await succeed('bo', 3, 0)).toBe(3)
    expect(await succeed('mei', 3, 0)).toBe(3)
    expect(await succeed('bo', 3, 0, { ...tea, name: 'coffee' })).toBe(3)
  })

  it('gets returned uses back', async () => {
    expect(await succeed('tom', 4, 0)).toBe(3)
    await giveBack(test.product.database, tea, 'tom')
    expect(await succeed('tom', 4, 0)).toBe(1)
  })

  it('is stored while it is partly used, without its key', async () => {
    const { database } = test.product
    await database.kysely.deleteFrom('allowance').execute()
    await succeed('ada@northwind.example', 1, 0)
    await succeed('bo@kiku.example', 2, 0)
    await purgeUnusedRateLimits(database, new Date(start + 60_000))
    const kept = await database.kysely.selectFrom('allowance').selectAll().execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain('kiku')
  })
})
