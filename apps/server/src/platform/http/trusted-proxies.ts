import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'

/** The proxies whose `X-Forwarded-For` is trusted: none, unless the operator names them. */
export class TrustedProxies {
  #trusted: BlockList
  /** Where connections come from, which call again and again. */
  #ends = new WeakMap<Socket, string | undefined>()
  /** @param names  addresses and networks, as in the settings */
  constructor(names: readonly string[]) {
    this.#trusted = blockListOf(names)
  }

  /**
   * The address a request comes from: the last one on its way that is not our proxy. A client can forge earlier ones in
   * `X-Forwarded-For`.
   */
  addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
    if (!this.#ends.has(socket)) this.#ends.set(socket, plain(socket.remoteAddress ?? ''))
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    let address = this.#ends.get(socket)
    while (address !== undefined && this.#trusts(address)) {
      const before = plain(forwarded.pop() ?? '')
      if (before === undefined) break
      address = before
    }
    return address
  }

  #trusts(address: string): boolean {
    return this.#trusted.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  }
}

/** @throws Error — something is neither an address nor a network */
export function blockListOf(names: readonly string[]): BlockList {
  const list = new BlockList()
  for (const name of names) {
    const [address = '', bits, ...more] = name.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (more.length > 0 || !/^\d*$/.test(bits ?? '')) throw new Error(`${name} is no network`)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits || Number.NaN), family)
  }
  return list
}

/**
 * A caller's network, as far as it identifies them: an IPv4 address, or the /64 of IPv6 in which one household, and
 * often one device, changes its address at will.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = [], tail = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

/** Without port, brackets, zone and the way IPv4 is written in IPv6; undefined for what is no address. */
function plain(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? []
  const address = (bracketed ?? text.trim().replace(/^([\d.]+):\d+$/, '$1')).replace(/%.*$/, '')
  const unmapped = address.replace(/^::ffff:(?=[\d.]+$)/i, '')
  return isIP(unmapped) ? unmapped : undefined
}
