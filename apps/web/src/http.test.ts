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
  ['a host that is none', '/', 'a b', 400],
  ['a host with more in it', '/sign-in', '<script>', 400],
  ['another place', 'http://evil.example/', 'localhost', 400],
  ['everything', '*', 'localhost', 400],
  ['a page', '/sign-in?back=//', 'localhost', 200],
])(
  'whoever asks for %s is answered, and no page is bothered with what is no address',
  async (_, path, host, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-'))
    const server = createServer(await withFiles(folder, (_, response) => response.end()))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.close()
      rmSync(folder, { recursive: true })
    })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`OPTIONS ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  },
)
