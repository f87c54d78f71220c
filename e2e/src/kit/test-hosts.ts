/**
 * Has Node find the hosts of tests on this machine, where no name server knows them. Whoever imports it does, and so
 * does a program that is started with `--import` of it.
 */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

export const TEST_DOMAIN = 'parley.test'

type Lookup = (host: string, ...rest: unknown[]) => unknown

const here =
  (lookup: Lookup): Lookup =>
  (host, ...rest) =>
    lookup(host.endsWith(`.${TEST_DOMAIN}`) ? '127.0.0.1' : host, ...rest)

Object.assign(dns.promises, { lookup: here(dns.promises.lookup as Lookup) })
Object.assign(dns, { lookup: here(dns.lookup as Lookup) })
syncBuiltinESMExports()
