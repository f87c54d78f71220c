import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * The client's address: the last one on the request's path that is not a trusted proxy. Earlier entries of
 * `X-Forwarded-For` may be forged.
 *
 * @param peer  the other end of the connection
 */
export function clientAddress(peer: string, forwardedFor: string | null, proxies: BlockList): string {
  const way = forwardedFor?.split(',') ?? []
  let address = plain(peer)
  while (proxies.check(address, familyOf(address))) {
    const before = plain(way.pop() ?? '')
    if (!isIP(before)) break
    address = before
  }
  return address
}

/** Whether the other end of a connection is a trusted proxy. */
export function isTrusted(peer: string, proxies: BlockList): boolean {
  const address = plain(peer)
  return isIP(address) !== 0 && proxies.check(address, familyOf(address))
}

/** @throws Error — an entry is neither an address nor a network */
export function proxiesNamed(names: readonly string[]): BlockList {
  const list = new BlockList()
  for (const name of names) {
    const [address = '', bits] = name.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits || Number.NaN), familyOf(address))
  }
  return list
}

/** Without the port that some proxies add, and without the IPv6 form of IPv4 addresses. */
function plain(text: string): string {
  const address = text.trim().replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3')
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

function familyOf(address: string) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
