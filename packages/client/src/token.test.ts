import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { developmentToken, Tokens, userIdOf } from './token.ts'

const adas = developmentToken('ada')
const bos = developmentToken('bo')

describe('a token', () => {
  it('[AUTH-4] may be a string', async () => {
    const tokens = new Tokens()
    tokens.setForUser('ada', adas)
    assert.equal(await tokens.ready(), adas)
  })

  it('[AUTH-5] may be a function that returns it, now or later; anything else is refused', async () => {
    const tokens = new Tokens()
    tokens.setForUser('ada', () => adas)
    assert.equal(await tokens.ready(), adas)
    tokens.setForUser('ada', async () => adas)
    assert.equal(await tokens.ready(), adas)
    for (const wrong of [undefined, null, 42, { token: adas }])
      assert.throws(() => tokens.setForUser('ada', wrong as unknown as string), { code: 'CLIENT_TOKEN_TYPE' })
    tokens.setForUser('ada', () => 42 as unknown as string)
    await assert.rejects(tokens.ready(), { code: 'CLIENT_TOKEN_TYPE' })
  })

  it('[AUTH-3] must not be empty', async () => {
    const tokens = new Tokens()
    const message = 'A non-empty user token is required unless the user is anonymous'
    assert.throws(() => tokens.setForUser('ada', ''), { code: 'CLIENT_TOKEN_EMPTY', message })
    tokens.setForUser('ada', () => '')
    await assert.rejects(tokens.ready(), { code: 'CLIENT_TOKEN_EMPTY', message })
  })

  it('[AUTH-6] must belong to the connecting user, or it is refused before any call', async () => {
    const tokens = new Tokens()
    const refusal = { code: 'CLIENT_TOKEN_USER', message: "The token's user_id must be the id of the connecting user" }
    assert.throws(() => tokens.setForUser('ada', bos), refusal)
    assert.throws(() => tokens.setForUser('ada', 'not.a.token'), refusal)
    tokens.setForUser('ada', () => bos)
    await assert.rejects(tokens.ready(), refusal)
  })

  it('has its user id read in any alphabet', () => {
    assert.equal(userIdOf(developmentToken('ada-?>ü')), 'ada-?>ü')
    for (const broken of ['', 'a.b', 'x.eyJ9.y', 'a.bnVsbA.c', 'a.e30.c']) assert.equal(userIdOf(broken), undefined)
  })

  it('is required before a call: without one, the call is refused', async () => {
    const refusal = { code: 'CLIENT_TOKEN_MISSING', message: 'No token is set. Call connectUser first' }
    await assert.rejects(new Tokens().ready(), refusal)
  })
})

describe('a token function', () => {
  it('is called once for all waiting callers, and once for all later ones', async () => {
    let asked = 0
    const tokens = new Tokens()
    tokens.setForUser('ada', async () => {
      asked++
      return adas
    })
    assert.deepEqual(await Promise.all([tokens.ready(), tokens.ready()]), [adas, adas])
    await tokens.ready()
    assert.equal(asked, 1)
  })

  it('that fails is named as the cause, and is called again next time', async () => {
    const failure = new Error('no network')
    let isDown = true
    const tokens = new Tokens()
    tokens.setForUser('ada', () => {
      if (isDown) throw failure
      return adas
    })
    await assert.rejects(tokens.ready(), { code: 'CLIENT_TOKEN_LOAD_FAILED', cause: failure })
    isDown = false
    assert.equal(await tokens.ready(), adas)
  })

  it('renews a refused token, once for all calls that were refused', async () => {
    let count = 0
    const tokens = new Tokens()
    tokens.setForUser('ada', () => `${developmentToken('ada')}${++count}`)
    const old = await tokens.ready()
    const [first, second] = await Promise.all([tokens.renewed(old), tokens.renewed(old)])
    assert.equal(first, second)
    assert.equal(await tokens.renewed(old), first, 'somebody else has renewed it already')
    assert.equal(count, 2)
  })

  it('is ignored if it answers after its user has signed out', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const tokens = new Tokens()
    tokens.setForUser('ada', () => promise)
    const waiting = tokens.ready()
    tokens.setForUser('bo', bos)
    resolve(adas)
    assert.equal(await waiting, adas)
    assert.equal(await tokens.ready(), bos)
  })

  it('is ignored if it answers late, though the next user gives the same function', async () => {
    const asked: ((token: string) => void)[] = []
    const load = () => new Promise<string>((resolve) => asked.push(resolve))
    const tokens = new Tokens()
    tokens.setForUser('ada', load)
    const adasToken = tokens.ready()
    tokens.setForUser('bo', load)
    const bosToken = tokens.ready()
    await Promise.resolve()
    asked[0]?.(adas)
    assert.equal(await adasToken, adas)
    const meanwhile = tokens.ready()
    asked[1]?.(bos)
    assert.deepEqual([await bosToken, await meanwhile, await tokens.ready()], [bos, bos, bos])
    assert.equal(asked.length, 2)
  })

  it('[AUTH-18] is the only source that is called again: a fixed string stays', () => {
    const tokens = new Tokens()
    tokens.setForUser('ada', adas)
    assert.equal(tokens.isRenewable, false)
    tokens.setForUser('ada', () => adas)
    assert.equal(tokens.isRenewable, true)
  })
})
