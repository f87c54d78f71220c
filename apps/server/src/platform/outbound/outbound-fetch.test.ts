import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type LookupFunction, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, it, vi } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import {
  OutboundError,
  type OutboundFailure,
  operatorPolicy,
  outboundFetch,
  outboundLookup,
  publicPolicy,
} from './outbound-fetch.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server somebody else runs; gives its port. */
async function somebodysServer(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Dials a server of the test in place of every address; gives what was to be dialled. */
function theInternet(port: number): string[] {
  const dialled: string[] = []
  const { connect } = Socket.prototype
  const dial = function (this: Socket, ...given: unknown[]) {
    const [options] = (Array.isArray(given[0]) ? given[0] : given) as [Dialled]
    options.lookup(options.host, { all: true }, (_failed, addresses) => {
      for (const { address } of addresses as { address: string }[]) dialled.push(`${address} ${options.port}`)
    })
    return Reflect.apply(connect, this, [{ port, host: '127.0.0.1' }])
  }
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(dial as typeof connect)
  closing.push(() => spy.mockRestore())
  return dialled
}

interface Dialled {
  host: string
  port: number | string
  lookup: LookupFunction
}

const clock = new FakeClock()
const closed = { clock, privateHosts: [] }
const openTo = (...privateHosts: string[]) => ({ clock, privateHosts })

async function isRefused(call: Promise<unknown>, reason: OutboundFailure, about = '') {
  const error = await call.then(
    () => assert.fail(`${about} was answered`),
    (error: unknown) => error,
  )
  assert.ok(error instanceof OutboundError, `${about} failed with ${error}`)
  assert.equal(error.reason, reason, about)
}

describe('calls to other people’s servers', () => {
  it('reach no address that is not public, however it is written', async () => {
    const forbidden = [
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
      'http://0.0.0.0/',
      'http://10.1.2.3/',
      'http://172.16.0.1/',
      'http://192.168.1.1/',
      'http://100.64.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://192.0.0.192/',
      'http://224.0.0.1/',
      'http://255.255.255.255/',
      'http://[::1]/',
      'http://[::]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:a9fe:a9fe]/',
      'http://[::127.0.0.1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://[fe80::1]/',
      'http://[fc00::1]/',
      'http://[fd00:ec2::254]/',
      'http://[ff02::1]/',
      'http://[64:ff9b:1::a9fe:a9fe]/',
      'http://[::ffff:0:127.0.0.1]/',
      'http://[2001:0:7f00:1::]/',
      'http://[2001:db8::1]/',
      'http://[fec0::1]/',
      'http://[::ffff:100.64.0.1]/',
      'http://198.18.0.1/',
      'http://192.0.2.1/',
      'http://240.0.0.1/',
      'http://①②⑦.0.0.1/',
      'http://127.0.0.1./',
    ]
    for (const url of forbidden) await isRefused(outboundFetch(closed, url), 'forbidden', url)
  })

  it('reach every address that is public, whoever chose it', async () => {
    const port = await somebodysServer((request, answer) => answer.end(`hello from ${request.headers.host}`))
    const dialled = theInternet(port)
    const addresses = [
      ...['1.1.1.1', '9.255.255.255', '11.0.0.1', '93.184.215.14', '100.63.255.255', '100.128.0.1', '126.255.255.255'],
      ...['128.0.0.1', '169.253.255.255', '169.255.0.1', '172.15.255.255', '172.32.0.1', '192.167.255.255'],
      ...['192.169.0.1', '198.17.255.255', '198.20.0.1', '223.255.255.255'],
      ...['2001:4860:4860::8888', '2606:4700:4700::1111', '2a00:1450:4001::1', '2c0f:fb50:4002::1'],
    ]
    const outboundPolicies = [
      closed,
      operatorPolicy({ allowedPrivateHosts: [] }, clock),
      publicPolicy(clock, () => 'https://chat.example'),
    ]
    for (const address of addresses)
      for (const policy of outboundPolicies) {
        const url = `http://${address.includes(':') ? `[${address}]` : address}/`
        for (const [at, resolve] of [
          [url, async () => assert.fail('an address needs no look-up')],
          ['http://shop.example/', async () => [address]],
        ] as const) {
          const answer = await outboundFetch(policy, at, {}, resolve)
          assert.deepEqual([answer.status, String(answer.body)], [200, `hello from ${new URL(at).host}`], address)
          assert.deepEqual(dialled.splice(0), [`${address} 80`])
        }
      }
  })

  it('go to the public ones alone of a name that has private addresses as well', async () => {
    const port = await somebodysServer((request, answer) => {
      if (request.url === '/') answer.writeHead(302, { location: 'http://next.example/there' }).end()
      else answer.end('there')
    })
    const dialled = theInternet(port)
    const resolve = async (host: string) =>
      host === 'next.example' ? ['10.0.0.1', '93.184.215.15'] : ['127.0.0.1', '93.184.215.14', 'fd00::1', '2a00::1']
    const answer = await outboundFetch(closed, 'http://shop.example/', {}, resolve)
    assert.deepEqual([answer.url, String(answer.body)], ['http://next.example/there', 'there'])
    assert.deepEqual(dialled, ['93.184.215.14 80', '2a00::1 80', '93.184.215.15 80'])
    dialled.length = 0
    await isRefused(outboundFetch(closed, 'https://shop.example/', {}, resolve), 'unreachable', 'who speaks no TLS')
    assert.deepEqual(dialled, ['93.184.215.14 443', '2a00::1 443'])
    // What an operator names with a port is reached at that port alone.
    for (const [scheme, other, usual] of [
      ['http', 'https', 80],
      ['https', 'http', 443],
    ] as const) {
      dialled.length = 0
      const near = openTo(`shop.example:${usual}`)
      await outboundFetch(near, `${scheme}://shop.example/there`, {}, async () => ['10.0.0.1']).catch(() => {})
      assert.deepEqual(dialled, [`10.0.0.1 ${usual}`])
      const wrong = outboundFetch(near, `${other}://shop.example/there`, {}, async () => ['10.0.0.1'])
      await isRefused(wrong, 'forbidden', other)
    }
  })

  it('lead connections that are kept to public addresses, by the same rules', async () => {
    const found = async (url: string, all: boolean) => {
      const lookup = await outboundLookup(closed, url)
      return new Promise((resolve) =>
        lookup('whatever.example', { all }, (_failed, address, family) => resolve(all ? address : [address, family])),
      )
    }
    assert.deepEqual(await found('https://93.184.215.14/', true), [{ address: '93.184.215.14', family: 4 }])
    assert.deepEqual(await found('https://[2a00::1]/', true), [{ address: '2a00::1', family: 6 }])
    assert.deepEqual(await found('https://93.184.215.14/', false), ['93.184.215.14', 4])
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.1/', 'https://93.184.215.14:8443/'])
      await isRefused(outboundLookup(closed, url), 'forbidden', url)
  })

  it('of addresses that users write reach nothing private, whatever the operator allows', async () => {
    const port = await somebodysServer((_request, answer) => answer.end('secret'))
    const allowedPrivateHosts = ['127.0.0.1', 'localhost', '[::1]', '::1', '10.0.0.1', `127.0.0.1:${port}`]
    const ours = 'https://chat.example'
    const users = publicPolicy(clock, () => ours)
    const answer = await outboundFetch(operatorPolicy({ allowedPrivateHosts }, clock), `http://127.0.0.1:${port}/`)
    assert.equal(String(answer.body), 'secret')
    for (const host of [...allowedPrivateHosts, `localhost:${port}`, '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'])
      if (URL.canParse(`http://${host}/`))
        await isRefused(
          outboundFetch(users, `http://${host}/`, {}, async () => ['127.0.0.1']),
          'forbidden',
          host,
        )
  })

  it('of addresses that users write never come back to the server itself', async () => {
    const port = await somebodysServer((request, answer) => {
      const { searchParams } = new URL(request.url!, 'http://any')
      const to = searchParams.get('to')
      if (to) answer.writeHead(302, { location: to }).end()
      else answer.end('it')
    })
    const resolve = async () => ['93.184.215.14']
    for (const own of ['https://chat.example', 'http://chat.example/base/', 'https://CHAT.example:443']) {
      const users = publicPolicy(clock, () => own, ['127.0.0.1'])
      for (const url of [
        'https://chat.example/og?url=x',
        'http://chat.example/',
        'https://chat.example./',
        'http://CHAT.EXAMPLE/',
      ])
        for (const from of [url, `http://127.0.0.1:${port}/?to=${encodeURIComponent(url)}`])
          await isRefused(outboundFetch(users, from, {}, resolve), 'forbidden', `${from} at ${own}`)
    }
    const elsewhere = publicPolicy(clock, () => `http://127.0.0.1:${port}`, ['127.0.0.1'])
    await isRefused(outboundFetch(elsewhere, `http://127.0.0.1:${port}/`), 'forbidden')
  })

  it('reach web servers on their usual ports alone', async () => {
    const others = ['https://example.com:8443/', 'http://example.com:22/', 'ftp://example.com/', 'file:///etc/passwd']
    for (const url of [...others, 'gopher://example.com/', 'data:text/html,hi', 'javascript:alert(1)', 'no url', ''])
      await isRefused(outboundFetch(closed, url), 'forbidden', url)
  })

  it('do not believe in names of private addresses', async () => {
    for (const address of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:10.0.0.1', 'not an address'])
      await isRefused(
        outboundFetch(closed, 'http://innocent.example/', {}, async () => [address]),
        'forbidden',
        address,
      )
    const nowhere = outboundFetch(closed, 'http://innocent.example/', {}, async () => [])
    await isRefused(nowhere, 'unreachable')
  })

  it('go to the address that was checked, though the name has another one a moment later', async () => {
    const port = await somebodysServer((_request, answer) => answer.end('the checked one'))
    let asked = 0
    const turning = async () => {
      asked += 1
      return asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
    const url = `http://turning.example:${port}/`
    const answer = await outboundFetch(openTo(`turning.example:${port}`), url, {}, turning)
    assert.equal(String(answer.body), 'the checked one')
    assert.equal(asked, 1)
  })

  it('check where a redirect leads as they check the first address', async () => {
    const secret = await somebodysServer((_request, answer) => answer.end('secret'))
    const leading = (location: string) =>
      somebodysServer((_request, answer) => answer.writeHead(302, { location }).end())
    for (const target of [`http://127.0.0.1:${secret}/`, 'http://169.254.169.254/', 'file:///etc/passwd']) {
      const port = await leading(target)
      await isRefused(outboundFetch(openTo(`127.0.0.1:${port}`), `http://127.0.0.1:${port}/`), 'forbidden', target)
    }
  })

  it('follow three redirects and no more, and repeat no headers there', async () => {
    const seen: (string | undefined)[] = []
    const port = await somebodysServer((request, answer) => {
      const left = Number(request.url!.slice(1))
      seen.push(request.headers['x-secret'] as string | undefined)
      if (left === 0) answer.end('here')
      else answer.writeHead(307, { Location: `/${left - 1}` }).end()
    })
    const open = openTo('127.0.0.1')
    const headers = { 'X-Secret': 'tea' }
    const answer = await outboundFetch(open, `http://127.0.0.1:${port}/3`, { headers })
    assert.deepEqual([answer.url, String(answer.body)], [`http://127.0.0.1:${port}/0`, 'here'])
    assert.deepEqual(seen, ['tea', undefined, undefined, undefined])
    await isRefused(outboundFetch(open, `http://127.0.0.1:${port}/4`), 'too many redirects')
  })

  it('post a body once, and answer with a redirect rather than follow it', async () => {
    const posted: string[] = []
    const port = await somebodysServer(async (request, answer) => {
      let body = ''
      for await (const chunk of request) body += chunk
      posted.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
      answer.writeHead(308, { Location: '/again' }).end()
    })
    const call = { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } }
    const answer = await outboundFetch(openTo('127.0.0.1'), `http://127.0.0.1:${port}/hook`, call)
    assert.equal(answer.status, 308)
    assert.deepEqual(posted, ['POST /hook application/json {"a":1}'])
  })

  it('wait no longer than their time for a name, an answer or its end', async () => {
    const never = new Promise<string[]>(() => {})
    const arrived = Promise.withResolvers<void>()
    const port = await somebodysServer((request, answer) => {
      if (request.url === '/drips') answer.write('a')
      arrived.resolve()
    })
    const name = outboundFetch(closed, 'http://slow.example/', { timeLimitMs: 1_000 }, () => never)
    clock.advance(1_000)
    await isRefused(name, 'too slow', 'the name')
    for (const path of ['/silent', '/drips']) {
      const call = outboundFetch(openTo('127.0.0.1'), `http://127.0.0.1:${port}${path}`)
      await arrived.promise
      clock.advance(5_000)
      await isRefused(call, 'too slow', path)
    }
  })

  it('are over when the other side would rather speak another protocol', async () => {
    const server = createSocketServer((socket) => {
      const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
      socket.on('error', () => {}).once('data', () => socket.write(switching))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    closing.push(() => void server.close())
    const { port } = server.address() as AddressInfo
    await isRefused(outboundFetch(openTo('127.0.0.1'), `http://127.0.0.1:${port}/`), 'unreachable')
  })

  it('read no more than their limit, of what is unzipped too', async () => {
    const port = await somebodysServer((request, answer) => {
      const body = Buffer.alloc(2_000_000, 'a')
      if (request.url === '/zipped') answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body))
      else answer.end(body)
    })
    const open = openTo('127.0.0.1')
    for (const path of ['/plain', '/zipped']) {
      const url = `http://127.0.0.1:${port}${path}`
      await isRefused(outboundFetch(open, url), 'too long', path)
      const { body } = await outboundFetch(open, url, { sizeLimitBytes: 1_000, cutLong: true })
      assert.equal(String(body), 'a'.repeat(1_000))
    }
  })

  it('say so when nobody is there, or what comes is not what it says', async () => {
    const port = await somebodysServer((_request, answer) =>
      answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end('not zipped at all'),
    )
    await isRefused(outboundFetch(openTo('127.0.0.1'), `http://127.0.0.1:${port}/`), 'unreachable')
    for (const close of closing.splice(0)) close()
    await isRefused(outboundFetch(openTo('127.0.0.1'), `http://127.0.0.1:${port}/`), 'unreachable')
  })
})
