/**
 * The least a Node server can do for the benchmarks' calls: no rules, no database, just `node:http`, `ws` and a loop
 * over the watchers.
 *
 *     node broadcast.ts each|turn BYTES
 *     node broadcast.ts synced BYTES FILE
 *
 * `each` sends to every watcher with `ws`; `turn` builds the frame once and gives each watcher one write per turn of
 * the event loop; `synced` does as `each`, after the message is written to FILE and synced to disk. BYTES is the length
 * of an event.
 */
import { randomUUID } from 'node:crypto'
import { fdatasync, openSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

interface Screen {
  webSocket: WebSocket
  socket: Duplex
}

interface Room {
  screens: Screen[]
  waiting: Buffer[]
}

/** One synced write: a page, as of a database. */
const PAGE_BYTES = 4096
/** Pages until the file is overwritten from its start, as a database does with its log. */
const PAGES = 1000

const [mode, bytes, path] = process.argv.slice(2)
const file = path === undefined ? undefined : openWritten(path)
/** Callbacks after the current sync and the one that follows it. */
let unsynced: (() => void)[] = []
let isSyncing = false
let page = 0
const screens = new Map<string, Screen>()
const rooms = new Map<string, Room>()
let dirty: Room[] = []

const http = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response))
})
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false })
http.on('upgrade', (request, socket, start) => {
  sockets.handleUpgrade(request, socket, start, (webSocket) => {
    const id = randomUUID()
    screens.set(id, { webSocket, socket })
    webSocket.on('close', () => screens.delete(id))
    webSocket.on('error', () => webSocket.terminate())
    webSocket.send(JSON.stringify({ type: 'health.check', connection_id: id }))
  })
})
http.listen(Number(process.env.PORT), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))

function answer(request: IncomingMessage, body: string, response: ServerResponse) {
  const url = new URL(request.url!, 'http://localhost')
  const [, , , name, action] = url.pathname.split('/')
  if (action === 'message') {
    const tell = () => {
      say(roomOf(name!), name!, url.searchParams.get('user_id')!, JSON.parse(body).message)
      end(request, response)
    }
    if (file === undefined) tell()
    else onceSynced(file, body, tell)
    return
  }
  if (action === 'query') {
    const screen = screens.get(url.searchParams.get('connection_id') ?? '')
    if (screen) roomOf(name!).screens.push(screen)
  }
  end(request, response)
}

function end(request: IncomingMessage, response: ServerResponse) {
  const text = '{"duration":"0.00ms"}'
  response.writeHead(request.method === 'POST' ? 201 : 200, {
    'Content-Type': 'application/json',
    'Content-Length': text.length,
  })
  response.end(text)
}

/** Writes at once, and calls back when a sync that began afterwards has ended: one sync serves all that waited. */
function onceSynced(fd: number, body: string, callBack: () => void) {
  writeSync(fd, body.padEnd(PAGE_BYTES), (page++ % PAGES) * PAGE_BYTES)
  if (unsynced.push(callBack) === 1 && !isSyncing) sync(fd)
}

function sync(fd: number) {
  const waiting = unsynced
  unsynced = []
  isSyncing = true
  fdatasync(fd, (error) => {
    if (error) throw error
    isSyncing = false
    for (const callBack of waiting) callBack()
    if (unsynced.length > 0) sync(fd)
  })
}

/** Preallocated, so that a sync need not write a new file size. */
function openWritten(path: string) {
  const fd = openSync(path, 'w+')
  writeSync(fd, Buffer.alloc(PAGES * PAGE_BYTES), 0)
  return fd
}

function say(room: Room, name: string, userId: string, { id, text }: { id: string; text: string }) {
  const event = { type: 'message.new', cid: `messaging:${name}`, created_at: new Date().toISOString() }
  const message = { id, text, user: { id: userId }, created_at: event.created_at, fill: '' }
  const missing = Number(bytes) - JSON.stringify({ ...event, message }).length
  message.fill = '.'.repeat(Math.max(0, missing))
  const words = JSON.stringify({ ...event, message })
  if (mode !== 'turn') {
    for (const { webSocket } of room.screens) webSocket.send(words)
    return
  }
  if (room.waiting.push(frame(words)) > 1) return
  if (dirty.push(room) === 1) setImmediate(flush)
}

function flush() {
  const ready = dirty
  dirty = []
  for (const room of ready) {
    const frames = Buffer.concat(room.waiting)
    room.waiting = []
    for (const { socket } of room.screens) socket.write(frames)
  }
}

function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.from([0x81, 126, 0, 0])
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

function roomOf(name: string): Room {
  let room = rooms.get(name)
  if (!room) {
    room = { screens: [], waiting: [] }
    rooms.set(name, room)
  }
  return room
}
