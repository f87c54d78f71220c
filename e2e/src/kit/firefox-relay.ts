/**
 * A relay between Playwright and the Firefox at FIREFOX_PATH, which looks like a Firefox to Playwright. A
 * distribution's
 * Firefox lacks some WebDriver BiDi commands that Playwright always sends; the relay answers these and passes on
 * everything else unchanged.
 */
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** It would set the preferred colour scheme; the test machine's is used instead. */
const UNKNOWN_TO_FIREFOX = 'emulation.setMediaFeaturesOverride'
const READY = /WebDriver BiDi listening on (ws:\/\/\S+)/

const firefox = spawn(process.env.FIREFOX_PATH!, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.on('exit', (code) => process.exit(code ?? 1))
createInterface(firefox.stderr).on('line', (line) => {
  const [, address] = READY.exec(line) ?? []
  if (address) relay(address)
  else console.error(line)
})

function relay(address: string) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('listening', () => {
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  server.on('connection', (playwright, { url }) => {
    const browser = new WebSocket(address + url)
    const isOpen = new Promise((open) => browser.on('open', open))
    playwright.on('message', async (data) => {
      const { id, method } = JSON.parse(String(data))
      if (method === UNKNOWN_TO_FIREFOX) return playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
      await isOpen
      browser.send(String(data))
    })
    browser.on('message', (data: RawData) => playwright.send(String(data)))
    browser.on('close', () => playwright.close())
    playwright.on('close', () => browser.close())
  })
}
