import { describe, expect, it } from 'vitest'
import { clientAddress, proxiesNamed } from './client-address.ts'

describe('the client address', () => {
  const proxies = proxiesNamed(['10.0.0.0/8', '2001:db8::1'])

  it.each([
    ['the other end, whatever is claimed, where no proxy is named', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['whoever our proxy says', '10.0.0.2', '198.51.100.1', '198.51.100.1'],
    ['the last that is not ours', '10.0.0.2', '192.0.2.66, 198.51.100.1, 10.0.0.3', '198.51.100.1'],
    ['somebody with IPv6', '2001:db8::1', '2001:db8::77', '2001:db8::77'],
    ['our proxy as IPv6 writes it', '::ffff:10.0.0.2', '198.51.100.1:4711', '198.51.100.1'],
    ['our proxy itself', '10.0.0.2', null, '10.0.0.2'],
    ['our proxy, which says nonsense', '10.0.0.2', 'unknown', '10.0.0.2'],
  ])('is %s', (_, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(address)
  })
})
