import { BlockList, isIP, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a URL points to the machine it is opened on, so that other machines cannot reach it. */
export function isThisMachine(url: string): boolean {
  // Browsers and systems resolve these names to this machine without DNS.
  const host = new URL(url).hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1')
  if (isIP(host)) return loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
  return host === 'localhost' || host.endsWith('.localhost')
}
