import { describe, expect, it } from 'vitest'
import { csrfToken as tokenInCookies } from '../http-client.ts'
import { csrfCookie, csrfSetCookie, csrfToken, csrfTokenOf, provesOrigin } from './csrf.server.ts'

const secret = 'a secret of at least 32 characters!'

function request(method: string, { cookie, header }: { cookie?: string; header?: string } = {}): Request {
  const headers = new Headers()
  if (cookie) headers.set('cookie', `theme=dark; ${csrfCookie}=${cookie}`)
  if (header) headers.set('X-XSRF-TOKEN', header)
  return new Request('http://localhost/settings', { method, headers })
}

describe('the CSRF token', () => {
  it('[HTTP-14] is in the cookie XSRF-TOKEN, readable for scripts of the product', () => {
    expect(csrfSetCookie('t', { secure: true })).toBe('XSRF-TOKEN=t; Path=/; SameSite=Lax; Secure')
    expect(tokenInCookies('theme=dark; XSRF-TOKEN=t')).toBe('t')
  })

  it('[HTTP-15] lets a changing call pass only with the value of the cookie in the header', () => {
    const token = csrfToken(secret)
    expect(provesOrigin(request('POST', { cookie: token, header: token }), secret)).toBe(true)
    expect(provesOrigin(request('POST', { cookie: token }), secret)).toBe(false)
    expect(provesOrigin(request('POST', { header: token }), secret)).toBe(false)
    expect(provesOrigin(request('POST', { cookie: token, header: csrfToken(secret) }), secret)).toBe(false)
    expect(provesOrigin(request('DELETE'), secret)).toBe(false)
  })

  it('refuses a token with a foreign signature, however equal cookie and header are', () => {
    expect(provesOrigin(request('POST', { cookie: 'planted.token', header: 'planted.token' }), secret)).toBe(false)
    expect(
      csrfTokenOf(request('GET', { cookie: csrfToken('another secret of 32 characters!!') }), secret),
    ).toBeUndefined()
  })

  it('lets a form pass that the browser submits from one of our pages before scripts load', () => {
    const cookie = csrfToken(secret)
    const form = (site: string, mode: string) => {
      const sent = request('POST', { cookie })
      sent.headers.set('sec-fetch-site', site)
      sent.headers.set('sec-fetch-mode', mode)
      return sent
    }
    expect(provesOrigin(form('same-origin', 'navigate'), secret)).toBe(true)
    expect(provesOrigin(form('cross-site', 'navigate'), secret)).toBe(false)
    expect(provesOrigin(form('same-site', 'navigate'), secret)).toBe(false)
    expect(provesOrigin(form('same-origin', 'cors'), secret)).toBe(false)
  })

  it('is not needed for calls that change nothing', () => {
    expect(provesOrigin(request('GET'), secret)).toBe(true)
  })
})
