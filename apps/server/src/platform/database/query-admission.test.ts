import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { ChatError } from '../chat-error.ts'
import { QueryAdmission } from './query-admission.ts'

const user = (name: string) => ({ name, isServer: false })

/** A query that ends when the test releases it. */
function held(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const query = () => {
    started.push(name)
    return promise
  }
  return { query, end: () => resolve(name) }
}

const isRefusal = (error: unknown) => {
  assert.ok(error instanceof ChatError)
  assert.equal(error.code, 9)
  assert.ok(error.retryAfterSeconds! > 0)
  return true
}

describe('queries whose cost their callers decide', () => {
  it('[LIM-7] run some at a time, callers in turn, however many one of them asks', async () => {
    const admission = new QueryAdmission(1)
    const started: string[] = []
    const queries = ['eve 1', 'eve 2', 'eve 3', 'ada 1', 'bo 1'].map((name) => ({ name, ...held(started, name) }))
    const answers = queries.map(({ name, query }) => admission.run(user(name.split(' ')[0]!), query))
    for (const { end } of queries) end()
    assert.deepEqual(await Promise.all(answers), ['eve 1', 'eve 2', 'eve 3', 'ada 1', 'bo 1'])
    assert.deepEqual(started, ['eve 1', 'eve 2', 'ada 1', 'bo 1', 'eve 3'])
  })

  it('[LIM-7] of one user run one after the other, though there is room; those of others and of a server beside them', async () => {
    const admission = new QueryAdmission(3)
    const started: string[] = []
    const [first, second, other, ours, oursToo] = ['eve 1', 'eve 2', 'ada', 'server 1', 'server 2'].map((name) =>
      held(started, name),
    )
    const server = { name: 'server', isServer: true }
    const answers = [
      admission.run(user('eve'), first!.query),
      admission.run(user('eve'), second!.query),
      admission.run(server, ours!.query),
      admission.run(server, oursToo!.query),
      admission.run(user('ada'), other!.query),
    ]
    assert.deepEqual(started, ['eve 1', 'server 1', 'server 2'])
    ours!.end()
    await answers[2]
    assert.deepEqual(started, ['eve 1', 'server 1', 'server 2', 'ada'])
    first!.end()
    await answers[0]
    assert.deepEqual(started.at(-1), 'eve 2')
    for (const one of [second, other, oursToo]) one!.end()
    assert.equal((await Promise.all(answers)).length, 5)
  })

  it('[LIM-7] are refused at once where one user has too many under way, with code 9 and when to come again', async () => {
    const admission = new QueryAdmission(1)
    const queries = Array.from({ length: 4 }, (_, i) => held([], `${i}`))
    const answers = queries.map(({ query }) => admission.run(user('eve'), query))
    await assert.rejects(
      admission.run(user('eve'), async () => 'one more'),
      isRefusal,
    )
    for (const { end } of queries) end()
    assert.equal((await Promise.all(answers)).length, 4)
    assert.equal(await admission.run(user('eve'), async () => 'again'), 'again')
  })

  it('[LIM-7] are refused where too many wait, and the places of those that are over are free again', async () => {
    const admission = new QueryAdmission(1)
    const first = held([], 'first')
    const running = admission.run(user('first'), first.query)
    const waiting = Array.from({ length: 200 }, (_, i) => admission.run(user(`user ${i}`), async () => i))
    await assert.rejects(
      admission.run(user('late'), async () => 'late'),
      isRefusal,
    )
    first.end()
    await running
    assert.equal((await Promise.all(waiting)).length, 200)
    assert.equal(await admission.run(user('late'), async () => 'now'), 'now')
  })

  it('[LIM-7] wait a bounded time, and a caller that gave up takes no turn', async () => {
    const admission = new QueryAdmission(1, 1)
    const started: string[] = []
    const first = held(started, 'first')
    const running = admission.run(user('first'), first.query)
    await assert.rejects(admission.run(user('ada'), held(started, 'ada').query), isRefusal)
    first.end()
    await running
    assert.equal(await admission.run(user('bo'), async () => 'bo'), 'bo')
    assert.deepEqual(started, ['first'])
  })

  it('[LIM-7] that fail give their place to the next', async () => {
    const admission = new QueryAdmission(1)
    await assert.rejects(
      admission.run(user('ada'), () => Promise.reject(new Error('no such column'))),
      /no such column/,
    )
    assert.equal(await admission.run(user('ada'), async () => 'fine'), 'fine')
  })
})
