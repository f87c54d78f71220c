import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { answerSize, HttpConnection, requestText } from './http-connection.ts'

it('knows the size of a response once its head has arrived', () => {
  const answer = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}')
  expect(answerSize(answer)).toBe(answer.length)
  expect(answerSize(answer.subarray(0, answer.length - 2))).toBe(answer.length)
  expect(answerSize(answer.subarray(0, 40))).toBeUndefined()
  expect(() => answerSize(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('without a length')
})

it('makes one call after the other, and reads responses in pieces', async () => {
  const long = 'long '.repeat(200_000)
  const port = await listening(
    createServer((request, response) => {
      const text = request.url === '/long' ? long : `${request.method} ${request.url}`
      request.resume().on('end', () => {
        response.writeHead(201, { 'Content-Length': text.length }).write(text.slice(0, 7))
        setImmediate(() => response.end(text.slice(7)))
      })
    }),
  )
  const connection = await HttpConnection.open(port)
  onTestFinished(() => connection.close())
  const call = (path: string) => connection.call(requestText(`POST ${path} HTTP/1.1\r\nHost: here\r\n`, '{}'))

  expect(await call('/short')).toEqual({ status: 201, body: 'POST /short' })
  expect(await call('/long')).toEqual({ status: 201, body: long })
  expect(await call('/again')).toEqual({ status: 201, body: 'POST /again' })
})

it('reports a call whose connection breaks', async () => {
  const port = await listening(createServer((request) => void request.socket.destroy()))
  const connection = await HttpConnection.open(port)
  const answer = await connection.call(requestText('POST /gone HTTP/1.1\r\nHost: here\r\n', '{}'))
  expect(answer.status).toBe(0)
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
