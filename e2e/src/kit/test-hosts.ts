/**
 * Makes Node resolve the tests' host names to this machine, where no name server knows them. It takes effect on import,
 * also with `--import` of a started program.
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
