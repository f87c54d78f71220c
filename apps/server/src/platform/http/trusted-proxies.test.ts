import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'vitest'
import { networkOf, TrustedProxies } from './trusted-proxies.ts'

const addressOf = (names: string[], remoteAddress: string | undefined, forwarded?: string) =>
  new TrustedProxies(names).addressOf({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as IncomingMessage)

describe('the client address', () => {
  it('is the socket’s address, whatever the headers claim, unless a trusted proxy sets them', () => {
    assert.equal(addressOf([], '203.0.113.7', '198.51.100.1'), '203.0.113.7')
    assert.equal(addressOf(['10.0.0.0/8'], '203.0.113.7', '198.51.100.1'), '203.0.113.7')
    assert.equal(addressOf(['10.0.0.0/8'], '10.1.2.3', '198.51.100.1'), '198.51.100.1')
    assert.equal(addressOf(['10.0.0.0/8'], '::ffff:10.1.2.3', '198.51.100.1'), '198.51.100.1')
    assert.equal(addressOf(['::1'], '::1', '2001:db8::7'), '2001:db8::7')
    assert.equal(addressOf([], undefined), undefined)
  })

  it('is the last one that is not a proxy of ours: earlier ones may be forged', () => {
    assert.equal(addressOf(['10.0.0.0/8'], '10.1.2.3', '192.0.2.9, 198.51.100.1, 10.9.9.9'), '198.51.100.1')
    assert.equal(addressOf(['10.0.0.0/8'], '10.1.2.3', '10.4.4.4'), '10.4.4.4')
    assert.equal(addressOf(['10.0.0.0/8'], '10.1.2.3'), '10.1.2.3')
    for (const odd of ['', 'unknown', '198.51.100.1, <script>', '999.1.1.1'])
      assert.equal(addressOf(['10.0.0.0/8'], '10.1.2.3', odd), '10.1.2.3')
  })

  it('is read in every format proxies use', () => {
    for (const [written, read] of [
      ['198.51.100.1:4711', '198.51.100.1'],
      ['[2001:db8::7]:4711', '2001:db8::7'],
      ['[2001:db8::7]', '2001:db8::7'],
      ['fe80::1%eth0', 'fe80::1'],
    ] as const)
      assert.equal(addressOf(['10.0.0.1'], '10.0.0.1', written), read)
  })
})

it('is reduced to its /64 for IPv6, and complete for IPv4', () => {
  assert.equal(networkOf('198.51.100.1'), '198.51.100.1')
  for (const address of ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::6', '2001:0db8:0001:0002::'])
    assert.equal(networkOf(address), '2001:db8:1:2::/64')
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.equal(networkOf('1::2:3:4:5:6:7'), '1:0:2:3::/64')
})
