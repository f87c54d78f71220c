import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { withFiles } from './http.ts'

it.each([
  ['a host that is none', 'OPTIONS /', 'a b', 400],
  ['a host with more in it', 'OPTIONS /sign-in', '<script>', 400],
  ['another place', 'OPTIONS http://evil.example/', 'localhost', 400],
  ['everything', 'OPTIONS *', 'localhost', 400],
  ['the own words back', 'TRACE /', 'localhost', 405],
  ['a page', 'OPTIONS /sign-in?back=//', 'localhost', 200],
])(
  'whoever asks for %s is answered, and no page is bothered with what it cannot take',
  async (_, asked, host, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-'))
    const server = createServer(await withFiles(folder, (_, response) => response.end()))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.close()
      rmSync(folder, { recursive: true })
    })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`${asked} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  },
)
