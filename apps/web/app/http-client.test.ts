import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallError, call, sayWhoCalls, showTo } from './http-client.ts'

afterEach(() => vi.unstubAllGlobals())

/** A fake network: it responds to every call as given and records the requests. */
function network(answer: () => Response | Promise<Response>) {
  const asked: Request[] = []
  vi.stubGlobal('location', { origin: 'http://localhost:3000' })
  vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=token' })
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    asked.push(input instanceof Request ? input : new Request(new URL(input, 'http://localhost:3000'), init))
    return answer()
  })
  return asked
}

describe('the general HTTP client', () => {
  it.each([200, 201, 299])('[HTTP-7] treats status %i as success', async (status) => {
    network(() => Response.json({ done: true }, { status }))
    expect(await call('/session')).toEqual({ done: true })
  })

  it.each([300, 401, 500])('[HTTP-6] treats status %i as failure, with the message of the server', async (status) => {
    network(() => Response.json({ type: 'error', error: 'No.' }, { status }))
    await expect(call('/session')).rejects.toMatchObject({ status, said: 'No.' })
  })

  it('a call without a response fails with status 0', async () => {
    network(() => Promise.reject(new TypeError('fetch failed')))
    await expect(call('/session')).rejects.toEqual(expect.objectContaining({ status: 0 }))
    await expect(call('/session')).rejects.toBeInstanceOf(CallError)
  })

  it('[HTTP-13] has no timeout by default', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout')
    network(() => Response.json({}))
    await call('/session')
    expect(limit).not.toHaveBeenCalled()
    await call('/session', { timeoutMs: 50 })
    expect(limit).toHaveBeenCalledWith(50)
    limit.mockRestore()
  })

  it('[HTTP-15] sends the token with calls that change the product, and with no others', async () => {
    const asked = network(() => Response.json({}))
    sayWhoCalls()
    await fetch('http://localhost:3000/sign-out', { method: 'POST' })
    await fetch('http://localhost:3000/session')
    await fetch('http://chat.example/channels', { method: 'POST' })
    expect(asked.map((request) => request.headers.get('x-xsrf-token'))).toEqual(['token', null, null])
  })

  it("sends the page's user to the product and to no other server", async () => {
    const asked = network(() => Response.json({}))
    sayWhoCalls()
    await fetch('http://localhost:3000/session')
    showTo('ada')
    await fetch('http://localhost:3000/session')
    await fetch('http://localhost:3000/settings', { method: 'POST' })
    await fetch('http://chat.example/channels')
    showTo(undefined)
    await fetch('http://localhost:3000/session')
    expect(asked.map((request) => request.headers.get('x-shown-to'))).toEqual([null, 'ada', 'ada', null, null])
  })

  it('leaves the body of a form unchanged', async () => {
    const asked = network(() => Response.json({}))
    sayWhoCalls()
    const body = new FormData()
    body.set('groupName', 'Tea')
    await fetch('http://localhost:3000/chat/api/startNewChat', { method: 'POST', body })
    expect((await asked[0]!.formData()).get('groupName')).toBe('Tea')
  })
})
